import Glibc

/// What a server and a client do alike with a socket's descriptor.
package enum UnixSocket {
  /// A stream socket that closes on exec and never blocks; below zero on failure, and `errno` says why.
  package static func open() -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    return socket(AF_UNIX, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
  }

  /// The longest path, in bytes: what the address holds, without the zero at its end.
  package static let maxPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Calls `body` with the address of a path. Nil where the path is too long.
  package static func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result? {
    let bytes = Array(path.utf8)
    guard bytes.count <= maxPath else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// True where something is that is no socket.
  package static func isOtherFile(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFSOCK
  }

  /// Connects a socket. Returns 0, or the error number: ENAMETOOLONG for a path that is too long.
  package static func connect(_ descriptor: Int32, _ path: String) -> Int32 {
    withAddress(path) { address, length in
      var result: Int32
      repeat {
        result = Glibc.connect(descriptor, address, length)
      } while result < 0 && errno == EINTR
      return result == 0 ? 0 : errno
    } ?? ENAMETOOLONG
  }

  /// The process that has connected a socket, by its number.
  package static func peer(of descriptor: Int32) -> pid_t {
    // struct ucred, which is for GNU sources alone: process, user, group.
    var credentials: (pid_t, uid_t, gid_t) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
    return credentials.0
  }

  /// What came of a read or a write.
  package enum Transfer {
    case moved(Int)
    /// Not now.
    case blocked
    /// The other side has closed, or the connection is broken.
    case ended
  }

  package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer)
    -> Transfer
  {
    transfer { recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
  }

  /// A reader that has gone is no signal.
  package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    return transfer { send(descriptor, bytes.baseAddress, bytes.count, flags) }
  }

  private static func transfer(_ body: () -> Int) -> Transfer {
    while true {
      let count = body()
      if count > 0 { return .moved(count) }
      if count == 0 { return .ended }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .blocked
      default: return .ended
      }
    }
  }
}
