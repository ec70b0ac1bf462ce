import CueEngine
import Dispatch
import IntervalTimeline
import SessionStore
import Synchronization

/// Stores the sessions of a host while they run, on a queue of its own.
///
/// A failed save is tried again and reported in a warning, at most every five minutes. Nothing
/// waits for a save.
final class SessionSaver: Sendable {
  /// Does the work later, on the queue.
  typealias Retry =
    @Sendable (_ work: @escaping @Sendable () -> Void, _ queue: DispatchQueue) -> Void

  private indirect enum Work {
    case save(StoredSession)
    case end(Ending)
  }

  /// A session that is over. Its row is made on the store's queue: that of a long workout takes its time.
  private struct Ending {
    let identity: SessionIdentity
    let record: SessionRecord
    let timeline: Timeline
    let endedAt: Int64

    /// Nil for a record that does not belong to the timeline.
    var entry: HistoryEntry? { HistoryEntry(identity, record, in: timeline, endedAt: endedAt) }
  }

  /// A lane that has not ended.
  private struct Kept {
    var identity: SessionIdentity
    let timeline: Timeline
    let crashes: Int
    let isNew: Bool
    let addedAt: ContinuousClock.Instant
    let heartbeat: Heartbeat?
  }

  private struct State {
    var lanes: [LaneID: Kept] = [:]
    /// What is still to be written, by session: only the latest.
    var waiting: [String: Work] = [:]
    var isSuspended = false
    var isFailing = false
    /// One retry writes everything that waits.
    var isRetryScheduled = false
    var warnedAt: ContinuousClock.Instant?
  }

  private let repository: SessionRepository
  private let warn: @Sendable (Sentence) -> Void
  private let queue: DispatchQueue
  private let mark: QueueMark
  /// Protects the lanes and the pending writes; never held during disk access.
  private let state = Mutex(State())

  private let retry: Retry

  /// Ten seconds later.
  static let laterRetry: Retry = { work, queue in
    queue.asyncAfter(deadline: .now() + .seconds(10), execute: work)
  }
  /// The least time between two warnings.
  private static let warningInterval = Duration.seconds(300)
  /// After running this long, a crash does not count as following the previous one.
  private let healthyTime: Duration

  /// - Parameter retry: when failed saves are tried again.
  init(
    _ repository: SessionRepository, healthyTime: Duration = .seconds(60),
    retry: @escaping Retry = SessionSaver.laterRetry, warn: @escaping @Sendable (Sentence) -> Void
  ) {
    self.repository = repository
    self.retry = retry
    self.healthyTime = healthyTime
    self.warn = warn
    queue = DispatchQueue(label: "cuecoach.store")
    mark = QueueMark(queue)
    // The failure to open it has been reported.
    if !repository.isOpen { state.withLock { $0.warnedAt = .now } }
  }

  func add(_ id: LaneID, _ lane: OpenedWorkout) {
    let heartbeat = repository.heartbeat(of: lane.identity.id)
    repository.addLive(lane.identity.id)
    state.withLock {
      $0.lanes[id] = Kept(
        identity: lane.identity, timeline: lane.timeline, crashes: lane.crashes,
        isNew: lane.resumed == nil, addedAt: .now, heartbeat: heartbeat)
    }
  }

  /// The engine has checked. Returns at once.
  func beat(at now: BootInstant) {
    state.withLock { state in
      for lane in state.lanes.values { lane.heartbeat?.beat(at: now) }
    }
  }

  /// Stores a session. Returns at once.
  func keep(_ id: LaneID, _ record: SessionRecord) {
    state.withLock { state in
      guard !state.isSuspended, let lane = state.lanes[id] else { return }
      state.waiting[lane.identity.id] = .save(stored(lane, record))
    }
    queue.async { [self] in write() }
  }

  /// The session is over: it becomes a row of the history, and its name is released.
  func end(_ id: LaneID, _ record: SessionRecord) {
    state.withLock { state in
      guard !state.isSuspended, let lane = state.lanes.removeValue(forKey: id) else { return }
      state.waiting[lane.identity.id] = .end(ending(lane, record))
    }
    queue.async { [self] in write() }
  }

  /// Its session is stored no more, and its name is another lane's or free.
  private func release(_ id: String, _ lane: String) {
    repository.removeLive(id)
    repository.release(lane)
  }

  /// The session never began: nothing of it is stored.
  func forget(_ id: LaneID) {
    state.withLock { state in
      guard let lane = state.lanes.removeValue(forKey: id) else { return }
      state.waiting[lane.identity.id] = nil
      repository.removeLive(lane.identity.id)
    }
  }

  private func ending(_ lane: Kept, _ record: SessionRecord) -> Ending {
    var identity = lane.identity
    // The wall clock may have been set for the first time since then.
    if lane.isNew { identity.startedAt = MachineClocks.reading(at: record.anchors.started).wall }
    return Ending(
      identity: identity, record: record, timeline: lane.timeline, endedAt: MachineClocks.wall)
  }

  /// The host ends before its sessions: they are stored as they are, and later changes are not. One that is over, while
  /// its last words are heard, is in the history.
  func suspend(_ sessions: [(lane: LaneID, record: SessionRecord)]) {
    state.withLock { state in
      guard !state.isSuspended else { return }
      for (id, record) in sessions {
        guard let lane = state.lanes[id] else { continue }
        if [.finished, .stopped].contains(record.anchors.state) {
          state.waiting[lane.identity.id] = .end(ending(lane, record))
          continue
        }
        var session = stored(lane, record)
        session.crashes = 0
        session.isSuspended = true
        state.waiting[lane.identity.id] = .save(session)
      }
      state.isSuspended = true
    }
    queue.async { [self] in write() }
  }

  /// Waits until everything is on the disk. Returns false if something could not be written.
  func finish() -> Bool {
    guard !mark.isOnQueue else {
      fatalError(
        "this method of CoachHost waits for the store's queue: it cannot be called from a subscriber's "
          + "closure, which may run there")
    }
    queue.sync { write() }
    return state.withLock { $0.waiting.isEmpty }
  }

  private func stored(_ lane: Kept, _ record: SessionRecord) -> StoredSession {
    let isHealthy = ContinuousClock.now - lane.addedAt > healthyTime
    return StoredSession(
      lane.identity, record: record, clocks: MachineClocks.reading(at: record.at),
      crashes: isHealthy ? 0 : lane.crashes)
  }

  /// Performs the pending writes. On the queue.
  private func write() {
    for id in state.withLock({ $0.waiting.keys.sorted() }) {
      guard let work = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { continue }
      do throws(StoreError) {
        switch work {
        case .save(let session): try repository.save(session)
        case .end(let ending):
          if let entry = ending.entry { try repository.end(entry) }
          release(ending.identity.id, ending.identity.lane)
        }
        if let notice = repository.takeNotice() { warn(Sentence(verbatim: notice)) }
        if state.withLock({ state in
          defer { state.isFailing = false }
          // The next failure is reported again.
          if state.isFailing { state.warnedAt = nil }
          return state.isFailing
        }) {
          warn("the session is saved again")
        }
      } catch {
        failed(work, of: id, error)
      }
    }
  }

  private func failed(_ work: Work, of id: String, _ error: StoreError) {
    if case .end(let ending) = work, let entry = ending.entry { repository.note(entry) }
    let (isNew, needsRetry) = state.withLock { state in
      // A write that came meanwhile is newer.
      if state.waiting[id] == nil { state.waiting[id] = work }
      let now = ContinuousClock.now
      let isNew = state.warnedAt.map { now - $0 >= Self.warningInterval } ?? true
      if isNew { state.warnedAt = now }
      state.isFailing = true
      defer { state.isRetryScheduled = true }
      return (isNew, !state.isRetryScheduled)
    }
    if isNew {
      warn("the session cannot be saved: \(error.detail.singleLine); the workout continues")
    }
    guard needsRetry else { return }
    retry(
      { [weak self] in
        guard let self else { return }
        self.state.withLock { $0.isRetryScheduled = false }
        self.write()
      }, queue)
  }
}

extension HistoryEntry {
  /// Nil for a record that does not belong to the timeline.
  init?(
    _ identity: SessionIdentity, _ record: SessionRecord, in timeline: Timeline, endedAt: Int64,
    as outcome: Outcome? = nil
  ) {
    guard let summary = SessionSummary(record, in: timeline, at: record.at) else { return nil }
    self.init(
      id: identity.id, lane: identity.lane, workout: identity.workout.name,
      outcome: outcome ?? (record.anchors.state == .finished ? .finished : .stopped),
      startedAt: identity.startedAt, endedAt: endedAt, summary: summary,
      cuesPlayed: record.cues.played, cuesMissed: record.cues.missed)
    readings = record.readings ?? []
    origin = SessionOrigin(identity)
    course = SessionCourse(record, in: timeline)
  }
}
