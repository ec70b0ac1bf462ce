import Glibc
import SystemIO

/// A connection to the first of the coach's sockets that is there: bytes in and out, without waiting. Used by one
/// thread.
package final class ClientSocket {
  private let paths: [String]
  /// To be waited for; below zero while there is no connection.
  package private(set) var descriptor: Int32 = -1
  /// What the coach has not yet read.
  private var outbox: [UInt8] = []

  package enum Input {
    case bytes(ArraySlice<UInt8>)
    /// Not now.
    case nothing
    /// The coach has closed: close this side too.
    case ended
  }

  package init(_ paths: [String]) { self.paths = paths }

  deinit { close() }

  package var isConnected: Bool { descriptor >= 0 }
  /// Bytes that the coach has not yet taken.
  package var unsent: Int { outbox.count }

  /// - Returns: why not; nil where it is connected.
  package func connect() -> String? {
    close()
    var reason = "there is no socket; start it with: cuecoach serve"
    for path in paths {
      do throws(ControlSocketError) {
        try UnixSocket.check(path)
        descriptor = try UnixSocket.make()
        let code = UnixSocket.connect(descriptor, path)
        guard code != 0 else { return nil }
        if code != ENOENT { reason = "\(path): \(String(cString: strerror(code)))" }
      } catch {
        reason = "\(error)"
      }
      close()
    }
    return reason
  }

  package func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    outbox = []
  }

  package func send(_ bytes: [UInt8]) {
    guard isConnected else { return }
    outbox += bytes
    flush()
  }

  /// Sends what waits. That the coach has gone is found as it is read.
  package func flush() {
    while !outbox.isEmpty,
      case .moved(let count) = outbox.withUnsafeBytes({ UnixSocket.write(descriptor, $0) })
    {
      outbox.removeFirst(count)
    }
  }

  package func receive() -> Input {
    guard isConnected else { return .nothing }
    var part = [UInt8](repeating: 0, count: 16 * 1024)
    switch part.withUnsafeMutableBytes({ UnixSocket.read(descriptor, into: $0) }) {
    case .moved(let count): return .bytes(part[..<count])
    case .blocked: return .nothing
    case .ended: return .ended
    }
  }
}
