/// A session that outlives its program: storing and restoring it.
extension Session {
  /// The state to be stored, at `now`.
  package func record(at now: BootInstant) -> SessionRecord {
    progress.record(at: now, scan.announcements.record(at: now))
  }

  /// The session as it was recorded; call `restore` to continue it. Nil if the record does not belong to the
  /// timeline.
  package func restoring(_ record: SessionRecord) -> Session? {
    guard let progress = WorkoutProgress(timeline, record) else { return nil }
    var session = self
    session.progress = progress
    session.scan.restore(record.announcements, at: record.at)
    if session.state == .running || session.state == .paused {
      session.scan.rescan(at: record.at, in: session.transport, plan)
    }
    return session
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
    if progress.restore(at: now, from: record, mode) { scan.rescan(at: now, in: transport, plan) }
    if state == .running {
      scan.restoredAt = now
      _ = handOffCues(at: now, into: &effects)
      followPhases(to: now, into: &effects)
    }
    switch state {
    case .running:
      say(Answers.restored(.acknowledgement(.resume)), at: now, into: &effects)
      return effects + check(at: now)
    case .paused:
      say(Answers.restored(.position), at: now, into: &effects)
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
