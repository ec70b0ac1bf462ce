import Glibc
import SystemIO

/// A socket in the file system on which a server listens, as long as this object lives.
///
/// A lock beside it (`control.lock`, flock(2)) belongs to the process that serves: a socket that a dead
/// server left is replaced, another's live one never.
final class ListeningSocket: Sendable {
  let path: String
  let descriptor: Int32
  private let lock: Int32
  /// Device and inode of the socket.
  private let file: [UInt64]

  convenience init(_ place: ControlServer.Socket) throws(ControlSocketError) {
    try self.init(place.path, group: place.group)
  }

  /// Binds and listens; the folder is made where it is missing. The socket is 0660.
  init(_ path: String, group: String? = nil) throws(ControlSocketError) {
    self.path = path
    // Known before anything is touched.
    try UnixSocket.check(path)
    try Self.makeFolder(of: path)
    let lock = try Self.lock(path)
    var descriptor: Int32 = -1
    do throws(ControlSocketError) {
      try Self.removeStale(path)
      descriptor = try UnixSocket.make()
      try Self.listen(descriptor, path, group)
    } catch {
      if descriptor >= 0 { close(descriptor) }
      close(lock)
      throw error
    }
    self.lock = lock
    self.descriptor = descriptor
    file = Self.file(path)
  }

  /// The folder of a path; empty for one without.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func makeFolder(of path: String) throws(ControlSocketError) {
    let folder = folder(of: path)
    guard !folder.isEmpty else { return }
    var parent = stat()
    // Whoever may write to it could put a folder of theirs in place of the socket's.
    let place = Self.folder(of: folder)
    if stat(place.isEmpty ? "." : place, &parent) == 0, let fault = fault(ofFolder: parent) {
      throw ControlSocketError(
        .failed,
        "\(place.isEmpty ? "." : place): \(fault); expected a folder of yours that nobody else may write to"
      )
    }
    guard mkdir(folder, 0o750) != 0 else { return }
    let code = errno
    var info = stat()
    guard lstat(folder, &info) != 0 else {
      guard let fault = fault(ofFolder: info) else { return }
      throw ControlSocketError(
        .failed, "\(folder): \(fault); expected a folder of yours that nobody else may write to")
    }
    throw ControlSocketError(
      code == EACCES || code == EPERM ? .denied : .failed,
      "\(folder): the folder for the control socket cannot be made: "
        + String(cString: strerror(code)))
  }

  /// Why no socket is made in a folder that is there: others could put theirs in its place. Nil where there is no
  /// reason; in a folder with the sticky bit, such as /tmp, nobody else may.
  private static func fault(ofFolder info: stat) -> String? {
    switch info.st_mode & S_IFMT {
    case S_IFDIR: break
    case S_IFLNK: return "the folder for the control socket is a symbolic link"
    default: return "this is no folder, but the control socket is to be in it"
    }
    if info.st_uid != geteuid(), info.st_uid != 0 {
      return "the folder for the control socket belongs to another user"
    }
    return info.st_mode & (S_IWGRP | S_IWOTH) == 0 || info.st_mode & S_ISVTX != 0
      ? nil : "others may write to the folder for the control socket"
  }

  /// False where the socket, or the folder that it was in, has been removed or replaced.
  var isInPlace: Bool { Self.file(path) == file }

  /// Device and inode; empty where there is nothing.
  private static func file(_ path: String) -> [UInt64] {
    var info = stat()
    return lstat(path, &info) == 0 ? [UInt64(info.st_dev), UInt64(info.st_ino)] : []
  }

  deinit {
    // Where the folder was removed meanwhile, another coach may listen there. The lock's file stays:
    // removed, it would be another file for the next than for one that waits.
    if isInPlace { unlink(path) }
    // As for a connection: neither stays with a program that is being started.
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
    flock(lock, LOCK_UN)
    close(lock)
  }

  private static func lock(_ path: String) throws(ControlSocketError) -> Int32 {
    let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else {
      let code = errno
      throw ControlSocketError(
        code == EACCES || code == EPERM ? .denied : .failed,
        "\(folder(of: path)): no control socket can be made in this folder: "
          + String(cString: strerror(code)))
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(lock)
      throw code == EWOULDBLOCK ? inUse(path) : failure(path, code)
    }
    return lock
  }

  private static func removeStale(_ path: String) throws(ControlSocketError) {
    var info = stat()
    guard lstat(path, &info) == 0 else { return }
    guard info.st_mode & S_IFMT == S_IFSOCK else {
      throw ControlSocketError(.notASocket, "\(path) is there and is no socket; remove it")
    }
    // A server of another kind has no lock of ours.
    let probe = try UnixSocket.make()
    defer { close(probe) }
    let code = UnixSocket.connect(probe, path)
    guard code == ECONNREFUSED || code == ENOENT else { throw inUse(path) }
    guard unlink(path) == 0 || errno == ENOENT else { throw failure(path, errno) }
  }

  private static func listen(
    _ descriptor: Int32, _ path: String, _ group: String?
  ) throws(ControlSocketError) {
    // The file gets these rights but for the umask's, and never more; the rest follows.
    fchmod(descriptor, 0o660)
    let code =
      UnixSocket.withAddress(path) { address, length in
        bind(descriptor, address, length) == 0 ? 0 : errno
      } ?? ENAMETOOLONG
    guard code == 0 else { throw failure(path, code) }
    // Without the group it stays this process's own.
    if let entry = group.flatMap({ getgrnam($0) }) {
      _ = chown(path, uid_t.max, entry.pointee.gr_gid)
    }
    guard chmod(path, 0o660) == 0, Glibc.listen(descriptor, 512) == 0 else {
      let code = errno
      unlink(path)
      throw failure(path, code)
    }
  }

  private static func inUse(_ path: String) -> ControlSocketError {
    ControlSocketError(.inUse, "\(path): another coach answers there")
  }

  private static func failure(_ path: String, _ code: Int32) -> ControlSocketError {
    ControlSocketError(
      code == EACCES || code == EPERM ? .denied : .failed,
      "\(path): the socket cannot be opened: \(String(cString: strerror(code)))")
  }
}
