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
      let new = socket(
        AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
      guard new >= 0 else { return String(cString: strerror(errno)) }
      if Self.connect(new, to: path) {
        descriptor = new
        watch()
        return nil
      }
      if errno != ENOENT { reason = "\(path): \(String(cString: strerror(errno)))" }
      Glibc.close(new)
    }
    return reason
  }

  private static func connect(_ descriptor: Int32, to path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else {
      errno = ENAMETOOLONG
      return false
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
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
    while !outbox.isEmpty {
      let count = outbox.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      // An error comes again when it is read.
      guard count > 0 else { break }
      outbox.removeFirst(count)
    }
    watch()
  }

  private func receive() {
    guard descriptor >= 0 else { return }
    var part = [UInt8](repeating: 0, count: 16 * 1024)
    let count = recv(descriptor, &part, part.count, 0)
    if count > 0 { return onEvent(.bytes(part[..<count])) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    let reason = count == 0 ? "it has ended" : String(cString: strerror(errno))
    close()
    onEvent(.ended(reason))
  }
}
