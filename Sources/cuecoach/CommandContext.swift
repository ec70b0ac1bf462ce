import FoundationEssentials
import Glibc
import InstalledFiles
import IntervalTimeline
import RecordedSpeech
import SessionStore
import Synchronization

/// Of the command that runs on this thread. A closure for another thread captures it: `[context]`.
var context: CommandContext { CommandContext.current }

/// What a command has around it: its standard streams, its environment and its time zone. It has those of the process,
/// unless a test runs it in a process that has other things to do.
final class CommandContext: Sendable {
  @TaskLocal static var current: CommandContext = CommandContext()

  /// The descriptors of its standard streams.
  let input: Int32
  let output: Int32
  let errors: Int32
  let environment: [String: String]
  let zone: @Sendable (Int64) -> Int64
  /// Of the program and of the user.
  let folders: InstalledFolders
  /// Whether the process is the command's: signals are for it.
  let ownsProcess: Bool
  /// The standard streams that were closed at the start.
  private let closed: Set<Int32>

  private struct State {
    var patience: Int32 = -1
    /// Where lines for standard output go.
    var lines: Int32
    /// Why output to standard output was lost.
    var fault: Int32?
  }
  private let state: Mutex<State>

  /// Of this process. Opens /dev/null for standard streams that are closed: otherwise the next file that is opened
  /// would get their number, and messages would be written into it.
  private init() {
    (input, output, errors) = (STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO)
    var closed: Set<Int32> = []
    for descriptor in input...errors where fcntl(descriptor, F_GETFD) < 0 {
      closed.insert(descriptor)
      _ = open("/dev/null", O_RDWR)
    }
    self.closed = closed
    environment = ProcessInfo.processInfo.environment
    zone = WallTime.localZone
    folders = InstalledFolders(of: environment)
    ownsProcess = true
    state = Mutex(State(lines: output))
  }

  /// Of a command that runs in a process of others. The streams stay open.
  init(
    input: Int32, output: Int32, errors: Int32, environment: [String: String],
    zone: @escaping @Sendable (Int64) -> Int64
  ) {
    (self.input, self.output, self.errors) = (input, output, errors)
    self.environment = environment
    self.zone = zone
    folders = InstalledFolders(of: environment)
    ownsProcess = false
    closed = []
    state = Mutex(State(lines: output))
  }

  /// How long to wait for a reader, in milliseconds, before output is dropped. -1 (for ever) unless
  /// a workout runs, because its keys and signals must not wait.
  var patience: Int32 {
    get { state.withLock { $0.patience } }
    set { state.withLock { $0.patience = newValue } }
  }

  /// Where lines for standard output go: to standard error while standard output has a ledger.
  var linesDescriptor: Int32 { state.withLock { $0.lines } }

  /// Leaves standard output to an option's data; lines go to standard error from now on.
  func giveUpOutput(for option: String) throws(UserError) {
    guard !closed.contains(output) else { throw .failed("\(option): standard output is closed") }
    state.withLock { $0.lines = errors }
  }

  /// The exit code of a command that ends with `code`: 1 instead of 0 if standard output is incomplete.
  func exitCode(_ code: Int32) -> Int32 {
    guard let fault = state.withLock({ $0.fault }) else { return code }
    let why = fault == EBADF ? "it is closed" : String(cString: strerror(fault))
    complain("standard output cannot be written: \(why)")
    return code == 0 ? 1 : code
  }

  /// Writes to standard output, or where its lines go. A failure changes the exit code.
  func write(_ bytes: ArraySlice<UInt8>) {
    guard let error = put(bytes, to: linesDescriptor) else { return }
    // Nobody misses progress lines that their reader does not read.
    let isProgress = patience >= 0
    if isProgress, [EPIPE, EBADF, EAGAIN].contains(error) { return }
    state.withLock { $0.fault = $0.fault ?? error }
  }

  /// Writes to a terminal or standard error; a failure there cannot be reported.
  func write(_ text: String, to descriptor: Int32) {
    _ = put(Array(text.utf8)[...], to: descriptor)
  }

  /// Writes everything, in as many calls as it takes. Returns the error that prevented it.
  private func put(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
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
}
