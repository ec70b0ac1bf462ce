import CALSA
import Glibc

/// Notices that sound hardware has come or gone, or that its permissions have changed.
struct HotplugMonitor: ~Copyable {
  /// For poll; -1 while closed, or where the kernel reports no changes.
  private(set) var descriptor: Int32 = -1
  private let folders: [String]

  /// - Parameter folders: the device folder, then the one in which it appears, for while it is missing.
  init(folders: [String] = ["/dev/snd", "/dev"]) { self.folders = folders }

  deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

  mutating func open() {
    guard descriptor < 0 else { return }
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return }
    for folder in folders
    where inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_ATTRIB)) >= 0 { return }
    close()
  }

  mutating func close() {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }

  /// True when something has changed since the last call.
  func hasChanged() -> Bool {
    guard descriptor >= 0 else { return false }
    var isChanged = false
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 { isChanged = true }
    }
    return isChanged
  }
}
