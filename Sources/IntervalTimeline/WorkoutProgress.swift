/// Where a workout is, which of its phases have begun, how each of them ended, and what was counted in it.
///
/// It knows nothing of cues. What it reports of a phase is to be said before the next call.
package struct WorkoutProgress: Sendable {
  package private(set) var transport: Transport
  private var log: PhaseLog
  private var counts = PhaseCounts()
  /// How often it was paused.
  private(set) var pauseCount = 0
  /// Nil for what was recorded by a version that kept none.
  private var times: PhaseTimes? = PhaseTimes()

  /// A workout that is `ready`.
  init(_ timeline: Timeline) {
    transport = Transport(timeline)
    log = PhaseLog(of: timeline)
  }

  var timeline: Timeline { transport.timeline }
  private var state: Transport.State { transport.state }
  /// How each phase ended, by its index.
  package var outcomes: [PhaseOutcome] { log.outcomes }
  var done: WorkDone { log.done(of: timeline, isStopped: state == .stopped) }

  /// The times until a position, which is not before the last move.
  package func times(until here: Transport.Position) -> EffortTimes {
    var sums = times?.sums(in: timeline) ?? EffortTimes()
    // What has ended, and no check has seen it yet.
    let running = max(0, log.reported)
    for phase in running..<max(running, here.phase) {
      sums.add(transport.length(of: phase) ?? .zero, in: timeline.entries[phase].phase.kind)
    }
    if let entry = timeline.entry(here.phase) {
      sums.add(here.elapsed - here.phaseStart, in: entry.phase.kind)
    }
    return sums
  }

  // MARK: Phases that begin in time

  /// The instant at which the next phase began, or the workout ended, if that was by now and is not reported.
  func unreportedBeginning(by now: BootInstant) -> BootInstant? {
    guard log.reported < transport.position(at: now).phase,
      let start = transport.start(of: log.reported + 1)
    else { return nil }
    return transport.nominalInstant(of: start)
  }

  /// The phase that was reported last ended in time; nil before the first.
  mutating func endReported(at instant: BootInstant) -> PhaseEnd? {
    log.reported >= 0 ? end(log.reported, as: .done, at: instant) : nil
  }

  /// The next phase has begun, or the workout has ended.
  mutating func begin(at instant: BootInstant) -> SessionEffect {
    log.begin()
    return reported(at: instant)
  }

  private mutating func reported(at instant: BootInstant) -> SessionEffect {
    guard log.reported == timeline.count else { return .phaseBegan(log.reported, at: instant) }
    transport.finish()
    return .finished(at: instant)
  }

  // MARK: Commands

  mutating func start(at now: BootInstant) { transport.start(at: now) }

  mutating func pause(at now: BootInstant) {
    transport.pause(at: now)
    pauseCount += 1
  }

  mutating func resume(at now: BootInstant) { transport.resume(at: now) }

  mutating func stop(at now: BootInstant) { transport.stop(at: now) }

  /// A phase that has ended, and how many rounds were counted in it, where it counts them.
  typealias PhaseEnd = (effect: SessionEffect, total: PhaseCounts.Count?)

  mutating func end(_ phase: Int, as outcome: PhaseOutcome, at now: BootInstant) -> PhaseEnd {
    times?.add(phase, of: transport, at: now)
    return (log.end(phase, as: outcome, at: now), counts.close(phase, of: timeline))
  }

  /// The workout moves to the start of a phase, or to its end, which is heard at once, even from a pause.
  mutating func move(to phase: Int, at now: BootInstant) -> SessionEffect {
    counts.move(to: phase)
    // Back: the phase that runs does not end.
    if phase <= log.reported { times?.add(log.reported, of: transport, at: now) }
    log.move(to: phase)
    if phase == timeline.count, state == .paused { transport.resume(at: now) }
    transport.move(to: phase, at: now)
    return reported(at: now)
  }

  // MARK: Open phases

  /// The phase in which the workout is; nil before the start and at the end.
  func phase(at now: BootInstant) -> Phase? {
    now >= transport.started ? transport.entry(at: now)?.phase : nil
  }

  /// The same where nothing has decided its end.
  func undecidedPhase(at now: BootInstant) -> Phase? {
    transport.isEndDecided(of: transport.position(at: now).phase) ? nil : phase(at: now)
  }

  /// True in a pause of a phase that a signal would end, or with nil a repetition be counted in, if the workout ran.
  package func isPaused(waitingFor signal: String?, at now: BootInstant) -> Bool {
    let phase = transport.position(at: now).phase
    guard state == .paused, let entry = timeline.entry(phase), !transport.isEndDecided(of: phase)
    else { return false }
    if let signal { return entry.phase.length.end == .signal(signal) }
    var counts = counts
    return counts.add(to: phase, of: timeline) != nil
  }

  /// The repetitions or rounds counted in the running phase, from 0; nil unless it counts them.
  package func repetitions(at now: BootInstant) -> Int? {
    let phase = transport.position(at: now).phase
    return timeline.entry(phase)?.phase.isCounted == true ? counts.count(in: phase) : nil
  }

  /// Counts one more in the running phase: see `PhaseCounts.add`.
  mutating func count(at now: BootInstant) -> (phase: Int, number: Int, isLast: Bool)? {
    let phase = transport.position(at: now).phase
    guard now >= transport.started, phase < timeline.count else { return nil }
    return counts.add(to: phase, of: timeline).map { (phase, $0.number, $0.isLast) }
  }

  /// How `next` ends the running phase.
  func outcomeOfNext(at now: BootInstant) -> PhaseOutcome {
    let here = transport.position(at: now)
    let isOpen = timeline.entries[here.phase].phase.length.end != nil
    // No exercise can be done within the time in which `back` still leads to the previous phase.
    return isOpen && here.elapsed - here.phaseStart >= Transport.backWindow ? .done : .skipped
  }

  /// The shortest length of the running open phase, and when that has passed; nil where it has.
  func shortestLength(after now: BootInstant) -> (length: Duration, end: BootInstant)? {
    let here = transport.position(at: now)
    guard case .open(_, let bounds) = timeline.entries[here.phase].phase.length,
      let least = bounds.atLeast, here.elapsed - here.phaseStart < least
    else { return nil }
    return (least, transport.nominalInstant(of: here.phaseStart + least))
  }

  /// The running phase will have this length.
  mutating func setLength(_ length: Duration, at now: BootInstant) {
    transport.setLength(length, at: now)
  }
}

// MARK: Keeping

extension WorkoutProgress {
  /// What was recorded; nil if it does not belong to the timeline.
  init?(_ timeline: Timeline, _ record: SessionRecord) {
    guard record.isSane, record.fits(timeline),
      let transport = Transport(timeline, record.anchors)
    else { return nil }
    self.transport = transport
    log = PhaseLog(of: timeline, recorded: record.outcomes)
    pauseCount = max(0, record.pauseCount)
    times = record.times
    let phase = transport.position(at: record.at).phase
    // Recorded at its end, before a check had seen that: one that runs is finished by the next, one that is paused now.
    if state == .paused, phase == timeline.count { self.transport.finish() }
    let isUnderWay = state == .running || state == .paused
    counts = PhaseCounts(
      rounds: record.rounds, phase: isUnderWay ? phase : -1,
      count: isUnderWay ? record.repetitions ?? 0 : 0)
  }

  /// Continues what was recorded at `record`: see `Session.restore`. True where that ends a pause.
  mutating func restore(at now: BootInstant, from record: BootInstant, _ mode: RestoreMode) -> Bool
  {
    let isAtEnd = transport.position(at: record).phase == timeline.count
    if mode != .running, state == .running, !isAtEnd { pause(at: record) }
    guard mode == .fromRecord, state == .paused else { return false }
    resume(at: now)
    return true
  }

  func record(at now: BootInstant, _ announcements: AnnouncementMemory.Record) -> SessionRecord {
    SessionRecord(
      at: now, anchors: transport.anchors, outcomes: log.recorded, pauseCount: pauseCount,
      announcements: announcements,
      repetitions: repetitions(at: now).flatMap { $0 > 0 ? $0 : nil }, rounds: counts.rounds,
      times: times)
  }
}
