import Glibc

/// A call of the system or the library failed.
package struct PageHTTPError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// Another program listens there.
    case busy
    /// This machine has no such address.
    case noAddress
    case denied
    case failed
  }

  package let kind: Kind
  package let call: String
  package let code: Int32

  static func system(_ call: String) -> PageHTTPError {
    let code = errno
    let kind: Kind =
      switch code {
      case EADDRINUSE: .busy
      case EADDRNOTAVAIL, EAFNOSUPPORT: .noAddress
      case EACCES, EPERM: .denied
      default: .failed
      }
    return PageHTTPError(kind: kind, call: call, code: code)
  }

  package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
