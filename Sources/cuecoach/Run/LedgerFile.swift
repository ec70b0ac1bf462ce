import CueEngine
import Glibc
import Synchronization

/// Writes the ledger as it happens, a line at a time.
final class LedgerFile: Sendable {
  private struct State {
    var descriptor: Int32
    var hasFailed = false
    /// Part of a line was written, so the next one begins with a line end.
    var isTorn = false
  }

  private let path: String
  private let waits: Bool
  private let failed: @Sendable (String) -> Void
  /// Protects the descriptor.
  private let state: Mutex<State>

  /// Standard output, for a `--ledger`.
  static let standardOutput = "-"

  /// - Parameters:
  ///   - path: a file, or `-` for standard output; the lines for people go to standard error then.
  ///   - appends: what is there already stays; else a file is replaced.
  ///   - waits: for a reader that takes nothing, rather than lose lines.
  ///   - failed: called once when lines are lost; writing goes on being tried.
  init(
    _ path: String, appends: Bool = false, waits: Bool = false,
    failed: @escaping @Sendable (String) -> Void
  ) throws(UserError) {
    let isOutput = path == Self.standardOutput
    if isOutput { try Console.giveUpOutput(for: "--ledger -") }
    let mode = appends ? O_RDWR | O_APPEND : O_WRONLY | O_TRUNC
    let descriptor =
      isOutput
      ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
      : open(path, mode | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else {
      throw .failed(
        "the ledger \(path.singleLine) cannot be written: \(String(cString: strerror(errno)))")
    }
    self.path = path
    self.waits = waits
    self.failed = failed
    // A program that was killed may have left half a line.
    var last = UInt8(ascii: "\n")
    let end = appends && !isOutput ? lseek(descriptor, 0, SEEK_END) : 0
    if end > 0 { _ = pread(descriptor, &last, 1, end - 1) }
    state = Mutex(State(descriptor: descriptor, isTorn: last != UInt8(ascii: "\n")))
  }

  func write(_ event: LedgerEvent) {
    let line = event.line + "\n"
    let problem: String? = state.withLock { state in
      guard state.descriptor >= 0 else { return nil }
      errno = 0
      let bytes = Array(((state.isTorn ? "\n" : "") + line).utf8)
      var written = 0
      while written < bytes.count {
        // A pipe whose reader sleeps must not hold up the check. Where there is room for anything,
        // there is room for a page.
        var event = pollfd(fd: state.descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&event, 1, waits ? -1 : 0) > 0 else { break }
        let count = bytes[written...].withUnsafeBytes {
          Glibc.write(state.descriptor, $0.baseAddress, min($0.count, 4096))
        }
        if count > 0 { written += count } else if !(count < 0 && errno == EINTR) { break }
      }
      if written > 0 { state.isTorn = written < bytes.count }
      guard written < bytes.count, !state.hasFailed else { return nil }
      state.hasFailed = true
      // Nothing has failed where the reader is late.
      return errno == 0 ? "its reader does not keep up" : String(cString: strerror(errno))
    }
    if let problem {
      let name = path == Self.standardOutput ? "on standard output" : path.singleLine
      failed("the ledger \(name) misses lines: \(problem)")
    }
  }

  func close() {
    state.withLock { state in
      _ = Glibc.close(state.descriptor)
      state.descriptor = -1
    }
  }
}
