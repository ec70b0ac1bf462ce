import Glibc
import PageHTTP
import SurfaceProgram
import SystemIO

/// The files of a certificate and of its key.
enum CertificateFiles {
  /// A chain of some certificates has some thousands.
  private static let maxBytes = 65_536

  static func read(_ chain: String, key: String) throws(Complaint) -> Certificate {
    Certificate(
      chain: try text(chain, "a certificate", "CERTIFICATE-----"),
      key: try text(key, "a key without a password", "PRIVATE KEY-----"))
  }

  private static func text(
    _ path: String, _ what: String, _ mark: String
  ) throws(Complaint) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw .usage("--tls \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    guard let bytes = Descriptor.readAll(descriptor, most: maxBytes),
      let text = String(validating: bytes, as: UTF8.self), text.contains(mark),
      text.contains("ENCRYPTED") == false, !text.utf8.contains(0)
    else { throw .usage("--tls \(path): expected \(what), as PEM") }
    return text
  }
}
