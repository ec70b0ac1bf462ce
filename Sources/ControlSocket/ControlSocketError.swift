import Glibc
import SystemIO

/// Why a socket could not be opened or a coach not be reached: one sentence for a person, and the kind
/// for a program.
public struct ControlSocketError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a program can tell apart.
  public enum Kind: Hashable, Sendable {
    /// The path has more bytes than a socket's address holds.
    case pathTooLong
    /// Another process answers there.
    case inUse
    /// Something is there that is no socket.
    case notASocket
    /// Nobody answers there.
    case notRunning
    /// This user may not use it.
    case denied
    /// The coach has as many clients as it takes.
    case full
    /// It speaks another version of the protocol.
    case otherVersion
    /// It did not answer in time.
    case timeout
    /// The connection has ended.
    case gone
    /// Anything else; the description says what.
    case failed
  }

  /// What is wrong, for a program.
  public let kind: Kind
  public let description: String

  /// The arguments are taken as they are. `description` is one sentence on one line.
  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension UnixSocket {
  /// The same as `open`, with the reason why not.
  static func make() throws(ControlSocketError) -> Int32 {
    let descriptor = open()
    guard descriptor >= 0 else {
      throw ControlSocketError(.failed, "socket: \(String(cString: strerror(errno)))")
    }
    return descriptor
  }

  static func check(_ path: String) throws(ControlSocketError) {
    guard path.utf8.count <= maxPath else {
      throw ControlSocketError(
        .pathTooLong,
        "\(path): a socket's path has at most \(maxPath) bytes, this one \(path.utf8.count)")
    }
  }
}
