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
    /// How many kinds of readings there have been: with one more, an intensity may have become a target.
    let kinds: Int
  }

  private var coach: TargetCoach
  private var followed: Followed?
  /// That of the phase, where it is coached.
  private(set) var target: Target?
  private var isPaused = false
  /// Usually one: an alarm does not wait for a text that is under way.
  private var pending: [Pending] = []
  /// An alarm has sounded, and its words found no room: they are decided anew until it is over.
  private(set) var owesAlarmWords = false
  /// The kinds of which there has been a reading: the intensity of a phase is a target once there is a sensor.
  private var heard: Set<TargetKind> = []
  private var reported: TargetStatus?
  private var reportedAt: BootInstant?
  /// How the readings stood to the targets, by phase; nil: it is not kept.
  private var tally: ReadingsTally?
  /// The kinds of readings that matter to the workout.
  private var kinds: Set<TargetKind>
  private let isWatchedFromStart: Bool
  /// Whether there is anything to coach: before there is any reading, only where a missing sensor is announced.
  var isWatched: Bool { isWatchedFromStart || !heard.isEmpty }
  /// Whether a heart rate ends a phase.
  private let hasHeartRateRests: Bool

  /// At most one event is reported in so long.
  private static let reportInterval = Duration.seconds(1)
  /// A text begins so much later where it is too soon after the last one. Without it, a check that comes a moment early
  /// would leave the text to the next check, and a chain of texts would slip.
  private static let wait = Duration.milliseconds(50)

  /// - Parameter alarmLimit: beats a minute; nil: no alarm.
  init(_ workout: Workout, alarmLimit: Double?, keepsReadings: Bool = false) {
    coach = TargetCoach(alarmLimit: alarmLimit)
    tally = keepsReadings ? ReadingsTally() : nil
    let use = workout.sensorUse
    hasHeartRateRests = use.hasHeartRateRests
    isWatchedFromStart = alarmLimit != nil || use.isCoached || use.hasHeartRateRests
    kinds = use.kinds
    if alarmLimit != nil || use.hasHeartRateRests { kinds.insert(.heartRate) }
    // One stands for the other.
    if !kinds.isDisjoint(with: [.pace, .speed]) { kinds.formUnion([.pace, .speed]) }
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
    let place = Followed(phase: here.phase, start: here.phaseStart, kinds: heard.count)
    let target = place == followed ? nil : target(of: entry.phase)
    let isSame =
      followed?.phase == place.phase && followed?.start == place.start && target == self.target
    defer { followed = place }
    if place != followed, !isSame {
      self.target = target
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
      tally?.note(nil, phase: here.phase, at: now)
      isPaused = isPausedNow
    }
  }

  /// What is kept of the readings; nil where nothing is.
  var kept: [PhaseReadings]? { tally?.phases }

  /// What was kept before the session was interrupted.
  mutating func restore(_ kept: [PhaseReadings]) { tally?.restore(kept) }

  /// Notes how the value stands to its target now. Called at each check of a running workout.
  mutating func note(at now: BootInstant) {
    guard let phase = followed?.phase else { return }
    tally?.note(coach.live(at: now), phase: phase, at: now)
  }

  private func target(of phase: Phase) -> Target? {
    phase.isCoached ? phase.target : phase.targets.first { heard.contains($0.kind) }
  }

  /// A live value is a reading where it has the name of a kind of target. False for one that does not matter.
  mutating func take(
    _ name: String, _ value: LiveValue?, in session: Session, at now: BootInstant
  ) -> Bool {
    guard let kind = TargetKind(rawValue: name), kinds.contains(kind) else { return false }
    if let number = value?.number, let reading = Reading(kind, number) {
      heard.formUnion([reading.kind, reading.counterpart?.kind].compactMap { $0 })
      follow(session, at: now)
      coach.take(reading, at: now)
    }
    return true
  }

  /// What is to be said now. While a text is under way nothing, but an alarm waits for none.
  ///
  /// - Parameters:
  ///   - soonest: when it could be heard.
  ///   - room: how long nothing is beeped.
  mutating func text(
    at now: BootInstant, heard soonest: BootInstant, room: @autoclosure () -> Duration
  ) -> CoachingText? {
    let text = coach.check(at: now, heard: soonest + Self.wait, room: room())
    if owesAlarmWords, text == nil, let words = coach.alarmWords(at: now) { return words }
    owesAlarmWords = false
    return pending.isEmpty || text?.isAlarm == true ? text : nil
  }

  /// When a text is due that could be heard at `soonest`. An alarm waits for nothing.
  func due(_ text: CoachingText, from soonest: BootInstant) -> BootInstant {
    text.isAlarm ? soonest : max(soonest, coach.soonest ?? soonest)
  }

  /// The heart rate ends the running phase.
  mutating func isRestOver(at now: BootInstant) -> Bool {
    hasHeartRateRests && coach.isRestOver(at: now)
  }

  /// A text whose sound is on its way: it counts as said, whatever becomes of words beside it.
  mutating func hasSounded(_ text: CoachingText, at now: BootInstant, heard: BootInstant) {
    coach.said(text, at: now, heard: heard)
  }

  /// A text is on its way to the listener.
  mutating func handedOff(_ text: CoachingText, as handOff: Int, at now: BootInstant) {
    if text.isAlarm { owesAlarmWords = false }
    pending.append(Pending(handOff: handOff, text: text, decided: now))
  }

  /// A hand-off is over. True for a text that found no room: it is decided anew.
  mutating func isOver(_ handOff: Int, _ entry: LedgerEvent.CueEntry) -> Bool {
    guard let index = pending.firstIndex(where: { $0.handOff == handOff }) else { return false }
    let text = pending.remove(at: index)
    switch entry.outcome {
    case .played, .shortened, .merged:
      coach.said(text.text, at: text.decided, heard: max(entry.onset ?? entry.due, text.decided))
      return false
    case .dropped, .missed:
      if text.text.isAlarm { owesAlarmWords = true }
      return true
    case .withdrawn, .duplicate: return false
    }
  }

  /// How the running phase's value stands to its target; nil where it has none, and without a sensor.
  func status(at now: BootInstant) -> TargetStatus? {
    coach.live(at: now).flatMap { live in
      heard.contains(live.kind) || live.value != nil ? TargetStatus(live) : nil
    }
  }

  /// Whether the status is to be reported: it has changed, and the last report is not too recent.
  mutating func hasNews(at now: BootInstant) -> Bool {
    let status = status(at: now)
    guard status != reported, reportedAt.map({ now - $0 >= Self.reportInterval }) ?? true else {
      return false
    }
    (reported, reportedAt) = (status, now)
    return true
  }
}

extension LiveValue {
  /// Of a reading: a number, or a pace in seconds.
  fileprivate var number: Double? {
    switch content {
    case .number(let number, _): number
    case .duration(let duration): duration / .seconds(1)
    case .text: nil
    }
  }
}
