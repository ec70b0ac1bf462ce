import Glibc
import SystemIO

/// How a session has ended that the disk did not take: its entry of the history, in a file on a file system in
/// memory, beside its heartbeat. Whoever opens the store next writes it there.
///
/// - Parameters:
///   - folder: of the heartbeats, which is that of several stores where a user has several.
///   - store: the folder of the store that the note is for.
package struct EndNote {
  private let folder: String
  private let suffix: String

  package init(folder: String, store: String) {
    self.folder = folder
    suffix = ".\(UInt64(bitPattern: Checksum.of(store.utf8))).ended"
  }

  /// Bytes; an entry has some hundreds, and some dozens for each phase.
  private static let largest = 262_144

  /// Does nothing where the file cannot be written.
  package func write(_ entry: HistoryEntry) {
    mkdir(folder, 0o700)
    guard let file = AtomicFile("\(folder)/\(entry.id)\(suffix)") else { return }
    if file.write(HistoryFile.bytes(of: [entry])) { _ = file.commit() }
  }

  /// Those that can be read.
  package func entries() -> [HistoryEntry] {
    Folder.names(in: folder).filter { $0.hasSuffix(suffix) }
      .flatMap { Self.read("\(folder)/\($0)") }
  }

  private static func read(_ path: String) -> [HistoryEntry] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: largest)
    let count = Glibc.read(file, &bytes, largest)
    guard count > 0 else { return [] }
    return (try? HistoryFile.entries(in: Array(bytes.prefix(count)))) ?? []
  }

  /// The session is in the history.
  package func remove(_ session: String) {
    unlink("\(folder)/\(session)\(suffix)")
  }
}
