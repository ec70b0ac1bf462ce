import CueEngine
import Dispatch
import Glibc
import IntervalTimeline
import SessionStore
import Synchronization

/// Keeps the sessions of a run on disk while it goes on, on a thread of its own.
///
/// What cannot be kept is a warning that comes seldom, and is tried again; nothing waits for it.
final class SessionKeeper: Sendable {
  /// One lane's session, apart from how far it has come.
  struct Identity: Sendable {
    let id: String
    let lane: String
    let workout: Workout
    let options: [String]
    /// Nanoseconds since 1970.
    var startedAt: Int64
    /// How often in a row its program had ended without a word.
    var crashes = 0
    /// It began in this program.
    var isNew = false

    static func newID() -> String {
      let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  private enum Work {
    case save(StoredSession)
    case end(HistoryEntry)
  }

  private struct State {
    /// What is still to be written, by lane; the latest only.
    var waiting: [Int: Work] = [:]
    var isSuspended = false
    var isFailing = false
    var warnedAt: ContinuousClock.Instant?
    /// Sessions whose row in the history has been given away.
    var ended: Set<Int> = []
  }

  private let shelf: SessionShelf
  private let identities: [Identity]
  private let warn: @Sendable (String) -> Void
  private let begin = ContinuousClock.now
  /// By lane.
  private let lifeSigns: [LifeSign]
  private let queue = DispatchQueue(label: "cuecoach.store", qos: .utility)
  /// Protects what waits; never held while the disk is waited for.
  private let state = Mutex(State())

  /// How long is waited before a save that failed is tried again.
  private static let patience = DispatchTimeInterval.seconds(10)
  /// Between two warnings.
  private static let silence = Duration.seconds(300)
  /// A program that has run so long has not crashed in a row with the one before.
  private static let healthy = Duration.seconds(60)

  /// - Parameter identities: by the engine's lane number.
  init(
    _ shelf: SessionShelf, _ identities: [Identity], warn: @escaping @Sendable (String) -> Void
  ) {
    self.shelf = shelf
    self.identities = identities
    self.warn = warn
    lifeSigns =
      Installation.runtime.map { folder in
        identities.map { LifeSign(folder: folder, session: $0.id) }
      } ?? []
    // That it could not be opened has been told.
    if !shelf.isOpen { state.withLock { $0.warnedAt = begin } }
  }

  /// The engine has checked. Returns at once.
  func beat(at now: BootInstant) {
    for sign in lifeSigns { sign.give(at: now) }
  }

  /// Keeps a session as it is. Returns at once.
  func keep(_ lane: Int, _ kept: KeptSession) {
    state.withLock { state in
      guard !state.isSuspended, !state.ended.contains(lane) else { return }
      state.waiting[lane] = .save(stored(lane, kept))
    }
    queue.async { [self] in write() }
  }

  /// The session is over: it becomes a row of the history.
  func end(_ lane: Int, _ kept: KeptSession) {
    var identity = identities[lane]
    // The wall clock may have been set for the first time since then.
    if identity.isNew {
      identity.startedAt = MachineClocks.reading(at: kept.record.anchors.started).wall
    }
    guard let timeline = try? Timeline(identity.workout),
      let entry = HistoryEntry(identity, kept, in: timeline, endedAt: MachineClocks.wall)
    else { return }
    state.withLock { state in
      guard !state.isSuspended, state.ended.insert(lane).inserted else { return }
      state.waiting[lane] = .end(entry)
    }
    queue.async { [self] in write() }
  }

  /// The program ends before its sessions do: they are kept as they are, and nothing after it.
  func suspend(_ sessions: [(lane: Int, kept: KeptSession)]) {
    state.withLock { state in
      guard !state.isSuspended else { return }
      for (lane, kept) in sessions where !state.ended.contains(lane) {
        var session = stored(lane, kept)
        session.state.crashes = 0
        session.state.isSuspended = true
        state.waiting[lane] = .save(session)
      }
      state.isSuspended = true
    }
    queue.async { [self] in write() }
  }

  /// Waits until everything is on the disk, or cannot be brought there. Returns false then.
  func finish() -> Bool {
    queue.sync { write() }
    return state.withLock { $0.waiting.isEmpty }
  }

  /// False where there was none from the beginning, which has been told.
  var hasPlace: Bool { shelf.isOpen }

  private func stored(_ lane: Int, _ kept: KeptSession) -> StoredSession {
    let identity = identities[lane]
    let isHealthy = ContinuousClock.now - begin > Self.healthy
    return StoredSession(
      id: identity.id, lane: identity.lane, workout: identity.workout, options: identity.options,
      startedAt: identity.startedAt,
      state: .init(
        record: kept.record, clocks: MachineClocks.reading(at: kept.record.at),
        cuesPlayed: kept.cues.played, cuesMissed: kept.cues.missed,
        crashes: isHealthy ? 0 : identity.crashes))
  }

  /// Writes what waits. On the queue.
  private func write() {
    for lane in identities.indices {
      guard let work = state.withLock({ $0.waiting.removeValue(forKey: lane) }) else { continue }
      do throws(StoreError) {
        switch work {
        case .save(let session): try shelf.save(session)
        case .end(let entry): try shelf.end(entry)
        }
        if let notice = shelf.takeNotice() { warn(notice) }
        if state.withLock({ state in
          defer { state.isFailing = false }
          // The next failure is a new one.
          if state.isFailing { state.warnedAt = nil }
          return state.isFailing
        }) {
          warn("the session is kept again")
        }
      } catch {
        failed(work, of: lane, error)
      }
    }
  }

  private func failed(_ work: Work, of lane: Int, _ error: StoreError) {
    let isNew = state.withLock { state in
      // What came meanwhile is newer.
      if state.waiting[lane] == nil { state.waiting[lane] = work }
      let now = ContinuousClock.now
      let isNew = state.warnedAt.map { now - $0 >= Self.silence } ?? true
      if isNew { state.warnedAt = now }
      state.isFailing = true
      return isNew
    }
    if isNew {
      warn("the session cannot be kept: \(error.detail.singleLine); the workout goes on")
    }
    queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
      guard let self, self.state.withLock({ !$0.waiting.isEmpty }) else { return }
      self.write()
    }
  }
}

extension HistoryEntry {
  /// Nil for a record that does not belong to the timeline.
  init?(
    _ identity: SessionKeeper.Identity, _ kept: KeptSession, in timeline: Timeline, endedAt: Int64,
    as outcome: Outcome? = nil
  ) {
    guard let summary = SessionSummary(kept.record, in: timeline, at: kept.record.at) else {
      return nil
    }
    self.init(
      id: identity.id, lane: identity.lane, workout: identity.workout.name,
      outcome: outcome ?? (kept.record.anchors.state == .finished ? .finished : .stopped),
      startedAt: identity.startedAt, endedAt: endedAt, summary: summary,
      cuesPlayed: kept.cues.played, cuesMissed: kept.cues.missed)
  }
}
