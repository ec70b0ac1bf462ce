import CGlibc
import Glibc
import SystemIO

/// Locks on one file. The kernel releases them when this object or its process ends, however it ends.
///
/// They are open file description locks: two objects of one process exclude each other, and closing
/// another descriptor of the same file releases nothing.
///
/// Every user of the database holds a shared lock on the whole file (`flock`); a program that
/// replaces the database takes an exclusive one. Ranges of its bytes stand for names.
struct FileLock: ~Copyable {
  private let descriptor: Int32

  init(path: String) throws(StoreError) {
    try self.init(
      open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600), path, purpose: "used")
  }

  /// For a read-only folder: `share` and `holder` work, `take` does not.
  init(readOnly path: String) throws(StoreError) {
    try self.init(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), path, purpose: "read")
  }

  /// Files are opened without blocking: the open of a pipe would wait for its other end.
  private init(_ opened: Int32, _ path: String, purpose: String) throws(StoreError) {
    guard opened >= 0 else {
      throw StoreError(kind: .failed, detail: "\(path) cannot be \(purpose): \(Self.systemError)")
    }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw StoreError(
        kind: .failed, detail: "\(path) cannot be \(purpose): expected a regular file")
    }
    descriptor = opened
  }

  deinit { close(descriptor) }

  static var systemError: String { String(cString: strerror(errno)) }

  func share() throws(StoreError) {
    while flock(descriptor, LOCK_SH) != 0 {
      guard errno == EINTR else {
        throw StoreError(kind: .failed, detail: "no lock: \(Self.systemError)")
      }
    }
  }

  /// Returns false if others share it.
  func takeAlone() throws(StoreError) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Locks a name. Returns the process that holds it if another object does.
  func take(_ name: String) throws(StoreError) -> Int32? {
    let wanted = Self.range(of: name, count: getpid())
    while true {
      var lock = wanted
      if fcntl(descriptor, cuecoach_ofd_setlk, &lock) == 0 { return nil }
      guard errno == EACCES || errno == EAGAIN else {
        throw StoreError(kind: .failed, detail: "no lock: \(Self.systemError)")
      }
      // It may have been released meanwhile.
      if let holder = try holder(of: wanted) { return holder }
    }
  }

  /// The process that holds a name, if another object does.
  func holder(of name: String) throws(StoreError) -> Int32? {
    try holder(of: Self.range(of: name, count: 1))
  }

  private func holder(of range: flock) throws(StoreError) -> Int32? {
    var lock = range
    guard fcntl(descriptor, cuecoach_ofd_getlk, &lock) == 0 else {
      throw StoreError(kind: .failed, detail: "no lock: \(Self.systemError)")
    }
    guard lock.l_type != Int16(F_UNLCK) else { return nil }
    // Earlier versions took process locks, for which the kernel reports the process.
    return lock.l_pid >= 0 ? lock.l_pid : Int32(truncatingIfNeeded: lock.l_len)
  }

  /// Releases a name; does nothing if this object does not hold it.
  func release(_ name: String) {
    var lock = Self.range(of: name, count: Self.maximumProcess)
    lock.l_type = Int16(F_UNLCK)
    _ = fcntl(descriptor, cuecoach_ofd_setlk, &lock)
  }

  /// PID_MAX_LIMIT of Linux.
  private static let maximumProcess: Int32 = 1 << 22

  /// The bytes that stand for a name; they need not exist. The holder locks as many bytes as its
  /// process ID, which tells others who it is and leaves nothing behind when it is killed.
  private static func range(of name: String, count: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Int(Checksum.of(name.utf8) & (1 << 62 - 1))
    lock.l_len = Int(count)
    return lock
  }
}

extension FileLock {
  /// Gives a file a second, unused name: `stem`, a number if that is taken, `end`. A name that
  /// already leads to this file is accepted.
  static func link(
    _ path: String, _ stem: String, _ end: String
  ) throws(StoreError) -> String {
    for number in 1...1000 {
      let name = number == 1 ? stem + end : "\(stem)-\(number)\(end)"
      if Glibc.link(path, name) == 0 { return name }
      guard errno == EEXIST else { break }
      if isSame(path, name) { return name }
    }
    throw StoreError(
      kind: .failed, detail: "it is damaged and cannot be set aside: \(systemError)")
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    var (a, b) = (stat(), stat())
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_ino == b.st_ino
      && a.st_dev == b.st_dev
  }

  /// Replaces a file by a complete one, durably.
  static func put(_ new: String, inPlaceOf path: String) throws(StoreError) {
    guard rename(new, path) == 0 else {
      throw StoreError(
        kind: .failed, detail: "it is damaged and cannot be replaced: \(systemError)")
    }
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = Glibc.open(String(path[..<end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }
}

/// Locks on lane names: of two objects that take the same name, even in one process, only one gets
/// it.
///
/// Used by one thread at a time. No call waits for another holder.
package final class LaneLocks {
  private let lock: FileLock

  /// - Parameter folder: created by `SessionStore`.
  package init(folder: String) throws(StoreError) {
    lock = try FileLock(path: "\(folder)/lanes.lock")
  }

  /// The process that holds a name in `folder`, which may be read-only; nil also if that cannot be
  /// read.
  package static func holder(of lane: String, in folder: String) -> Int32? {
    guard let lock = try? FileLock(readOnly: "\(folder)/lanes.lock") else { return nil }
    return try? lock.holder(of: lane)
  }

  /// Takes a name until `release`, or until this object or its process ends. Taking it again
  /// changes nothing. Returns the process that holds it if another object does.
  package func take(_ lane: String) throws(StoreError) -> Int32? { try lock.take(lane) }

  /// The process that holds a name, if another object does.
  package func holder(of lane: String) throws(StoreError) -> Int32? { try lock.holder(of: lane) }

  package func release(_ lane: String) { lock.release(lane) }
}
