/// A session that outlives its program: storing and restoring it.
extension Session {
  /// The state to be stored, at `now`.
  package func record(at now: BootInstant) -> SessionRecord {
    SessionRecord(
      at: now, anchors: transport.anchors,
      outcomes: log.recorded, pauseCount: pauseCount,
      announcements: scan.announcements.record(at: now),
      repetitions: repetitions(at: now).flatMap { $0 > 0 ? $0 : nil }, rounds: counts.rounds)
  }

  /// Restores a session from `record`; call `restore` to continue it. Nil if the record does not
  /// belong to the timeline.
  package init?(
    _ timeline: Timeline, plan: CuePlan = CuePlan(), window: Duration = .seconds(10),
    horizon: Duration = Session.defaultHorizon, acknowledged: Set<Acknowledgement> = [],
    responseTime: Duration = .zero, restoring record: SessionRecord
  ) {
    guard record.isSane, record.fits(timeline),
      let transport = Transport(timeline, record.anchors)
    else { return nil }
    self.init(
      timeline, plan: plan, window: window, horizon: horizon, acknowledged: acknowledged,
      responseTime: responseTime)
    self.transport = transport
    scan = CueScan(AnnouncementMemory(window: window, record.announcements, at: record.at))
    pauseCount = max(0, record.pauseCount)
    // Recorded at its end, before a check had seen that: one that runs is finished by the next, one that is paused now.
    if state == .paused, transport.position(at: record.at).phase == timeline.count {
      self.transport.finish()
    }
    let isUnderWay = state == .running || state == .paused
    let phase = isUnderWay ? transport.position(at: record.at).phase : -1
    log = PhaseLog(of: timeline, recorded: record.outcomes)
    counts = PhaseCounts(
      rounds: record.rounds, phase: phase, count: isUnderWay ? record.repetitions ?? 0 : 0)
    if isUnderWay { scan.rescan(at: record.at, in: transport, plan) }
  }

  /// Marks cues as heard that were due before `alive`, when the earlier program was last alive.
  /// Returns how many were due since its last record.
  package mutating func hear(until alive: BootInstant) -> Int {
    guard state == .running else { return 0 }
    var effects: [SessionEffect] = []
    var passed = self
    _ = passed.handOffCues(at: alive, into: &effects)
    scan.rescan(at: alive, in: transport, plan)
    return effects.count { if case .silent(let cue) = $0 { cue.due < alive } else { false } }
  }

  /// Continues after the earlier program has ended. Cues that passed meanwhile count as missed;
  /// nothing is said twice.
  package mutating func restore(
    at now: BootInstant, from record: BootInstant, _ mode: RestoreMode
  ) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    let isAtEnd = transport.position(at: record).phase == timeline.count
    if mode != .running, state == .running, !isAtEnd {
      transport.pause(at: record)
      pauseCount += 1
    }
    if mode == .fromRecord, state == .paused {
      transport.resume(at: now)
      scan.rescan(at: now, in: transport, plan)
    }
    if state == .running {
      scan.restoredAt = now
      _ = handOffCues(at: now, into: &effects)
      followPhases(to: now, into: &effects)
    }
    switch state {
    case .running:
      say(
        .init(content: .acknowledgement(.resume), delay: .milliseconds(100)), at: now,
        into: &effects)
      return effects + check(at: now)
    case .paused:
      say(.init(content: .position, delay: .milliseconds(100)), at: now, into: &effects)
      return effects
    default: return effects
    }
  }
}

/// How an interrupted session continues.
public enum RestoreMode: Hashable, Sendable {
  /// As if its timer had kept running.
  case running
  /// Paused at the recorded position.
  case held
  /// From the recorded position; the interruption counts as a pause.
  case fromRecord
}
