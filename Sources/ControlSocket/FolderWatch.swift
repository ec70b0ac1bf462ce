import CGlibc
import Glibc

/// Notices that something was removed from some folders, or a folder itself: a descriptor to be waited for,
/// which wakes nobody before.
final class FolderWatch {
  /// Readable when something was removed; below zero where the system has no watch left.
  let descriptor: Int32

  /// - Parameter folders: those that are missing are passed over.
  init(_ folders: Set<String>) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return }
    let events = IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF
    for folder in folders { _ = inotify_add_watch(descriptor, folder, UInt32(events)) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes what was noticed, so that the descriptor is not readable until more is removed.
  func clear() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
