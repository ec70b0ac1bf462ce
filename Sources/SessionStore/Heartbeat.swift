import Glibc
import IntervalTimeline

/// When a program was last alive, in a file on a file system in memory: it survives the program but
/// not a reboot, and causes no disk wear.
///
/// What was due until then was heard, however old the stored session is.
package final class Heartbeat: Sendable {
  /// One instant; nil if the file could not be created. Written by one thread, read by other
  /// programs.
  private nonisolated(unsafe) let memory: UnsafeMutablePointer<Int64>?

  private static let size = MemoryLayout<Int64>.size

  /// - Parameters:
  ///   - folder: on a file system in memory; created if it is missing.
  ///   - session: the id of its session.
  package init(folder: String, session: String) {
    let path = "\(folder)/\(session)"
    mkdir(folder, 0o700)
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    // Allocated in advance: writing to a hole would crash the program when memory is full.
    guard file >= 0, posix_fallocate(file, 0, Self.size) == 0,
      let page = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      page != MAP_FAILED
    else {
      memory = nil
      if file >= 0 { close(file) }
      return
    }
    close(file)
    memory = page.bindMemory(to: Int64.self, capacity: 1)
  }

  deinit { if let memory { munmap(memory, Self.size) } }

  package func beat(at now: BootInstant) { memory?.pointee = now.nanoseconds }

  /// Removes the heartbeat of a session that is over.
  package static func remove(folder: String, session: String) { unlink("\(folder)/\(session)") }

  /// When the program of a session was last alive; nil if unknown.
  package static func last(folder: String, session: String) -> BootInstant? {
    let file = open("\(folder)/\(session)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var instant: Int64 = 0
    guard pread(file, &instant, size, 0) == size, instant > 0 else { return nil }
    return BootInstant(nanoseconds: instant)
  }
}
