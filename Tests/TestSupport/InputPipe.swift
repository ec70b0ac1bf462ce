import Foundation
import Glibc

/// A pipe in place of a device.
package final class InputPipe {
  package struct CannotBeMade: Error { let path: String }

  package let path: String
  private let descriptor: Int32

  package init(_ path: String) throws {
    self.path = path
    guard mkfifo(path, 0o600) == 0 else { throw CannotBeMade(path: path) }
    // Whoever reads it may come later.
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw CannotBeMade(path: path) }
  }

  deinit { close(descriptor) }

  package func unplug() { unlink(path) }

  /// Waits where it is full.
  package func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress! + sent, min(4080, $0.count - sent))
      }
      if count > 0 { sent += count } else if errno != EINTR { return }
    }
  }

  /// Pressed and let go, at the instant at which it is read.
  package func tap(_ name: String) { send(EventBytes.key(name, 1) + EventBytes.key(name, 0)) }

  /// - Parameter times: how many milliseconds before `now` it went down and up.
  package func press(_ name: String, downUpFor times: [(down: Int64, up: Int64)], before now: Int64)
  {
    send(
      times.flatMap { time in
        EventBytes.key(name, 1, at: now - time.down * 1_000_000)
          + EventBytes.key(name, 0, at: now - time.up * 1_000_000)
      })
  }
}
