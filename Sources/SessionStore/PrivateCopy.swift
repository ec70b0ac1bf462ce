import FoundationEssentials
import Glibc

/// A copy of a database and its journal, in a folder that only this user can open.
struct PrivateCopy {
  let folder: String

  /// Folders that may have room for one: temporary files, or memory.
  static var places: [String] { [FileManager.default.temporaryDirectory.path, "/dev/shm"] }

  /// Copies to the first of `places` that has room.
  init(of path: String, to places: [String]) throws(StoreError) {
    var failure = ""
    for place in places {
      var name = Array("\(place)/cuecoach-XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil else {
        failure = "no copy can be made in \(place): \(FileLock.systemError)"
        continue
      }
      let folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      do {
        let new = "\(folder)/\(SessionStore.fileName)"
        try Self.copy(path, to: new)
        if access(path + "-wal", F_OK) == 0 { try Self.copy(path + "-wal", to: new + "-wal") }
        self.folder = folder
        return
      } catch {
        failure = "it cannot be copied to \(place)"
        try? FileManager.default.removeItem(atPath: folder)
      }
    }
    throw StoreError(kind: .failed, detail: failure)
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// Without its mode, because the copy must be writable.
  private static func copy(_ path: String, to new: String) throws {
    try Data(contentsOf: URL(fileURLWithPath: path)).write(to: URL(fileURLWithPath: new))
  }
}
