import CueEngine
import Glibc
import IntervalTimeline
import SessionStore
import Synchronization

/// The sessions in a state folder, and which of them this process runs. Any thread; its methods block on the
/// disk.
public final class SessionRepository: Sendable {
  /// Nil until it can be opened, and after it was found damaged. It is used by one thread at a
  /// time: the main thread until a run begins, the saver's queue afterwards.
  private struct State {
    var store: SessionStore?
    /// The file that the store has open.
    var file: FileIdentity?
    var locks: LaneLocks?
    /// The names that this process has locked, and how many of its lanes have each: one that fades out
    /// and its successor may have the same.
    var taken: [String: Int] = [:]
    /// What was found when opening the store and has not been reported.
    var notice: String?
    var openingFailure: String?
    /// The file was removed while it was open, and has not been created again yet.
    var isRemoved = false
  }

  private let folder: String
  private var path: String { "\(folder)/\(SessionStore.fileName)" }
  /// A folder in memory, for heartbeats; nil: how long a program was alive is unknown afterwards.
  private let runtimeFolder: String?
  /// Protects the store; held during disk access.
  private let state: Mutex<State>
  /// Protects the ids of the sessions that the saver stores until their end.
  private let live = Mutex<Set<String>>([])

  /// Opens the store in `folder`, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - folder: of the database, which other processes may use as well.
  ///   - runtimeFolder: on a file system in memory; holds a heartbeat for each session.
  ///   - isOptional: true to go on without a store that cannot be opened. Each save tries again,
  ///     and `openingFailure` says why.
  public init(
    folder: String, runtimeFolder: String?, isOptional: Bool = false
  ) throws(HostError) {
    self.folder = folder
    self.runtimeFolder = runtimeFolder
    state = Mutex(State())
    do throws(StoreError) {
      _ = try withStore { (store: SessionStore) throws(StoreError) in store.notice }
    } catch {
      guard isOptional else { throw failure(error) }
      let line = failure(error).description
      state.withLock { $0.openingFailure = line }
    }
  }

  /// Why the store could not be opened at first; nil if it could.
  public var openingFailure: String? { state.withLock { $0.openingFailure } }

  /// Whether the store is open now: false until it can be opened.
  public var isOpen: Bool { state.withLock { $0.store != nil } }

  /// Opens the store in a folder. A damaged database is renamed, with the time in its name.
  ///
  /// - Parameter runtimeFolder: where the ends are noted that the disk has not taken; they are stored.
  package static func open(
    _ folder: String, runtimeFolder: String?
  ) throws(StoreError) -> sending SessionStore {
    let store = try SessionStore(folder: folder, date: WallClock.now().filter { $0 != ":" })
    if let runtimeFolder {
      for entry in EndNote(folder: runtimeFolder, store: folder).entries() {
        // Where the disk is still full, the next opening tries again.
        guard (try? store.end(entry)) != nil else { break }
        forget(entry.id, of: folder, in: runtimeFolder)
      }
    }
    return store
  }

  private var endNotes: EndNote? { runtimeFolder.map { EndNote(folder: $0, store: folder) } }

  /// The session is in the history.
  private static func forget(_ id: String, of folder: String, in runtimeFolder: String) {
    Heartbeat.remove(folder: runtimeFolder, session: id)
    EndNote(folder: runtimeFolder, store: folder).remove(id)
  }

  /// Runs `body` with the store. Blocks on the disk.
  private func withStore<Result: Sendable>(
    _ body: (SessionStore) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try state.withLock { state throws(StoreError) in
      if state.store != nil, FileIdentity(path) != state.file {
        (state.store, state.locks, state.isRemoved) = (nil, nil, true)
      }
      if state.store == nil {
        let store = try Self.open(folder, runtimeFolder: runtimeFolder)
        if state.locks == nil {
          let locks = try LaneLocks(folder: folder)
          for lane in state.taken.keys { _ = try locks.take(lane) }
          state.locks = locks
        }
        (state.store, state.file) = (store, FileIdentity(path))
        state.notice =
          state.isRemoved
          ? "it was removed while workouts ran, and has been created again" : store.notice
        state.isRemoved = false
      }
      guard let store = state.store else {
        throw StoreError(kind: .failed, detail: "it is not open")
      }
      do throws(StoreError) {
        return try body(store)
      } catch {
        // Opening it again sets the damaged file aside and begins a new one.
        if error.kind == .damaged { state.store = nil }
        throw error
      }
    }
  }

  /// What was found when opening the store: one line for the user, returned once.
  package func takeNotice() -> String? {
    let notice = state.withLock { state in
      defer { state.notice = nil }
      return state.notice
    }
    return notice.map { "\(path): \($0)".singleLine }
  }

  func save(_ session: StoredSession) throws(StoreError) {
    try withStore { store throws(StoreError) in try store.save(session) }
  }

  func end(_ entry: HistoryEntry) throws(StoreError) {
    try withStore { store throws(StoreError) in try store.end(entry) }
    if let runtimeFolder { Self.forget(entry.id, of: folder, in: runtimeFolder) }
  }

  /// The disk has not taken the end of a session: it is noted in memory, for whoever opens the store next.
  func note(_ entry: HistoryEntry) {
    endNotes?.write(entry)
  }

  /// Whether an end is kept in memory until the disk takes it.
  package var hasNotes: Bool { !noted.isEmpty }

  /// The ids of the sessions that have ended though the store has not got that.
  private var noted: Set<String> {
    Set(endNotes?.entries().map(\.id) ?? [])
  }

  /// A heartbeat for a session of this process.
  func heartbeat(of id: String) -> Heartbeat? {
    runtimeFolder.map { Heartbeat(folder: $0, session: id) }
  }

  /// When the program of a session was last alive; nil if unknown.
  func lastAlive(_ id: String) -> BootInstant? {
    runtimeFolder.flatMap { Heartbeat.last(folder: $0, session: id) }
  }

  /// Releases the name of a lane that `claim` has counted.
  package func release(_ lane: String) {
    state.withLock { state in
      let others = (state.taken[lane] ?? 0) - 1
      state.taken[lane] = others > 0 ? others : nil
      if others <= 0 { state.locks?.release(lane) }
    }
  }

  /// From now on the saver stores the session: what is stored of it is no interrupted one.
  func addLive(_ id: String) { live.withLock { _ = $0.insert(id) } }

  /// The session is in the history, or was never stored.
  func removeLive(_ id: String) { live.withLock { _ = $0.remove(id) } }

  /// Releases every name.
  func releaseAll() {
    state.withLock { state in
      for lane in state.taken.keys { state.locks?.release(lane) }
      state.taken = [:]
    }
    live.withLock { $0 = [] }
  }

  /// Those that no lane of this process continues.
  package func interrupted() throws(HostError) -> [StoredSession] {
    // Before the store is read: a session that ends meanwhile is in neither.
    let live = live.withLock { $0 }
    return try sessions().filter { !live.contains($0.id) }
  }

  /// Every stored session that has not ended, also those that this process runs, in the order of their start.
  ///
  /// - Throws: `HostError` of the kind `store`.
  public func sessions() throws(HostError) -> [StoredSession] {
    do throws(StoreError) {
      let sessions = try withStore { store throws(StoreError) in try store.sessions() }
      let noted = noted
      return sessions.filter { !noted.contains($0.id) }
    } catch {
      throw failure(error)
    }
  }

  /// The sessions that are over, the latest first.
  ///
  /// - Throws: `HostError` of the kind `store`.
  public func history() throws(HostError) -> [HistoryEntry] {
    do throws(StoreError) {
      return try withStore { store throws(StoreError) in try store.past.entries().entries }
    } catch {
      throw failure(error)
    }
  }

  /// Asks the history, or changes it. On disk when it returns.
  ///
  /// - Throws: `HostError` of the kind `store`.
  package func withHistory<Result: Sendable>(
    _ body: (EndedSessions) throws(StoreError) -> Result
  ) throws(HostError) -> Result {
    try withHostErrors { store throws(StoreError) in try body(store.past) }
  }

  /// Locks a name for this process. Returns the other process that has it, if any.
  package func take(_ lane: String) throws(HostError) -> Int32? { try take(lane, lanes: 0) }

  /// - Parameter count: how many lanes of this process have the name from now on, besides others.
  private func take(_ lane: String, lanes count: Int) throws(HostError) -> Int32? {
    do throws(StoreError) {
      return try state.withLock { state throws(StoreError) in
        // Without a store yet, the name is locked when the store is opened.
        let process = try state.locks?.take(lane)
        if process == nil { state.taken[lane, default: 0] += count }
        return process
      }
    } catch {
      throw failure(error)
    }
  }

  /// Claims a name for this process; throws if another process has it.
  ///
  /// - Parameter isForLane: counts a lane that is going to have it; `release` ends that.
  func claim(_ lane: String, isForLane: Bool = false) throws(HostError) {
    guard let process = try take(lane, lanes: isForLane ? 1 : 0) else { return }
    throw HostError(
      .nameInUse(by: process), "\"\(lane.singleLine)\" is being run by process \(process)")
  }

  /// The other process that runs a lane, if any.
  package func holder(of lane: String) throws(HostError) -> Int32? {
    do throws(StoreError) {
      return try state.withLock { state throws(StoreError) in try state.locks?.holder(of: lane) }
    } catch {
      throw failure(error)
    }
  }

  // MARK: Starts

  /// Stores a workout that is to begin later. On disk when it returns.
  package func save(_ start: SessionIdentity) throws(HostError) {
    try withHostErrors { store throws(StoreError) in try store.save(start) }
  }

  /// What is to begin, the earliest first, and the number of damaged rows left out.
  package func starts() throws(HostError) -> (starts: [SessionIdentity], damaged: Int) {
    try withHostErrors { store throws(StoreError) in try store.starts() }
  }

  /// Deletes the starts of which nothing can be read.
  package func removeDamagedStarts() throws(HostError) {
    try withHostErrors { store throws(StoreError) in try store.removeDamagedStarts() }
  }

  /// A start is not wanted any more. On disk when it returns.
  package func withdrawStart(_ id: String) throws(HostError) {
    try withHostErrors { store throws(StoreError) in try store.withdrawStart(id) }
  }

  /// A start whose time has passed is one of the history's entries.
  package func miss(_ start: SessionIdentity) throws(HostError) {
    let phases = (try? Timeline(start.workout))?.count ?? 0
    let summary = SessionSummary(
      phases: phases, phasesDone: 0, phasesSkipped: 0, sets: 0, setsDone: 0, setsSkipped: 0,
      elapsed: .zero, pauses: .zero, pauseCount: 0)
    var entry = HistoryEntry(
      id: start.id, lane: start.lane, workout: start.workout.name, outcome: .missed,
      startedAt: start.startedAt, endedAt: start.startedAt, summary: summary, cuesPlayed: 0,
      cuesMissed: 0)
    entry.origin = SessionOrigin(start)
    try withHostErrors { store throws(StoreError) in try store.end(entry) }
  }

  private func withHostErrors<Result: Sendable>(
    _ body: (SessionStore) throws(StoreError) -> Result
  ) throws(HostError) -> Result {
    do throws(StoreError) {
      return try withStore(body)
    } catch {
      throw failure(error)
    }
  }

  /// Marks a session that cannot be read: it stays stored and is not offered.
  func setAside(_ id: String, _ why: String) throws(HostError) {
    do throws(StoreError) {
      try withStore { store throws(StoreError) in try store.setAside(id, why) }
    } catch {
      throw failure(error)
    }
  }

  func failure(_ error: StoreError) -> HostError {
    HostError(
      .store(error.kind), "\(folder)/\(SessionStore.fileName): \(error.detail)".singleLine)
  }
}

/// Distinguishes a file from another one of the same name.
private struct FileIdentity: Hashable {
  let device: dev_t
  let inode: ino_t

  /// Nil where there is no file.
  init?(_ path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    (device, inode) = (info.st_dev, info.st_ino)
  }
}
