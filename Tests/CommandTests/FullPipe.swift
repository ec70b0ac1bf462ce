import Foundation
import Synchronization

/// A full pipe whose reader does not read.
final class FullPipe: Sendable {
  let writer: Int32
  /// Protects the reader's end; nil once it is closed.
  private let reader: Mutex<Int32?>

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Program.CannotStart(call: "pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reader = Mutex(ends[0])
    writer = ends[1]
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    let page = [UInt8](repeating: 0, count: 4096)
    while write(writer, page, page.count) > 0 {}
    _ = fcntl(writer, F_SETFL, 0)
  }

  deinit {
    closeReader()
    close(writer)
  }

  /// From here on, writing fails.
  func closeReader() {
    reader.withLock { reader in
      if let reader { _ = close(reader) }
      reader = nil
    }
  }
}
