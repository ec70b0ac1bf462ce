import Instants

/// Warns of a heart rate that is too high. It never says that all is well.
struct HeartRateAlarm: Sendable {
  private enum State {
    case quiet
    /// At the limit since then.
    case high(since: BootInstant)
    /// Until the heart rate is well below the limit; when it was last said.
    case warning(said: BootInstant?)
  }

  /// How long the mean is at the limit before the alarm.
  private static let dwell = Duration.seconds(5)
  private static let again = Duration.seconds(15)
  /// It ends this far below the limit.
  private static let hysteresis = 5.0

  /// Beats a minute.
  let limit: Double
  private var state = State.quiet

  init(limit: Double) { self.limit = limit }

  /// - Parameter mean: nil: the heart rate is unknown, and there is nothing to warn of.
  mutating func observe(_ mean: Double?, at now: BootInstant) {
    switch state {
    case .quiet:
      if let mean, mean >= limit { state = .high(since: now) }
    case .high(let since):
      guard let mean, mean >= limit else {
        state = .quiet
        return
      }
      if now - since >= Self.dwell { state = .warning(said: nil) }
    case .warning:
      guard let mean, mean > limit - Self.hysteresis else {
        state = .quiet
        return
      }
    }
  }

  /// Nothing else is coached meanwhile.
  var isWarning: Bool {
    if case .warning = state { true } else { false }
  }

  func isDue(at now: BootInstant) -> Bool {
    guard case .warning(let said) = state else { return false }
    return said.map { now - $0 >= Self.again } ?? true
  }

  /// Counts from its sound: words that came later are no new alarm.
  mutating func said(at instant: BootInstant) {
    if isDue(at: instant) { state = .warning(said: instant) }
  }
}
