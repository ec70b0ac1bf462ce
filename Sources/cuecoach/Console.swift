import Dispatch
import Glibc
import InstalledFiles

/// An error for the user: one line that says what to do next, and the exit code.
struct UserError: Error {
  let message: String
  let code: Int32
  /// True if the message begins with its own location, `file:line:`, as with compilers.
  var hasPlace = false

  /// Something in the command or a file is wrong.
  static func usage(_ message: String) -> UserError { UserError(message: message, code: 2) }
  /// A preset or the configuration is wrong; the message names the file and the line.
  static func file(_ message: String) -> UserError {
    UserError(message: message, code: 2, hasPlace: true)
  }
  /// The request was valid and failed.
  static func failed(_ message: String) -> UserError { UserError(message: message, code: 1) }
}

extension UserError {
  init(_ error: InstallationError) {
    self = error.kind == .file ? .file(error.description) : .usage(error.description)
  }
}

/// Writes lines for people and for pipes.
enum Console {
  static func complain(_ message: String) { tell("cuecoach: \(message)", on: STDERR_FILENO) }

  static func complain(_ error: UserError) {
    error.hasPlace ? tell(error.message, on: STDERR_FILENO) : complain(error.message)
  }

  /// What could not be kept of the file at `path`, a line each.
  static func complain(_ reports: [String], about path: String) {
    for report in reports { complain("\(path.singleLine): \(report)") }
  }

  /// Writes a line for the user to a terminal or standard error.
  ///
  /// - Parameter end: what follows it; a space after a question.
  static func tell(_ line: String, on descriptor: Int32, end: String = "\n") {
    let line = Columns.shortened(line.singleLine, to: maximumMessage)
    write(rows(of: [line], on: descriptor).joined(separator: "\n") + end, to: descriptor)
  }

  /// Does what may take long, such as the start of a program with a voice. A terminal has a line meanwhile.
  static func patiently<Value, Fault>(
    _ line: String, _ body: () throws(Fault) -> Value
  ) throws(Fault) -> Value {
    let isOver = DispatchSemaphore(value: 0)
    defer { isOver.signal() }
    if isatty(STDERR_FILENO) == 1 {
      DispatchQueue.global().async {
        guard isOver.wait(timeout: .now() + .seconds(1)) == .timedOut else { return }
        complain("\(line), which may take a minute …")
      }
    }
    return try body()
  }

  /// Writes lines to standard output, without terminal control characters.
  static func print(_ lines: String) { write(lines.shownLines + "\n") }

  /// Writes sentences for the user to standard output.
  static func printSentences(_ lines: [String]) {
    write(rows(of: lines, on: outputDescriptor).map { $0 + "\n" }.joined())
  }

  /// Each sentence on one line; in a window, on rows that break between words.
  private static func rows(of lines: [String], on descriptor: Int32) -> [String] {
    let columns = Terminal.columns(of: descriptor)
    return lines.flatMap { line in
      let line = line.singleLine
      return columns.map { Columns.paragraph(line, to: $0) } ?? [line]
    }
  }

  /// The most columns of a message; the middle of a longer one is left out.
  private static let maximumMessage = 640

  /// Writes text to standard output. A failure changes the exit code.
  static func write(_ text: String) {
    write(Array((isatty(outputDescriptor) == 1 ? text.shownLines : text).utf8)[...])
  }

  static func write(_ bytes: ArraySlice<UInt8>) {
    guard let error = put(bytes, to: outputDescriptor) else { return }
    // Nobody misses progress lines that their reader does not read.
    let isProgress = patience >= 0
    if isProgress, [EPIPE, EBADF, EAGAIN].contains(error) { return }
    outputError = outputError ?? error
  }

  /// Ends the program, with 1 instead of 0 if standard output is incomplete.
  static func exit(_ code: Int32) -> Never {
    if let outputError {
      let why = outputError == EBADF ? "it is closed" : String(cString: strerror(outputError))
      complain("standard output cannot be written: \(why)")
    }
    Glibc.exit(outputError != nil && code == 0 ? 1 : code)
  }

  /// Ends the program with an error.
  static func end(_ error: UserError) -> Never {
    complain(error)
    exit(error.code)
  }

  /// How long to wait for a reader, in milliseconds, before output is dropped. -1 (for ever) unless
  /// a workout runs, because its keys and signals must not wait.
  nonisolated(unsafe) static var patience: Int32 = -1
  // Set once, by the main thread before it starts any other.

  /// Where lines for standard output go: to standard error while standard output has a ledger.
  nonisolated(unsafe) private(set) static var outputDescriptor = STDOUT_FILENO
  // Set once, by the main thread before it starts any other.

  /// Leaves standard output to an option's data; lines go to standard error from now on.
  static func giveUpOutput(for option: String) throws(UserError) {
    guard !closed.contains(STDOUT_FILENO) else {
      throw .failed("\(option): standard output is closed")
    }
    outputDescriptor = STDERR_FILENO
  }

  /// Why output to standard output was lost.
  nonisolated(unsafe) private static var outputError: Int32?
  // Written and read by the main thread alone.

  /// The standard streams that were closed at the start.
  nonisolated(unsafe) private static var closed: Set<Int32> = []
  // Set once, by the main thread before it starts any other.

  /// Writes to a terminal or standard error; a failure there cannot be reported.
  static func write(_ text: String, to descriptor: Int32) {
    _ = put(Array(text.utf8)[...], to: descriptor)
  }

  /// Writes everything, in as many calls as it takes. Returns the error that prevented it.
  private static func put(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
    guard !closed.contains(descriptor) else { return EBADF }
    var bytes = bytes
    while !bytes.isEmpty {
      var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let ready = poll(&event, 1, patience)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return ready < 0 ? errno : EAGAIN }
      // A pipe that is ready takes a page without blocking.
      let written = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, min($0.count, 4096))
      }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else if !(written < 0 && (errno == EINTR || errno == EAGAIN)) {
        return written < 0 ? errno : EIO
      }
    }
    return nil
  }

  /// Opens /dev/null for standard streams that are closed: otherwise the next file that is opened
  /// would get their number, and messages would be written into it.
  static func openClosedStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      closed.insert(descriptor)
      _ = open("/dev/null", O_RDWR)
    }
  }
}
