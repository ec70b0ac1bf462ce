import IntervalTimeline

/// What a lane's readings lead to: which phase they are held against, and what is being said of them.
struct LaneCoaching {
  /// A text that was handed off, of which it is not known whether it is heard.
  private struct Pending {
    let handOff: Int
    let text: CoachingText
    /// When it was decided: repeats count from then.
    let decided: BootInstant
  }

  /// The phase that the rule knows: another start of the same phase is another one.
  private struct Followed: Equatable {
    let phase: Int
    let start: Duration
    let target: TargetKind?
  }

  private var coach: TargetCoach
  private var followed: Followed?
  private var isPaused = false
  private var pending: Pending?
  /// The kinds of which there has been a reading: the intensity of a phase is a target once there is a sensor.
  private var heard: Set<TargetKind> = []
  private var reported: TargetStatus?
  private var reportedAt: BootInstant?
  private let hasAlarm: Bool

  /// At most one event is reported in so long.
  private static let reportInterval = Duration.seconds(1)

  /// - Parameter alarmLimit: beats a minute; nil: no alarm.
  init(alarmLimit: Double?) {
    coach = TargetCoach(alarmLimit: alarmLimit)
    hasAlarm = alarmLimit != nil
  }

  /// Whether the workout is to be watched before there is any reading: a missing sensor is spoken.
  func watches(_ timeline: Timeline) -> Bool {
    hasAlarm || timeline.entries.contains { $0.phase.isCoached || $0.phase.restLimit != nil }
  }

  /// Whether readings of that kind matter to the workout.
  func uses(_ kind: TargetKind, in timeline: Timeline) -> Bool {
    kind == .heartRate && (hasAlarm || timeline.entries.contains { $0.phase.restLimit != nil })
      || timeline.entries.contains { $0.phase.target?.kind == kind }
  }

  /// Takes note of where the workout is. Called before anything else at an instant, and after each command.
  mutating func follow(_ session: Session, at now: BootInstant) {
    let transport = session.transport
    guard [.running, .paused].contains(session.state), transport.elapsed(at: now) >= .zero,
      let entry = transport.entry(at: now)
    else {
      if followed != nil { coach.end(at: now) }
      followed = nil
      return
    }
    let here = transport.position(at: now)
    let target = entry.phase.target.flatMap {
      entry.phase.isCoached || heard.contains($0.kind) ? $0 : nil
    }
    let place = Followed(phase: here.phase, start: here.phaseStart, target: target?.kind)
    if place != followed {
      followed = place
      isPaused = false
      let rest = entry.phase.restLimit.flatMap { limit in
        guard case .open(_, let bounds) = entry.phase.length else { return nil as HeartRateRest? }
        return HeartRateRest(
          below: limit, minimum: bounds.atLeast ?? .zero, maximum: bounds.atMost)
      }
      let length = transport.length(of: here.phase)
      coach.begin(
        rest.map { CoachedPhase($0, target: target) } ?? CoachedPhase(target, length: length),
        at: now - (here.elapsed - here.phaseStart))
    }
    let isPausedNow = session.state == .paused
    if isPausedNow != isPaused {
      isPausedNow ? coach.pause(at: transport.pausedSince ?? now) : coach.resume(at: now)
      isPaused = isPausedNow
    }
  }

  mutating func take(_ reading: Reading, in session: Session, at now: BootInstant) {
    heard.insert(reading.kind)
    follow(session, at: now)
    coach.take(reading, at: now)
  }

  /// What is to be said now; nil while a text is under way.
  mutating func text(at now: BootInstant) -> CoachingText? {
    pending == nil ? coach.check(at: now) : nil
  }

  mutating func isRestOver(at now: BootInstant) -> Bool {
    coach.isRestOver(at: now)
  }

  /// A text that is a sound alone.
  mutating func hasSounded(_ text: CoachingText, at now: BootInstant) { coach.said(text, at: now) }

  /// A text is on its way to the listener.
  mutating func handedOff(_ text: CoachingText, as handOff: Int, at now: BootInstant) {
    pending = Pending(handOff: handOff, text: text, decided: now)
  }

  /// A hand-off is over. True for a text that found no room: it is decided anew.
  mutating func isOver(_ handOff: Int, _ outcome: LedgerEvent.Outcome) -> Bool {
    guard let text = pending, text.handOff == handOff else { return false }
    pending = nil
    switch outcome {
    case .played, .shortened, .merged:
      coach.said(text.text, at: text.decided)
      return false
    case .dropped, .missed: return true
    case .withdrawn, .duplicate: return false
    }
  }

  /// How the running phase's value stands to its target; nil where it has none, and without a sensor.
  func status(at now: BootInstant) -> TargetStatus? {
    coach.live(at: now).flatMap { live in
      heard.contains(live.kind) || live.value != nil ? TargetStatus(live) : nil
    }
  }

  /// The same where it is to be reported: it has changed, and the last report is not too recent.
  mutating func statusToReport(at now: BootInstant) -> TargetStatus?? {
    let status = status(at: now)
    guard status != reported, reportedAt.map({ now - $0 >= Self.reportInterval }) ?? true else {
      return nil
    }
    (reported, reportedAt) = (status, now)
    return .some(status)
  }
}
