import Glibc
import SurfaceProgram
import SystemIO

/// The file with the token: readable by its owner alone.
struct TokenFile {
  let path: String

  /// The token of those who only look on, beside it.
  var forViewers: TokenFile { TokenFile(path: "\(path).view") }

  /// What is in it, kept until the file changes.
  struct Copy {
    fileprivate var stamp: Stamp
    var token: String
  }

  /// Changes with each new file.
  fileprivate struct Stamp: Equatable {
    var inode: UInt
    var seconds: Int
    var nanoseconds: Int
    var size: Int
  }

  /// - Parameter copy: what was read before.
  /// - Returns: nil where there is no file that can be read.
  func read(_ copy: Copy?) -> Copy? {
    guard let stamp else { return nil }
    if let copy, copy.stamp == stamp { return copy }
    return (try? read()).flatMap { $0.map { Copy(stamp: stamp, token: $0) } }
  }

  private var stamp: Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Stamp(
      inode: UInt(status.st_ino), seconds: status.st_ctim.tv_sec,
      nanoseconds: status.st_ctim.tv_nsec, size: Int(status.st_size))
  }

  /// The token; nil where there is none yet.
  func read() throws(Complaint) -> String? {
    // Without blocking: the open of a pipe would wait for its other end.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .failed("\(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .failed("\(path): expected a file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .failed(
        "\(path): others can read it; make a new token with: cuecoach-web token --renew")
    }
    let bytes = Descriptor.readAll(descriptor, most: 4096) ?? []
    let token = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard token.count == 1, token[0].utf8.count >= 16, token[0].utf8.allSatisfy({ $0 < 0x7f })
    else {
      throw .failed(
        "\(path): expected a token; make a new one with: cuecoach-web token --renew")
    }
    return String(token[0])
  }

  /// The token that is there, or a new one.
  func create() throws(Complaint) -> String {
    if let token = try read() { return token }
    try write(replacing: false)
    // Another process may have been first: what is there counts.
    guard let token = try read() else { throw .failed("\(path): it cannot be made") }
    return token
  }

  /// A new token; links with the old one no longer open the page.
  func renew() throws(Complaint) -> String {
    try write(replacing: true)
    guard let token = try read() else { throw .failed("\(path): it cannot be made") }
    return token
  }

  private func write(replacing: Bool) throws(Complaint) {
    AtomicFile.makeFolders(for: path, mode: 0o700)
    guard let file = AtomicFile(path) else { throw failure() }
    // The service whose token root renews has to read it.
    var status = stat()
    if stat(path, &status) == 0 || stat(Folder.of(path), &status) == 0, geteuid() == 0 {
      _ = fchown(file.descriptor, status.st_uid, status.st_gid)
    }
    guard file.write("\(Self.random())\n".utf8),
      // Of two processes at once, the first makes the token.
      file.commit(isReplacing: replacing, isDurable: true) || (!replacing && errno == EEXIST)
    else { throw failure() }
  }

  private func failure() -> Complaint {
    .failed("\(path): \(String(cString: strerror(errno)))")
  }

  /// 132 bits from the system, in letters that need no escape in a link.
  private static func random() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String((0..<22).map { _ in letters[Int.random(in: 0..<letters.count)] })
  }
}
