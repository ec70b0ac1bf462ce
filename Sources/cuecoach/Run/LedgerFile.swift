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
  private let failed: @Sendable (String) -> Void
  /// Protects the descriptor.
  private let state: Mutex<State>

  /// - Parameter failed: called once when lines are lost; writing goes on being tried.
  /// - Parameter appends: what is there already stays; else a file is replaced.
  init(_ path: String, appends: Bool = false, failed: @escaping @Sendable (String) -> Void)
    throws(UserError)
  {
    // Non-blocking, so that a pipe whose reader sleeps cannot hold up the check.
    let mode = appends ? O_RDWR | O_APPEND : O_WRONLY | O_TRUNC
    let descriptor = open(path, mode | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else {
      throw .failed(
        "the ledger \(path.singleLine) cannot be written: \(String(cString: strerror(errno)))")
    }
    self.path = path
    self.failed = failed
    // A program that was killed may have left half a line.
    var last = UInt8(ascii: "\n")
    let end = lseek(descriptor, 0, SEEK_END)
    if appends, end > 0 { _ = pread(descriptor, &last, 1, end - 1) }
    state = Mutex(State(descriptor: descriptor, isTorn: last != UInt8(ascii: "\n")))
  }

  func write(_ event: LedgerEvent) {
    let line = event.line + "\n"
    let problem: String? = state.withLock { state in
      guard state.descriptor >= 0 else { return nil }
      let bytes = Array(((state.isTorn ? "\n" : "") + line).utf8)
      var written = 0
      while written < bytes.count {
        let count = bytes[written...].withUnsafeBytes {
          Glibc.write(state.descriptor, $0.baseAddress, $0.count)
        }
        if count > 0 { written += count } else if !(count < 0 && errno == EINTR) { break }
      }
      if written > 0 { state.isTorn = written < bytes.count }
      guard written < bytes.count, !state.hasFailed else { return nil }
      state.hasFailed = true
      return String(cString: strerror(errno))
    }
    if let problem {
      failed("the ledger \(path.singleLine) misses lines: \(problem)")
    }
  }

  func close() {
    state.withLock { state in
      _ = Glibc.close(state.descriptor)
      state.descriptor = -1
    }
  }
}
