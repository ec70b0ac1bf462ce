import Instants

/// Decides what a listener is told of the readings while phases with targets run.
///
/// It asks for nothing: every instant is an argument, and instants do not go back. A holder hands in readings as they
/// come, and calls `check(at:room:)` about once a second. A text that is not said is decided anew in the next check.
package struct TargetCoach: Sendable {
  private struct Running {
    let phase: CoachedPhase
    let began: BootInstant
    var clock: PhaseClock
    var track: TargetTrack?
    /// When the heart rate was last not known to be low enough for the rest to end.
    var high: BootInstant
    /// When the listener last heard the heart rate in this rest.
    var reported: BootInstant

    /// Too short for coaching: its last seconds begin before its values have settled.
    var isBrief: Bool {
      phase.length.map { $0 <= (track?.rule.settle ?? .zero) + TargetRule.tail } ?? false
    }
  }

  private var sensors: [TargetKind: Sensor] = [:]
  /// When a speed and a pace were last measured themselves.
  private var measured: [TargetKind: BootInstant] = [:]
  private var alarm: HeartRateAlarm?
  private var running: Running?
  /// Since when, over all phases without a break, the listener has had to be able to trust a sensor.
  private var watchedSince: [TargetKind: BootInstant] = [:]
  /// The sensors that an earlier phase watched.
  private var knownKinds: Set<TargetKind> = []
  /// When anything was last heard, the alarm included.
  private var lastSaid: BootInstant?
  /// When the last coaching texts were heard, `TargetRule.crowd` at most.
  private var saidRecently: [BootInstant] = []

  /// - Parameter alarmLimit: beats a minute at which the listener is warned. Nil: no alarm.
  package init(alarmLimit: Double? = nil) {
    alarm = alarmLimit.map { HeartRateAlarm(limit: $0) }
  }

  // MARK: - What happens

  /// A phase begins; the one before it is over.
  package mutating func begin(_ phase: CoachedPhase, at now: BootInstant) {
    running = Running(
      phase: phase, began: now, clock: PhaseClock(beganAt: now),
      track: phase.target.map { TargetTrack($0) }, high: now, reported: now)
    knownKinds.formUnion(watchedSince.keys)
    let watched = watchedKinds.map { ($0, watchedSince[$0] ?? now) }
    watchedSince = Dictionary(watched) { first, _ in first }
  }

  /// Nothing is said until `resume(at:)`.
  package mutating func pause(at now: BootInstant) {
    running?.clock.pause(at: now)
  }

  /// The pause is over; without one, nothing happens.
  package mutating func resume(at now: BootInstant) {
    guard running?.clock.isPaused ?? false else { return }
    running?.clock.resume(at: now)
    // A rest that could have ended in the pause is measured anew.
    running?.high = now
    for kind in watchedSince.keys { watchedSince[kind] = now }
  }

  /// The phase is over, and none follows.
  package mutating func end(at now: BootInstant) {
    running = nil
    (watchedSince, knownKinds) = ([:], [])
  }

  /// A reading at the instant of its arrival, in phases without a target and in pauses as well.
  ///
  /// A speed stands for a pace that no sensor measures, and a pace for a speed.
  package mutating func take(_ reading: Reading, at now: BootInstant) {
    note(reading, at: now)
    guard let counterpart = reading.counterpart else { return }
    measured[reading.kind] = now
    let isMeasured = measured[counterpart.kind].map { now - $0 < TargetRule.stale } ?? false
    if !isMeasured { note(counterpart, at: now) }
  }

  private mutating func note(_ reading: Reading, at now: BootInstant) {
    let wasHeard = sensors[reading.kind]?.isHeard(at: now) ?? false
    sensors[reading.kind, default: Sensor(reading.kind)].take(reading.value, at: now)
    if !wasHeard, running?.phase.target?.kind == reading.kind {
      // The silence was a break, though no check saw it.
      running?.track?.observe(.unknown, at: now)
    }
    observe(at: now, after: reading.kind)
  }

  /// The text was placed. Repeats count from the check that decided it, so that they do not drift; the gaps between
  /// texts from when they are heard.
  ///
  /// - Parameter heard: when it is heard, after `instant`. Nil: at once.
  package mutating func said(
    _ text: CoachingText, at instant: BootInstant, heard: BootInstant? = nil
  ) {
    lastSaid = heard ?? instant
    switch text {
    case .alarm:
      alarm?.said(at: instant)
      // It tells that the sensor is back.
      sensors[.heartRate]?.forgetLoss()
      return
    case .lost(let kind): sensors[kind, default: Sensor(kind)].tellLost(at: instant)
    case .back(let kind, _):
      sensors[kind]?.forgetLoss()
      running?.track?.said(text, at: instant)
      if kind == .heartRate { running?.reported = instant }
    case .value: running?.reported = instant
    case .low, .high, .onTarget: running?.track?.said(text, at: instant)
    }
    saidRecently = saidRecently.suffix(TargetRule.crowd - 1) + [heard ?? instant]
  }

  // MARK: - What is to be done

  /// What is to be said now. It is returned again and again until it is said or no longer true.
  ///
  /// - Parameters:
  ///   - heard: when it could be heard: `soonest` is compared with this. Nil: at once.
  ///   - room: how long no other cue is heard from `now` on. An alarm is due without room as well. It is asked for only
  ///     where there is something to say.
  package mutating func check(
    at now: BootInstant, heard: BootInstant? = nil,
    room: @autoclosure () -> Duration = .unlimited
  ) -> CoachingText? {
    observe(at: now)
    guard let running, !running.clock.isPaused else { return nil }
    if let alarm, alarm.isWarning { return alarm.isDue(at: now) ? alarmText(at: now) : nil }
    guard (heard ?? now) >= soonest ?? .boot else { return nil }
    let isCoached = isSettled(at: now) && !isInTail(at: now)
    let text =
      isCoached
      ? text(ofSensorsIn: running, at: now) ?? text(ofTargetIn: running, at: now)
        ?? text(ofRestIn: running, at: now)
      : running.isBrief
        ? text(ofSensorsIn: running, at: now, where: knownKinds.contains) : nil
    return text.flatMap { text in
      let longest = room()
      return text.wordings.first { $0.length <= longest }
    }
  }

  /// The words of an alarm that has sounded without them. Nil: it is over.
  package mutating func alarmWords(at now: BootInstant) -> CoachingText? {
    observe(at: now)
    guard let running, !running.clock.isPaused, alarm?.isWarning ?? false else { return nil }
    return alarmText(at: now)
  }

  private func alarmText(at now: BootInstant) -> CoachingText? {
    sensors[.heartRate]?.mean(at: now).map { .alarm(TargetKind.heartRate.rounded($0.number)) }
  }

  /// When the next coaching text may be heard: not soon after another, and not as one of many. Nil: at any time.
  package var soonest: BootInstant? {
    let afterGap = lastSaid.map { $0 + TargetRule.gap }
    guard saidRecently.count == TargetRule.crowd, let first = saidRecently.first else {
      return afterGap
    }
    let afterCrowd = first + TargetRule.crowdSpan
    return afterGap.map { max($0, afterCrowd) } ?? afterCrowd
  }

  /// True when a rest is over: the heart rate is low enough, or the rest has lasted as long as it may.
  package mutating func isRestOver(at now: BootInstant) -> Bool {
    observe(at: now)
    guard let running, let rest = running.phase.rest, !running.clock.isPaused else { return false }
    let time = running.clock.time(at: now)
    if let maximum = rest.maximum, time >= maximum { return true }
    return time >= rest.minimum && now - running.high >= HeartRateRest.hold
  }

  // MARK: - The state that a display shows

  /// How the running phase's value stands to its target.
  package struct Live: Hashable, Sendable {
    package let kind: TargetKind
    /// The mean. Nil: unknown. A pace, and its range, is one of the target's distance.
    package let value: Double?
    /// The range that the value is compared with.
    package let range: ClosedRange<Double>
    package let position: TargetPosition
  }

  /// Nil in a phase without a target.
  package func live(at now: BootInstant) -> Live? {
    guard let running, let target = running.phase.target else { return nil }
    let mean = sensors[target.kind]?.mean(at: now)
    let range = target.range.range(at: running.clock.time(at: mean?.instant ?? now))
    return Live(
      kind: target.kind, value: mean.map { $0.number * target.scale },
      range: range.lowerBound * target.scale...range.upperBound * target.scale,
      position: mean.map { TargetPosition(of: $0.number, in: range) } ?? .unknown)
  }

  // MARK: - Parts

  /// - Parameter kind: of the reading that has come. What it says nothing of is not looked at: its own reading of this
  ///   second may follow. Nil: time has passed.
  private mutating func observe(at now: BootInstant, after kind: TargetKind? = nil) {
    let heart = sensors[.heartRate]
    let isOfHeart = kind == nil || kind == .heartRate
    if isOfHeart { alarm?.observe(heart?.mean(at: now)?.number, at: now) }
    guard var running else { return }
    if kind == nil || kind == running.phase.target?.kind {
      let counts = isSettled(at: now) && !running.clock.isPaused
      running.track?.observe(counts ? live(at: now)?.position ?? .unknown : .unknown, at: now)
    }
    if isOfHeart, let rest = running.phase.rest {
      let median = heart?.median(of: HeartRateRest.readings, at: now)
      let isLow = median.map { $0 < rest.limit } ?? false
      if !isLow { running.high = now }
    }
    self.running = running
  }

  private func isSettled(at now: BootInstant) -> Bool {
    guard let running else { return false }
    return now - running.clock.started >= running.track?.rule.settle ?? .zero
  }

  private func isInTail(at now: BootInstant) -> Bool {
    guard let running, let length = running.phase.length else { return false }
    return running.clock.time(at: now) >= length - TargetRule.tail
  }

  /// The sensors that the listener must be able to trust: those of the target, the rest and the alarm.
  private var watchedKinds: [TargetKind] {
    let heart: TargetKind? = alarm != nil || running?.phase.rest != nil ? .heartRate : nil
    let target = running?.phase.target?.kind
    return [target, heart == target ? nil : heart].compactMap { $0 }
  }

  private func text(
    ofSensorsIn running: Running, at now: BootInstant,
    where isMeant: (TargetKind) -> Bool = { _ in true }
  ) -> CoachingText? {
    for kind in watchedKinds where isMeant(kind) {
      let since = watchedSince[kind] ?? now
      let sensor = sensors[kind]
      if let sensor, sensor.isToldLost {
        if sensor.isBack(at: now), let mean = sensor.mean(at: now) {
          let target = running.phase.target.flatMap { $0.kind == kind ? $0 : nil }
          return .back(kind, target?.spoken(mean.number) ?? kind.rounded(mean.number))
        }
        // Each rest that waits for it is announced as one that the heart rate ends.
        guard running.phase.rest != nil, kind == .heartRate,
          !sensor.isToldLost(since: running.began)
        else { continue }
      }
      if now - max(sensor?.newest?.instant ?? since, since) >= TargetRule.lost {
        return .lost(kind)
      }
    }
    return nil
  }

  /// Nothing is said of a sensor's values from the text that it is lost to the text that it is back.
  private func trusted(_ kind: TargetKind) -> Sensor? {
    sensors[kind].flatMap { $0.isToldLost ? nil : $0 }
  }

  private func text(ofTargetIn running: Running, at now: BootInstant) -> CoachingText? {
    guard let track = running.track, let sensor = trusted(track.target.kind) else { return nil }
    return track.text(of: sensor, at: now, in: running.clock)
  }

  private func text(ofRestIn running: Running, at now: BootInstant) -> CoachingText? {
    guard running.phase.rest != nil, now - running.reported >= HeartRateRest.report,
      let median = trusted(.heartRate)?.median(of: HeartRateRest.readings, at: now)
    else { return nil }
    return .value(.heartRate, TargetKind.heartRate.rounded(median))
  }
}
