import Glibc

/// A file that is put in place whole: under its name there is the old one or the new one, never a part of it.
///
/// Until `commit` it has a hidden name of its own in the same folder; one that is not committed is removed, at the latest by
/// the next writer in that folder after an hour. Used by one thread at a time.
package final class AtomicFile {
  /// For reading and writing, until the file is released.
  package let descriptor: Int32
  private let path: String
  private let temporary: String
  private var isCommitted = false

  /// Nil where the file cannot be made; `errno` says why.
  ///
  /// - Parameter mode: its permissions, less the process's umask.
  package init?(_ path: String, mode: mode_t = 0o600) {
    self.path = path
    // Random: containers that share a folder have processes of the same number. Short: a name may be as long as the
    // file system takes.
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    Self.removeAbandoned(in: folder)
    let number = String(UInt64.random(in: Self.numbers), radix: 36)
    temporary = "\(folder)\(Self.prefix)\(number)"
    descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else {
      isCommitted = true
      return nil
    }
    // The lock says that the file is being written. Some file systems have none.
    flock(descriptor, LOCK_EX | LOCK_NB)
  }

  private static let prefix = ".cuecoach~"
  /// Those of 13 digits.
  private static let numbers = 4_738_381_338_321_616_896...UInt64.max
  /// Seconds. A file younger than that may have no lock yet.
  private static let patience = 3600

  /// Removes what writers have left that were killed.
  ///
  /// - Parameter folder: empty, or with a slash at its end.
  private static func removeAbandoned(in folder: String) {
    for name in Folder.names(in: folder.isEmpty ? "." : folder, from: prefix) {
      guard let number = UInt64(name.dropFirst(prefix.count), radix: 36), numbers ~= number,
        name == prefix + String(number, radix: 36)
      else { continue }
      let path = folder + name
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var info = stat()
      guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
        info.st_uid == geteuid(), info.st_mtim.tv_sec < time(nil) - patience,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      unlink(path)
    }
  }

  deinit {
    // Whoever asks why it failed does so afterwards.
    let reason = errno
    if descriptor >= 0 { close(descriptor) }
    if !isCommitted { unlink(temporary) }
    errno = reason
  }

  /// Makes the folders that lead to a file, where they are missing; false where that fails, and `errno` says why.
  ///
  /// - Parameter mode: their permissions, less the process's umask.
  @discardableResult
  package static func makeFolders(for path: String, mode: mode_t) -> Bool {
    var isThere = true
    for slash in path.indices where path[slash] == "/" && slash > path.startIndex {
      isThere = mkdir(String(path[..<slash]), mode) == 0 || errno == EEXIST
    }
    return isThere
  }

  /// Writes all bytes; false where that fails, and `errno` says why.
  package func write(_ bytes: some Collection<UInt8>) -> Bool {
    Array(bytes).withUnsafeBytes { Descriptor.write(descriptor, $0) }
  }

  /// Another descriptor of the file, which its caller closes; negative where there are no more.
  package func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

  /// Gives the file its name; false where that fails, and `errno` says why.
  ///
  /// - Parameters:
  ///   - isReplacing: false where a file that has the name stays: of two at once the first gets it, and the other's
  ///     `errno` is EEXIST.
  ///   - isDurable: whether its bytes are on the disk before it has the name, and the name when this returns.
  package func commit(isReplacing: Bool = true, isDurable: Bool = false) -> Bool {
    if isDurable, fsync(descriptor) != 0 { return false }
    // A hard link does not replace.
    guard isReplacing else { return link(temporary, path) == 0 && (!isDurable || syncFolder()) }
    isCommitted = rename(temporary, path) == 0
    return isCommitted && (!isDurable || syncFolder())
  }

  private func syncFolder() -> Bool {
    let folder = open(
      path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC
    )
    guard folder >= 0 else { return false }
    defer { close(folder) }
    // Some file systems of networks cannot.
    return fsync(folder) == 0 || errno == EINVAL
  }
}
