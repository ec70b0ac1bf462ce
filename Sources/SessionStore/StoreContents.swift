import FoundationEssentials
import Glibc

/// The contents of a state folder, read at once without changing anything.
///
/// The folder may be read-only: on a read-only file system, in a backup or in another user's home.
/// A writable one is opened and repaired as a run does.
package struct StoreContents: Sendable {
  /// The sessions that have not ended, in the order of their start.
  package private(set) var sessions: [StoredSession]
  /// The sessions that have ended, the latest first.
  package private(set) var history: [HistoryEntry]
  /// The number of damaged rows of the history that are left out.
  package let damaged: Int
  /// What was found damaged, or is missing here, in one line.
  package let notice: String?
  /// False if stored data may be missing here without being damaged; `notice` says which.
  package let isWhole: Bool

  /// Reads `folder`; blocks on the disk. Throws as `SessionStore` does, and `failed` if the
  /// database cannot be read either.
  ///
  /// - Parameter runtimeFolder: of the ends that the disk has not taken, which count.
  package init(
    folder: String, runtimeFolder: String? = nil, date: @autoclosure () -> String
  ) throws(StoreError) {
    try self.init(folder, date: date())
    guard let runtimeFolder else { return }
    for entry in EndNote(folder: runtimeFolder, store: folder).entries() {
      sessions.removeAll { $0.id == entry.id }
      guard !history.contains(where: { $0.id == entry.id }) else { continue }
      let place = history.firstIndex { $0.startedAt < entry.startedAt } ?? history.endIndex
      history.insert(entry, at: place)
    }
  }

  private init(_ folder: String, date: @autoclosure () -> String) throws(StoreError) {
    do throws(StoreError) {
      self = try Self.opened(folder, date: date())
    } catch {
      guard error.kind == .failed else { throw error }
      // The first error says more than the failure of this attempt.
      do throws(StoreError) {
        self = try Self.untouched(folder)
      } catch let second {
        throw second.kind == .failed ? error : second
      }
    }
  }

  private init(
    sessions: [StoredSession], history: [HistoryEntry], damaged: Int, notice: String?,
    isWhole: Bool
  ) {
    self.sessions = sessions
    self.history = history
    self.damaged = damaged
    self.notice = notice
    self.isWhole = isWhole
  }

  /// Opens it as a run does.
  private static func opened(_ folder: String, date: String) throws(StoreError) -> StoreContents {
    let store = try SessionStore(folder: folder, date: date)
    let history = try store.past.entries()
    return StoreContents(
      sessions: try store.sessions(), history: history.entries, damaged: history.damaged,
      notice: store.notice, isWhole: true)
  }

  /// Reads without changing anything in `folder`.
  ///
  /// - Parameter places: folders for a temporary copy.
  static func untouched(
    _ folder: String, places: [String] = PrivateCopy.places
  ) throws(StoreError) -> StoreContents {
    let path = "\(folder)/\(SessionStore.fileName)"
    try Database.checkFiles(path)
    // A journal and its index exist while a program writes, and after one was killed. SQLite needs
    // write access to read a journal without its index, and to rescue rows, so that happens in a
    // copy.
    let hasIndex = access(path + "-shm", F_OK) == 0
    do throws(StoreError) {
      if hasIndex { return try read(Database(path: path, .readOnly)) }
      if !hasJournal(path) { return try read(Database(path: path, .immutable)) }
    } catch {
      guard error.kind != .newer else { throw error }
    }
    let copy: PrivateCopy
    do throws(StoreError) {
      copy = try PrivateCopy(of: path, to: places)
    } catch {
      let notice = "what was kept last is not shown: \(error.detail)"
      return try read(Database(path: path, .immutable), notice: notice)
    }
    defer { copy.remove() }
    return try copied(copy.folder)
  }

  private static func copied(_ folder: String) throws(StoreError) -> StoreContents {
    let store = try SessionStore(folder: folder, date: "copy")
    let history = try store.past.entries()
    let saved = store.saved.map {
      "it is damaged and cannot be mended there; \($0.text("can be read"))"
    }
    return StoreContents(
      sessions: try store.sessions(), history: history.entries, damaged: history.damaged,
      notice: saved ?? store.notice, isWhole: true)
  }

  /// - Parameter notice: why something is missing here.
  private static func read(
    _ database: Database, notice: String? = nil
  ) throws(StoreError) -> StoreContents {
    guard try !SessionStore.isEmpty(database) else {
      return StoreContents(
        sessions: [], history: [], damaged: 0, notice: notice, isWhole: notice == nil)
    }
    try SessionStore.checkKind(database)
    try SessionStore.checkWhole(database)
    let history = try EndedSessions(database).entries()
    let sessions = try SessionStore.sessions(in: database)
    let damaged =
      sessions.damaged > 0 ? SessionStore.notice(ofDamaged: sessions.damaged) : nil
    return StoreContents(
      sessions: sessions.whole, history: history.entries, damaged: history.damaged,
      notice: notice ?? damaged, isWhole: notice == nil)
  }

  private static func hasJournal(_ path: String) -> Bool {
    var status = stat()
    return stat(path + "-wal", &status) == 0 && status.st_size > 0
  }
}
