import Foundation
import Glibc

/// A client that sends what it likes.
package final class RawClient: @unchecked Sendable {
  // Unchecked: the descriptor is closed once, by the one thread that uses the client.
  package private(set) var descriptor: Int32

  package init(_ path: String) throws {
    // A program that another test starts must not hold it open.
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { leave() }

  /// Sends everything, or as much as is taken before the server closes. Blocks.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 { sent += count } else if errno != EINTR { return false }
    }
    return true
  }

  /// What is sent is over; what is received is not.
  package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next line without its end; nil where the server has closed. Blocks.
  package func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  /// How many bytes come until the server closes. Blocks.
  package func countToEnd() -> Int {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var sum = 0
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { return sum }
      sum += count
    }
  }

  package func leave() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }
}
