import CueEngine
import IntervalTimeline
import SessionStore
import Synchronization

/// Where the sessions of this user lie, and which of them this process runs.
final class SessionShelf: Sendable {
  /// The store is used by one thread at a time: the main thread until a run begins, the keeper's
  /// then. Nil until it can be opened, and after it was found damaged.
  private struct State {
    var store: SessionStore?
    var locks: LaneLocks?
    /// The lanes of this process that are still to be taken.
    var untaken: [String] = []
    /// What was found on opening and has not been told.
    var notice: String?
  }

  private let folder: String
  /// Protects the store; held while the disk is waited for.
  private let state: Mutex<State>
  /// Opens the store of this user; throws one line where that cannot be done.
  static func open(
    warn: (String) -> Void = { Console.complain($0) }
  ) throws(UserError) -> SessionShelf {
    guard let folder = Installation.state else {
      throw .failed("there is no folder for it; set HOME or XDG_STATE_HOME")
    }
    let shelf = SessionShelf(folder: folder)
    do throws(StoreError) {
      _ = try shelf.withStore { (store: SessionStore) throws(StoreError) in store.notice }
    } catch {
      throw shelf.failure(error)
    }
    if let notice = shelf.takeNotice() { warn(notice) }
    return shelf
  }

  private init(folder: String) {
    self.folder = folder
    state = Mutex(State())
  }

  /// For a workout that runs in any case: where the store cannot be opened it is tried again with
  /// each save. Nil where there is no folder for it.
  static func openForRun(warn: (String) -> Void) -> SessionShelf? {
    do throws(UserError) {
      return try open(warn: warn)
    } catch {
      warn("this workout is not kept, should it be interrupted: \(error.message)")
      return Installation.state.map { SessionShelf(folder: $0) }
    }
  }

  var isOpen: Bool { state.withLock { $0.store != nil } }

  /// Opens the store in a folder; what is damaged gets the time in its name.
  static func open(_ folder: String) throws(StoreError) -> sending SessionStore {
    try SessionStore(folder: folder, date: WallClock.now().filter { $0 != ":" })
  }

  /// Does something with the store. Blocks on the disk.
  private func withStore<Result: Sendable>(
    _ body: (SessionStore) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try state.withLock { state throws(StoreError) in
      if state.store == nil {
        let store = try Self.open(folder)
        if state.locks == nil { state.locks = try LaneLocks(folder: folder) }
        for lane in state.untaken { _ = try state.locks?.take(lane) }
        (state.store, state.untaken) = (store, [])
        state.notice = store.notice
      }
      guard let store = state.store else {
        throw StoreError(kind: .failed, detail: "it is not open")
      }
      do throws(StoreError) {
        return try body(store)
      } catch {
        // The next time it is opened, set aside and begun anew.
        if error.kind == .damaged { state.store = nil }
        throw error
      }
    }
  }

  /// What was found on opening, once, as a line for the person.
  func takeNotice() -> String? {
    let notice = state.withLock { state in
      defer { state.notice = nil }
      return state.notice
    }
    return notice.map { "\(folder)/\(SessionStore.fileName): \($0)".singleLine }
  }

  func save(_ session: StoredSession) throws(StoreError) {
    try withStore { store throws(StoreError) in try store.save(session) }
  }

  func end(_ entry: HistoryEntry) throws(StoreError) {
    try withStore { store throws(StoreError) in try store.end(entry) }
    if let folder = Installation.runtime { LifeSign.remove(folder: folder, session: entry.id) }
  }

  func sessions() throws(UserError) -> [StoredSession] {
    do throws(StoreError) {
      return try withStore { store throws(StoreError) in try store.sessions() }
    } catch {
      throw failure(error)
    }
  }

  /// Takes a lane's name for this process. Returns the process that runs it, if another does.
  func take(_ lane: String) throws(UserError) -> Int32? {
    do throws(StoreError) {
      return try state.withLock { state throws(StoreError) in
        guard let locks = state.locks else {
          state.untaken.append(lane)
          return nil
        }
        return try locks.take(lane)
      }
    } catch {
      throw failure(error)
    }
  }

  /// The process that runs a lane, if another does.
  func holder(of lane: String) throws(UserError) -> Int32? {
    do throws(StoreError) {
      return try state.withLock { state throws(StoreError) in try state.locks?.holder(of: lane) }
    } catch {
      throw failure(error)
    }
  }

  /// Leaves a session alone that cannot be read.
  func setAside(_ id: String, _ why: String) throws(UserError) {
    do throws(StoreError) {
      try withStore { store throws(StoreError) in try store.setAside(id, why) }
    } catch {
      throw failure(error)
    }
  }

  func failure(_ error: StoreError) -> UserError {
    .failed("\(folder)/\(SessionStore.fileName): \(error.detail)".singleLine)
  }
}
