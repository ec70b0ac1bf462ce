import Foundation
import Glibc
import Synchronization

/// A server of HTTP that answers each request in one way.
final class HTTPListener: Sendable {
  enum Way: Sendable {
    case answer(String)
    /// Takes the request and says nothing.
    case hangs
    /// An answer without an end.
    case endless
  }

  struct CannotListen: Error {}

  let port: Int
  private let descriptor: Int32
  /// The requests, whole; protects the ways as well, of which the last stays.
  private let state: Mutex<(heard: [String], ways: [Way])>

  var heard: [String] { state.withLock { $0.heard } }
  var url: String { "http://127.0.0.1:\(port)/hook" }

  /// - Parameter ways: of the first request, the second, and so on.
  init(_ ways: Way...) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
          ? getsockname(descriptor, $0, &length) : -1
      }
    }
    guard code == 0 else { throw CannotListen() }
    port = Int(UInt16(bigEndian: address.sin_port))
    state = Mutex(([], ways))
    // The thread closes it: were it closed here before the thread accepts, that would take another socket's client.
    Thread.detachNewThread { [weak self] in
      defer { close(descriptor) }
      while true {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { return }
        Thread.detachNewThread { [weak self] in
          guard let self else {
            close(client)
            return
          }
          serve(client)
        }
      }
    }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func serve(_ client: Int32) {
    defer { close(client) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while !Self.isWhole(bytes) {
      let count = recv(client, &part, part.count, 0)
      guard count > 0 else { return }
      bytes += part[..<count]
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let way = state.withLock { state in
      state.heard.append(text)
      return state.ways.count > 1 ? state.ways.removeFirst() : state.ways[0]
    }
    switch way {
    case .answer(let head): write("HTTP/1.1 \(head)\r\nContent-Length: 0\r\n\r\n", to: client)
    case .hangs: while recv(client, &part, part.count, 0) > 0 {}
    case .endless:
      write("HTTP/1.1 200 OK\r\n\r\n", to: client)
      let filler = String(repeating: "x", count: 60_000)
      while write(filler, to: client) {}
    }
  }

  @discardableResult
  private func write(_ text: String, to client: Int32) -> Bool {
    let bytes = Array(text.utf8)
    return send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// With as much behind the head as it says.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return false }
    let length = text[..<end.lowerBound].components(separatedBy: "\r\n")
      .first { $0.lowercased().hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
    return text[end.upperBound...].utf8.count >= length ?? 0
  }
}
