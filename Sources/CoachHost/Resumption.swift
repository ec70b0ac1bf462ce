import CueEngine
import IntervalTimeline
import SessionStore

/// Finds interrupted sessions and decides how they continue: by an answer to a question, the
/// requested policy or the configuration. Its methods block on the disk.
public struct Resumption {
  /// A session that will end, once `endSessions` is called because the run can begin.
  private struct Ending {
    let session: StoredSession
    let outcome: HistoryEntry.Outcome
    var at: BootInstant?
    /// The record at that instant, on this boot's clock; nil: as stored.
    var record: SessionRecord?
  }

  /// The policies for a run, and what its user can do.
  public struct Rules {
    /// The policy requested for this run; nil leaves it to the situation.
    public var policy: ResumePolicy?
    /// The policy from the configuration.
    package var configured: ResumePolicy?
    /// A session that was stored longer ago is not resumed, unless its end has passed meanwhile; 12 h by
    /// default.
    public var maximumAge = Duration.seconds(12 * 3600)
    /// The user requested these sessions by name: the number of crashes does not matter, and no
    /// question is asked.
    public var isExplicit = false
    /// False if nobody can end a pause: a held workout would stay paused for ever.
    public var canEndPause = true
    /// Answers a question; nil if nobody can be asked. If it throws, the search ends and every
    /// session stays as it is.
    public var ask: ((ResumeQuestion) throws -> ResumePolicy)?

    /// Nothing requested and nobody to be asked: sessions continue within the same boot, and are held after a
    /// reboot.
    public init() {}
  }

  private let repository: SessionRepository
  private let rules: Rules
  private let report: (SessionNotice) -> Void
  private var endings: [Ending] = []
  /// What `readAhead` has read, and the names that it had claimed before.
  private var ahead: (names: Set<String>, sessions: [StoredSession]) = ([], [])
  /// Why the sessions could not be read; nil if they could. New workouts begin in any case.
  public private(set) var readFailure: HostError?

  /// - Parameters:
  ///   - repository: whose sessions are resumed.
  ///   - rules: by which they are.
  ///   - report: called by `lane(_:for:)`, on its thread, with what happens to each session.
  public init(
    _ repository: SessionRepository, _ rules: Rules, report: @escaping (SessionNotice) -> Void
  ) {
    self.repository = repository
    self.rules = rules
    self.report = report
  }

  /// Claims names for this process and reads the sessions of all of them at once, for a program that calls
  /// `lane` for many. Names that another process has are passed over.
  package mutating func readAhead(_ names: [String]) throws(HostError) {
    var claimed: Set<String> = []
    for name in names where try repository.take(name) == nil { claimed.insert(name) }
    // After the names were claimed: nobody else changes these sessions any more.
    ahead = (claimed, try repository.interrupted())
  }

  /// Finds the session to be resumed under a name; nil if there is none. Claims the name for this
  /// process.
  ///
  /// - Parameter wanted: the workout requested under the name; nil for the interrupted one.
  /// - Throws: `HostError` if another process has the name, and what `ask` throws.
  public mutating func lane(_ name: String, for wanted: OpenedWorkout? = nil) throws
    -> OpenedWorkout?
  {
    try repository.claim(name)
    guard repository.isOpen else { return nil }
    let sessions: [StoredSession]
    do throws(HostError) {
      let all = try ahead.names.contains(name) ? ahead.sessions : repository.interrupted()
      sessions = all.filter { $0.lane == name }
    } catch {
      readFailure = error
      return nil
    }
    // There are several only if the end of one could not be stored.
    endings += sessions.dropLast().map { Ending(session: $0, outcome: .abandoned) }
    guard let session = sessions.last else { return nil }
    guard let timeline = try? Timeline(session.workout), session.record.fits(timeline) else {
      try repository.setAside(session.id, "its workout does not fit its state")
      report(notice(.damaged, session, nil, wanted?.identity.order ?? StartOrder()))
      return nil
    }
    // The surprises of the day on which it began.
    if let wanted, wanted.timeline.workout.isOfAnotherDay(than: session.workout) {
      return try resume(session, timeline, wanted.identity.order)
    }
    if let wanted, !wanted.timeline.workout.hasSamePhases(as: session.workout) {
      return try replace(session, timeline, wanted)
    }
    return try resume(session, wanted?.timeline ?? timeline, wanted?.identity.order)
  }

  private func notice(
    _ kind: SessionNotice.Kind, _ session: StoredSession, _ timeline: Timeline?,
    _ order: StartOrder
  ) -> SessionNotice {
    SessionNotice(
      kind: kind, session: session, timeline: timeline,
      age: MachineClocks.now().since(session.clocks), order: order)
  }

  // MARK: The same workout

  private mutating func resume(
    _ session: StoredSession, _ timeline: Timeline, _ asked: StartOrder?
  ) throws -> OpenedWorkout? {
    // The current order overrides the stored one; other choices stay.
    let order = asked.map { $0.or(session.identity.order) } ?? session.identity.order
    var policy = rules.policy ?? rules.configured
    if policy == .ask || (policy == nil && rules.ask != nil) {
      policy = nil
      if let ask = rules.ask, canContinue(decide(session, timeline, nil)) {
        policy = try ask(question(session, timeline, instead: nil, order))
      }
    }
    // Decided again, because answering may have taken some time.
    return carryOut(
      decide(session, timeline, policy), session, timeline, order, reportedFor: order)
  }

  private func question(
    _ session: StoredSession, _ timeline: Timeline, instead: Workout?, _ order: StartOrder
  ) -> ResumeQuestion {
    ResumeQuestion(
      session: session, timeline: timeline, age: MachineClocks.now().since(session.clocks),
      instead: instead, order: order)
  }

  private func decide(
    _ session: StoredSession, _ timeline: Timeline, _ policy: ResumePolicy?
  ) -> Recovery.Decision {
    let mustRun = rules.isExplicit || rules.policy == .continue || !rules.canEndPause
    return Recovery(policy: policy, maximumAge: rules.maximumAge, mustRun: mustRun).decide(
      session.record, of: timeline, saved: session.clocks, now: MachineClocks.now(),
      crashes: crashes(of: session))
  }

  private func crashes(of session: StoredSession) -> Int {
    session.isSuspended || rules.isExplicit ? 0 : session.crashes + 1
  }

  /// False for a session that ends whatever the user would answer.
  private func canContinue(_ decision: Recovery.Decision) -> Bool {
    switch decision {
    case .continue, .continueFromRecord, .hold: true
    case .discard, .tooOld, .ended, .over: false
    }
  }

  /// Reports the decision, and returns the lane of a session that continues; nil for one that ends.
  ///
  /// - Parameters:
  ///   - order: with which the session continues.
  ///   - wanted: with which the workout under its name is requested now.
  private mutating func carryOut(
    _ decision: Recovery.Decision, _ session: StoredSession, _ timeline: Timeline,
    _ order: StartOrder, reportedFor wanted: StartOrder
  ) -> OpenedWorkout? {
    func resumed(_ record: SessionRecord, _ mode: RestoreMode) -> OpenedWorkout {
      var identity = session.identity
      identity.order = order
      return OpenedWorkout(
        identity, timeline, crashes: crashes(of: session),
        resumed: .init(record: record, mode: mode, alive: repository.lastAlive(session.id)))
    }
    func notify(_ kind: SessionNotice.Kind) { report(notice(kind, session, timeline, wanted)) }
    switch decision {
    case .continue(let record):
      notify(record.anchors.state == .paused ? .stillPaused : .resumes)
      return resumed(record, .running)
    case .continueFromRecord(let record):
      notify(.resumesFromRecord)
      return resumed(record, .fromRecord)
    case .hold(let record, let reason):
      notify(.held(reason))
      return resumed(record, .held)
    case .discard:
      endings.append(Ending(session: session, outcome: .abandoned))
    case .tooOld:
      notify(.tooOld)
      endings.append(Ending(session: session, outcome: .abandoned))
    case .ended(let record, let instant):
      notify(.endedMeanwhile)
      endings.append(
        Ending(session: session, outcome: .unattended, at: instant, record: record))
    case .over(let record):
      let isFinished = record.anchors.state == .finished
      endings.append(Ending(session: session, outcome: isFinished ? .finished : .stopped))
    }
    return nil
  }

  // MARK: Another workout

  /// Another workout is requested under the name of an interrupted one. Nil if the interrupted one
  /// ends.
  private mutating func replace(
    _ session: StoredSession, _ timeline: Timeline, _ wanted: OpenedWorkout
  ) throws -> OpenedWorkout? {
    let order = session.identity.order
    let decision = rules.policy == .discard ? .discard : decide(session, timeline, nil)
    guard canContinue(decision) else {
      return carryOut(
        decision, session, timeline, order, reportedFor: wanted.identity.order)
    }
    let workout = wanted.timeline.workout
    if let ask = rules.ask {
      let answer = try ask(
        question(session, timeline, instead: workout, wanted.identity.order))
      return carryOut(
        decide(session, timeline, answer), session, timeline, order,
        reportedFor: wanted.identity.order)
    }
    report(notice(.replaced(by: workout), session, timeline, wanted.identity.order))
    endings.append(Ending(session: session, outcome: .abandoned))
    return nil
  }

  // MARK: Endings

  /// Ends the sessions that do not continue. A failure to store that does not keep a new workout
  /// from beginning. Returns a line for each failure.
  public mutating func endSessions() -> [String] {
    defer { endings = [] }
    return endings.compactMap { ending in
      do throws(HostError) {
        try end(ending.session, ending.outcome, at: ending.at, from: ending.record)
        return nil
      } catch {
        return "the end of \(ending.session.lane.singleLine) is not recorded yet: \(error)"
      }
    }
  }

  /// Stores a session's row in the history.
  ///
  /// - Parameter passed: the session at `instant`, on this boot's clock; nil: as stored.
  private func end(
    _ session: StoredSession, _ outcome: HistoryEntry.Outcome, at instant: BootInstant? = nil,
    from passed: SessionRecord? = nil
  ) throws(HostError) {
    guard let timeline = try? Timeline(session.workout) else {
      return try repository.setAside(session.id, "its workout cannot be laid out")
    }
    var record = session.record
    var wall = session.clocks.wall
    if let instant, let passed, var rest = Session(timeline).restoring(passed) {
      // The cues that would have been heard count as missed. The phases that passed do not count as done.
      let effects = rest.restore(at: instant, from: passed.at, .running)
      record.cues.missed += effects.count { if case .silent = $0 { true } else { false } }
      wall = MachineClocks.reading(at: instant).wall
    }
    let entry = HistoryEntry(session.identity, record, in: timeline, endedAt: wall, as: outcome)
    guard let entry else {
      return try repository.setAside(session.id, "its state does not fit its workout")
    }
    do throws(StoreError) {
      try repository.end(entry)
    } catch {
      throw repository.failure(error)
    }
  }

  /// Ends a session that no process runs, as abandoned.
  public func discard(_ session: StoredSession) throws(HostError) {
    try end(session, .abandoned)
  }
}
