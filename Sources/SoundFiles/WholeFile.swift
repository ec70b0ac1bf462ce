import CSndFile
import Glibc
import SystemIO

/// A file that appears whole or not at all: it has no name until `commit`.
///
/// Where the file system has no nameless files, it has another name until then. A device, and a file in a folder
/// that takes no new ones, are written to as they are. Used by one thread at a time.
final class WholeFile {
  /// Of the first call that failed; 0: none.
  private(set) var failure: Int32 = 0
  /// False for a device, where a place cannot be passed over.
  let isRegular: Bool
  private let descriptor: Int32
  /// What is replaced: where the name is a link, the file behind it.
  private let target: String
  /// The file's name until `commit`; nil where it has none.
  private var temporary: String?
  private var isWaiting: Bool

  /// From the kernel's headers, as a macro that Swift does not import.
  private static let nameless = 0o20_000_000 | O_DIRECTORY

  /// Throws where the file cannot be written; nothing has changed then.
  init(_ path: String) throws(SoundFileError) {
    let refusal = { SoundFileError(path: path, detail: String(cString: strerror(errno))) }
    let target = Self.behindLinks(path)
    self.target = target
    var info = stat()
    let isThere = stat(target, &info) == 0
    isRegular = !isThere || info.st_mode & S_IFMT == S_IFREG
    guard isRegular else {
      let file = open(target, O_WRONLY | O_CLOEXEC)
      if file < 0 { throw refusal() }
      (descriptor, isWaiting) = (file, false)
      return
    }
    // A file that may not be written is not replaced either.
    if isThere, access(target, W_OK) != 0 { throw refusal() }
    let mode = isThere ? info.st_mode & 0o777 : 0o644
    let end = target.lastIndex(of: "/")
    let folder = end.map { String(target[...$0]) } ?? "."
    let other = "\(target).\(getpid()).part"
    var file: Int32 = -1
    // It gets its name through /proc.
    if access("/proc/self/fd", F_OK) == 0 {
      file = open(folder, Self.nameless | O_RDWR | O_CLOEXEC, mode)
    }
    if file < 0 {
      file = open(other, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if file >= 0 { temporary = other }
    }
    isWaiting = file >= 0
    if file < 0, isThere { file = open(target, O_RDWR | O_TRUNC | O_CLOEXEC) }
    if file < 0 { throw refusal() }
    descriptor = file
    if isThere { fchmod(file, mode) }
  }

  private static func behindLinks(_ path: String) -> String {
    guard let name = realpath(path, nil) else { return path }
    defer { free(name) }
    return String(cString: name)
  }

  deinit {
    close(descriptor)
    if isWaiting, let temporary { unlink(temporary) }
  }

  /// Gives the file its name; one that has it is replaced. False where that fails: `failure` says why.
  func commit() -> Bool {
    guard failure == 0 else { return false }
    guard isWaiting else { return true }
    let name = temporary ?? "\(target).\(getpid()).part"
    if temporary == nil {
      // Some file systems write a file to the disk at once when it replaces another one. An empty one makes room
      // without a loss.
      var info = stat()
      let isFree = stat(target, &info) != 0 || (info.st_size == 0 && unlink(target) == 0)
      let link = "/proc/self/fd/\(descriptor)"
      guard
        linkat(AT_FDCWD, link, AT_FDCWD, isFree ? target : name, AT_SYMLINK_FOLLOW) == 0
      else { return fail() }
      if isFree {
        isWaiting = false
        return true
      }
      temporary = name
    }
    guard rename(name, target) == 0 else { return fail() }
    isWaiting = false
    return true
  }

  private func fail() -> Bool {
    if failure == 0 { failure = errno }
    return false
  }

  // MARK: For libsndfile

  /// Its encoders do not report that a write has failed; `failure` does.
  static var calls: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { file in
        var info = stat()
        return fstat(WholeFile.of(file).descriptor, &info) == 0 ? Int64(info.st_size) : -1
      },
      seek: { offset, origin, file in
        Int64(lseek(WholeFile.of(file).descriptor, off_t(offset), origin))
      },
      read: { bytes, count, file in
        Int64(Glibc.read(WholeFile.of(file).descriptor, bytes, Int(count)))
      },
      write: { bytes, count, file in
        WholeFile.of(file).write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
      },
      tell: { file in Int64(lseek(WholeFile.of(file).descriptor, 0, SEEK_CUR)) })
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> WholeFile {
    Unmanaged<WholeFile>.fromOpaque(pointer!).takeUnretainedValue()
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    Descriptor.write(descriptor, bytes) || fail() ? Int64(bytes.count) : 0
  }
}
