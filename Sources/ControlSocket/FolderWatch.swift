import CGlibc
import Glibc

/// Notices that something was removed from some folders, or a folder itself: a descriptor to be waited for,
/// which wakes nobody before.
package final class FolderWatch {
  /// Readable when something was removed; below zero without a folder, and where the system has no watch left.
  package let descriptor: Int32
  /// Each folder is watched: none is missing.
  package private(set) var isComplete = false

  /// - Parameters:
  ///   - folders: those that are missing are passed over.
  ///   - seesWriting: a file that was written or has come is noticed too.
  ///   - seesMaking: so is one that was made, such as a device, or has got other permissions.
  package init(_ folders: Set<String>, seesWriting: Bool = false, seesMaking: Bool = false) {
    guard !folders.isEmpty else {
      (descriptor, isComplete) = (-1, true)
      return
    }
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return }
    let removed = IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF
    let written = seesWriting ? IN_CLOSE_WRITE | IN_MOVED_TO : 0
    let made = seesMaking ? IN_CREATE | IN_ATTRIB | IN_MOVED_TO : 0
    let events = removed | written | made
    let watched = folders.filter { inotify_add_watch(descriptor, $0, UInt32(events)) >= 0 }
    isComplete = watched == folders
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes what was noticed, so that the descriptor is not readable until there is more. False: there was nothing.
  @discardableResult
  package func clear() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var hasNoticed = false
    while read(descriptor, &bytes, bytes.count) > 0 { hasNoticed = true }
    return hasNoticed
  }
}
