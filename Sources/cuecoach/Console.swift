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
extension CommandContext {
  func complain(_ message: String) { tell("cuecoach: \(message)", on: errors) }

  func complain(_ error: UserError) {
    error.hasPlace ? tell(error.message, on: errors) : complain(error.message)
  }

  /// What could not be kept of the file at `path`, a line each.
  func complain(_ reports: [String], about path: String) {
    for report in reports { complain("\(path.singleLine): \(report)") }
  }

  /// Writes a line for the user to a terminal or standard error.
  ///
  /// - Parameter end: what follows it; a space after a question.
  func tell(_ line: String, on descriptor: Int32, end: String = "\n") {
    let line = Columns.shortened(line.singleLine, to: Self.maximumMessage)
    write(rows(of: [line], on: descriptor).joined(separator: "\n") + end, to: descriptor)
  }

  /// Does what may take long, such as the start of a program with a voice. A terminal has a line meanwhile.
  func patiently<Value, Fault>(
    _ line: String, _ body: () throws(Fault) -> Value
  ) throws(Fault) -> Value {
    let isOver = DispatchSemaphore(value: 0)
    defer { isOver.signal() }
    if isatty(errors) == 1 {
      DispatchQueue.global().async { [self] in
        guard isOver.wait(timeout: .now() + .seconds(1)) == .timedOut else { return }
        complain("\(line), which may take a minute …")
      }
    }
    return try body()
  }

  /// Writes lines to standard output, without terminal control characters.
  func print(_ lines: String) { write(lines.shownLines + "\n") }

  /// Writes sentences for the user to standard output.
  func printSentences(_ lines: [String]) {
    write(rows(of: lines, on: linesDescriptor).map { $0 + "\n" }.joined())
  }

  /// Writes text to standard output. A failure changes the exit code.
  func write(_ text: String) {
    write(Array((isatty(linesDescriptor) == 1 ? text.shownLines : text).utf8)[...])
  }

  /// Each sentence on one line; in a window, on rows that break between words.
  private func rows(of lines: [String], on descriptor: Int32) -> [String] {
    let columns = Self.windowSize(of: descriptor)?.columns
    return lines.flatMap { line in
      let line = line.singleLine
      return columns.map { Columns.paragraph(line, to: $0) } ?? [line]
    }
  }

  /// The most columns of a message; the middle of a longer one is left out.
  private static let maximumMessage = 640
}
