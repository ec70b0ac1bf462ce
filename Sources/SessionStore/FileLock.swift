import Glibc

/// Locks on one file, let go of by the kernel when the process ends, however it does.
///
/// The whole file is shared by everybody who uses the database, and taken alone by whoever replaces
/// it. Bytes of it stand for names.
struct FileLock: ~Copyable {
  private let descriptor: Int32

  init(path: String) throws(StoreError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(kind: .failed, detail: "\(path) cannot be used: \(Self.systemError)")
    }
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

  /// False where others share it.
  func takeAlone() throws(StoreError) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Takes the byte that stands for `name`. Returns the process that holds it, if it is another's.
  func take(_ name: String) throws(StoreError) -> Int32? {
    var lock = byte(of: name)
    while fcntl(descriptor, F_SETLK, &lock) != 0 {
      guard errno == EACCES || errno == EAGAIN else {
        throw StoreError(kind: .failed, detail: "no lock: \(Self.systemError)")
      }
      // It may have been let go of meanwhile.
      if let holder = try holder(of: name) { return holder }
    }
    return nil
  }

  /// The process that has the byte of `name`, if it is another's.
  func holder(of name: String) throws(StoreError) -> Int32? {
    var lock = byte(of: name)
    guard fcntl(descriptor, F_GETLK, &lock) == 0 else {
      throw StoreError(kind: .failed, detail: "no lock: \(Self.systemError)")
    }
    return lock.l_type == Int16(F_UNLCK) ? nil : lock.l_pid
  }

  func letGo(_ name: String) {
    var lock = byte(of: name)
    lock.l_type = Int16(F_UNLCK)
    _ = fcntl(descriptor, F_SETLK, &lock)
  }

  private func byte(of name: String) -> flock {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Int(Checksum.of(name.utf8) & (1 << 62 - 1))
    lock.l_len = 1
    return lock
  }
}

extension FileLock {
  /// Gives a file a second name that nothing has: `stem`, a number where it is taken, `end`. One
  /// that is that file already will do.
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

  /// Renames a file that is whole over another, for good.
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

/// Says which process runs the session of which name: two never run the same one.
public final class LaneLocks {
  private let lock: FileLock

  /// - Parameter folder: made by `SessionStore`.
  public init(folder: String) throws(StoreError) {
    lock = try FileLock(path: "\(folder)/lanes.lock")
  }

  /// Takes a name until the process ends. Returns the process that has it, if it is another.
  public func take(_ lane: String) throws(StoreError) -> Int32? { try lock.take(lane) }

  /// The process that has a name, if it is another.
  public func holder(of lane: String) throws(StoreError) -> Int32? { try lock.holder(of: lane) }

  public func letGo(_ lane: String) { lock.letGo(lane) }
}
