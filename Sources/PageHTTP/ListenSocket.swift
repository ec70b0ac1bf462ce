import CMicroHTTPD
import Glibc

/// A socket that listens for HTTP.
package final class ListenSocket {
  let descriptor: Int32

  /// - Parameters:
  ///   - address: in numbers, of IPv4 or IPv6; "::" is every address of both.
  ///   - port: 0 for any that is free.
  package init(address: String, port: UInt16) throws(PageHTTPError) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, "\(port)", &hints, &found) == 0, let found else {
      throw PageHTTPError(kind: .noAddress, call: "getaddrinfo", code: EINVAL)
    }
    defer { freeaddrinfo(found) }
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = socket(found.pointee.ai_family, flags, 0)
    guard descriptor >= 0 else { throw .system("socket") }
    set(SOL_SOCKET, SO_REUSEADDR, 1)
    if found.pointee.ai_family == AF_INET6 { set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
    // What a client does not read waits in the kernel, for each of them.
    set(SOL_SOCKET, SO_SNDBUF, 16 * 1024)
    set(SOL_SOCKET, SO_RCVBUF, 16 * 1024)
    // A phone that has left the house.
    set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 20_000)
    // A client is let in with its first bytes: one that is mute takes nobody's place.
    set(Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT, 5)
    guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else {
      throw .system("bind")
    }
    guard listen(descriptor, 512) == 0 else { throw .system("listen") }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Where it listens.
  package var port: UInt16 {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &size)
      }
    }
    // The port lies at the same place in both families.
    return result == 0 ? UInt16(bigEndian: address.sin6_port) : 0
  }
}
