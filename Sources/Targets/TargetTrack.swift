import Instants

/// How the value of a phase has stood to its target, and what the listener knows of it.
struct TargetTrack: Sendable {
  private struct Correction {
    var side: TargetPosition
    /// How often it was said since the mean was last inside for `confirm`.
    var count: Int
    var said: BootInstant
  }

  let target: Target
  let rule: TargetRule
  private var position = TargetPosition.unknown
  /// Since when it is at `position` without a break.
  private var since = BootInstant.boot
  /// What was said of this side. Nil: nothing, or nothing since "on target".
  private var correction: Correction?
  /// A correction was said, and "on target" not since.
  private var owesOnTarget = false
  /// A sensor that is back has to settle, for `dwell`, before its value counts.
  private var settles = BootInstant.boot

  init(_ target: Target) {
    self.target = target
    rule = TargetRule(target.kind)
  }

  /// - Parameter position: unknown while nothing counts: without readings, in a pause, and until the value has settled.
  mutating func observe(_ position: TargetPosition, at now: BootInstant) {
    let position = now < settles ? .unknown : position
    if position != self.position {
      self.position = position
      since = now
    }
    // Until "on target" is heard, the listener takes the same words again for a repetition.
    if position == .inside, now - since >= TargetRule.confirm { correction?.count = 0 }
  }

  mutating func said(_ text: CoachingText, at instant: BootInstant) {
    switch text {
    case .low: corrected(.below, at: instant)
    case .high: corrected(.above, at: instant)
    case .onTarget:
      owesOnTarget = false
      correction = nil
    case .back(target.kind, _): settles = instant + rule.dwell
    case .lost, .back, .value, .alarm: break
    }
  }

  private mutating func corrected(_ side: TargetPosition, at instant: BootInstant) {
    let count = correction?.side == side ? correction?.count ?? 0 : 0
    correction = Correction(side: side, count: count + 1, said: instant)
    owesOnTarget = true
  }

  /// What is to be said after `observe(_:at:)` of the same instant.
  func text(of sensor: Sensor, at now: BootInstant, in clock: PhaseClock) -> CoachingText? {
    guard let mean = sensor.mean(at: now), let newest = sensor.newest else { return nil }
    let range = target.range.range(at: clock.time(at: mean.instant))
    let kind = target.kind
    let value = target.spoken(mean.number)
    switch position {
    case .unknown: return nil
    case .inside:
      return owesOnTarget && now - since >= TargetRule.confirm ? .onTarget(kind, value) : nil
    case .below, .above:
      let ahead = mean.number + sensor.slope(at: now) * rule.ahead.inSeconds
      let isOnItsWay = position == .below ? ahead >= range.lowerBound : ahead <= range.upperBound
      guard now - since >= rule.dwell, mayCorrect(at: now), !isOnItsWay,
        TargetPosition(of: newest.number, in: range) == position
      else { return nil }
      let middle = target.range.ramp.map { _ in
        target.spoken((range.lowerBound + range.upperBound) / 2)
      }
      return position == .below
        ? .low(kind, value, target: middle) : .high(kind, value, target: middle)
    }
  }

  private func mayCorrect(at now: BootInstant) -> Bool {
    guard let correction, correction.side == position else { return true }
    let repeats = TargetRule.repeats
    return now - correction.said >= repeats[max(1, min(correction.count, repeats.count)) - 1]
  }
}
