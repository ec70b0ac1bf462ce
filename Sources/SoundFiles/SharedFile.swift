import Glibc
import Instants
import SystemIO

/// A file that several programs write, one at a time, and that each of them may replace by another. A lock of a file that
/// has been replaced is of no use: it is let go, and that of the new one is taken.
struct SharedFile {
  enum Lock {
    case held
    /// Of another file than before: nothing that was read is true of it.
    case heldOfAnother
    /// Another program has it.
    case busy
    /// `errno` says why.
    case failed
  }

  let path: String
  /// What a file of ours begins with.
  let mark: [UInt8]
  /// -1: not opened, or not available.
  private(set) var descriptor: Int32 = -1

  init(_ path: String, mark: [UInt8]) { (self.path, self.mark) = (path, mark) }

  mutating func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// Opens the file if such a program made it; for reading where it cannot be written.
  mutating func open() -> Bool {
    // Not blocking: opening a pipe of that name would wait.
    let flags = O_CLOEXEC | O_NONBLOCK
    descriptor = Glibc.open(path, O_RDWR | flags)
    if descriptor < 0, errno == EACCES || errno == EROFS {
      descriptor = Glibc.open(path, O_RDONLY | flags)
    }
    guard descriptor >= 0 else { return false }
    var info = stat()
    var found = [UInt8](repeating: 0, count: mark.count)
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
      found.withUnsafeMutableBytes({ Descriptor.read(descriptor, into: $0, at: 0) }), found == mark
    else {
      close()
      return false
    }
    return true
  }

  /// Opens the file that another program has put in place of this one. False where none has.
  mutating func follow() -> Bool {
    var other = SharedFile(path, mark: mark)
    guard !isInPlace, other.open() else { return false }
    close()
    self = other
    return true
  }

  /// Locks the file, which is made where it is missing or not ours.
  ///
  /// - Parameter patience: how long another program is waited for.
  mutating func lock(within patience: Duration) -> Lock {
    let deadline = MachineTime.monotonic + patience.wholeNanoseconds
    var isAnother = false
    while true {
      if descriptor < 0 {
        guard open() || create() else { return .failed }
        isAnother = true
      }
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        guard errno == EWOULDBLOCK || errno == EINTR else { return .failed }
        guard MachineTime.monotonic < deadline else { return .busy }
        usleep(5000)
      }
      if isInPlace { return isAnother ? .heldOfAnother : .held }
      close()
    }
  }

  func unlock() { flock(descriptor, LOCK_UN) }

  private var isInPlace: Bool {
    var (own, other) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &other) == 0
      && own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }

  private mutating func create() -> Bool {
    let folder = Folder.of(path)
    for missing in [Folder.of(folder), folder] where mkdir(missing, 0o700) != 0 && errno != EEXIST {
      return false
    }
    var info = stat()
    let isFree = lstat(path, &info) != 0
    if replace(onlyIfFree: isFree, { _ in true }) { return true }
    // Another program was faster.
    return errno == EEXIST && open()
  }

  /// Puts a file with the mark, and what `fill` writes behind it, in place of the one that is locked, and holds the lock of
  /// the new one. False where that fails, and `errno` says why.
  mutating func replace(onlyIfFree: Bool = false, _ fill: (Int32) -> Bool) -> Bool {
    guard let new = AtomicFile(path),
      mark.withUnsafeBytes({ Descriptor.write(new.descriptor, $0, at: 0) }),
      fill(new.descriptor), flock(new.descriptor, LOCK_EX | LOCK_NB) == 0
    else { return false }
    // Some file systems have no hard links.
    guard new.commit(isReplacing: !onlyIfFree) || onlyIfFree && errno != EEXIST && new.commit()
    else { return false }
    close()
    descriptor = new.duplicate()
    return descriptor >= 0
  }
}
