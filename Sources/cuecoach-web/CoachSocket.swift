import ControlSocket
import Glibc
import PageHTTP
import PageServer

/// The connection to the coach: bytes in and out, without waiting.
final class CoachSocket {
  private let paths: [String]
  private let loop: EventLoop
  private var descriptor: Int32 = -1
  private var outbox: [UInt8] = []

  /// Bytes that the coach may leave unread.
  private static let patience = 256 * 1024

  enum Event {
    case bytes(ArraySlice<UInt8>)
    case ended(String)
  }
  var onEvent: (Event) -> Void = { _ in }

  init(_ paths: [String], loop: EventLoop) {
    self.paths = paths
    self.loop = loop
  }

  deinit { close() }

  /// - Returns: why not; nil where it is connected.
  func connect() -> String? {
    close()
    var reason = "there is no socket; start it with: cuecoach serve"
    for path in paths {
      do throws(ControlSocketError) {
        descriptor = try UnixSocket.make()
        let code = try UnixSocket.connect(descriptor, path)
        guard code != 0 else {
          watch()
          return nil
        }
        if code != ENOENT { reason = "\(path): \(String(cString: strerror(code)))" }
      } catch {
        reason = "\(error)"
      }
      Glibc.close(descriptor)
      descriptor = -1
    }
    return reason
  }

  func close() {
    guard descriptor >= 0 else { return }
    loop.forget(descriptor)
    Glibc.close(descriptor)
    descriptor = -1
    outbox = []
  }

  func send(_ bytes: [UInt8]) {
    guard descriptor >= 0 else { return }
    outbox += bytes
    // The coach will be found silent by the deadlines.
    if outbox.count > Self.patience { outbox = [] }
    flush()
  }

  private func watch() {
    loop.watch(descriptor, for: outbox.isEmpty ? .reading : .readingAndWriting) { [unowned self] in
      if !outbox.isEmpty { flush() }
      receive()
    }
  }

  private func flush() {
    while !outbox.isEmpty,
      // An end is found as it is read, too.
      case .moved(let count) = outbox.withUnsafeBytes({ UnixSocket.write(descriptor, $0) })
    {
      outbox.removeFirst(count)
    }
    watch()
  }

  private func receive() {
    guard descriptor >= 0 else { return }
    var part = [UInt8](repeating: 0, count: 16 * 1024)
    switch part.withUnsafeMutableBytes({ UnixSocket.read(descriptor, into: $0) }) {
    case .moved(let count): onEvent(.bytes(part[..<count]))
    case .blocked: break
    case .ended:
      close()
      onEvent(.ended("it has ended"))
    }
  }
}
