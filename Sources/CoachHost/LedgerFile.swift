import CueEngine
import Glibc
import IntervalTimeline
import Synchronization

/// Writes the ledger as it happens, a line at a time. Any thread.
///
/// A file that cannot be opened is a `HostError` of the kind `file`.
public final class LedgerFile: Sendable {
  private struct State {
    var descriptor: Int32
    var hasFailed = false
    /// Part of a line was written, so a line break comes first next time.
    var isTorn = false
  }

  private let name: String
  private let waits: Bool
  private let failed: @Sendable (String) -> Void
  /// Protects the descriptor.
  private let state: Mutex<State>

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - appends: true to append to the file, false to replace it.
  ///   - waits: true to wait for a slow reader rather than lose lines.
  ///   - failed: called once, when the first line is lost; later lines are still attempted.
  public convenience init(
    _ path: String, appends: Bool = false, waits: Bool = false,
    failed: @escaping @Sendable (String) -> Void
  ) throws(HostError) {
    let mode = appends ? O_RDWR | O_APPEND : O_WRONLY | O_TRUNC
    try self.init(
      open(path, mode | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644), name: path.singleLine,
      appends: appends, waits: waits, failed: failed)
  }

  /// Writes to a copy of a descriptor that the caller has open.
  ///
  /// - Parameter name: for messages, such as "on standard output".
  public convenience init(
    descriptor: Int32, name: String, waits: Bool = false,
    failed: @escaping @Sendable (String) -> Void
  ) throws(HostError) {
    try self.init(
      fcntl(descriptor, F_DUPFD_CLOEXEC, 0), name: name, appends: false, waits: waits,
      failed: failed)
  }

  private init(
    _ descriptor: Int32, name: String, appends: Bool, waits: Bool,
    failed: @escaping @Sendable (String) -> Void
  ) throws(HostError) {
    guard descriptor >= 0 else {
      throw HostError(
        .file, "the ledger \(name) cannot be written: \(String(cString: strerror(errno)))")
    }
    self.name = name
    self.waits = waits
    self.failed = failed
    // A program that was killed may have left half a line.
    var last = UInt8(ascii: "\n")
    let end = appends ? lseek(descriptor, 0, SEEK_END) : 0
    if end > 0 { _ = pread(descriptor, &last, 1, end - 1) }
    state = Mutex(State(descriptor: descriptor, isTorn: last != UInt8(ascii: "\n")))
  }

  package func write(_ event: LedgerEvent) {
    let line = event.line + "\n"
    let problem: String? = state.withLock { state in
      guard state.descriptor >= 0 else { return nil }
      errno = 0
      let bytes = Array(((state.isTorn ? "\n" : "") + line).utf8)
      var written = 0
      while written < bytes.count {
        // A pipe with a slow reader must not delay the check. A pipe that is ready takes at least a
        // page without blocking.
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
      // Without an error the reader was too slow.
      return errno == 0 ? "its reader does not keep up" : String(cString: strerror(errno))
    }
    if let problem {
      failed("the ledger \(name) misses lines: \(problem)")
    }
  }

  deinit { close() }

  package func close() {
    state.withLock { state in
      guard state.descriptor >= 0 else { return }
      _ = Glibc.close(state.descriptor)
      state.descriptor = -1
    }
  }
}
