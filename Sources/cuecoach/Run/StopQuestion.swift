/// Stops nothing at the first press: a second one within a few seconds does, and the workout runs on
/// meanwhile.
///
/// Whoever cannot look notices a slip only by hearing it: a workout that has ended cannot be taken
/// back within its interval, one that asks has lost nothing.
struct StopQuestion {
  /// Where they are not heard the screen asks alone.
  static let patience = Duration.seconds(6)
  /// From the question's last word on. Others may be talked to first, and nobody answers a question
  /// before it has been asked.
  static let answerTime = Duration.seconds(4)

  private var asked: (lane: Int?, until: ContinuousClock.Instant)?

  var isAsked: Bool { asked != nil }

  /// The key for that lane, nil for all. True when it is the second press.
  mutating func press(for lane: Int?, at now: ContinuousClock.Instant) -> Bool {
    if let asked, asked.lane == lane, now < asked.until {
      self.asked = nil
      return true
    }
    asked = (lane, now + Self.patience)
    return false
  }

  /// The question's words are over then.
  mutating func willBeHeard(by end: ContinuousClock.Instant) {
    guard let asked else { return }
    self.asked = (asked.lane, max(asked.until, end + Self.answerTime))
  }

  /// Another key was pressed, or the time has passed: the next press is a first one.
  mutating func withdraw() { asked = nil }

  /// How long the second press is waited for; nil where none is.
  func timeLeft(at now: ContinuousClock.Instant) -> Duration? {
    asked.map { max(.zero, now.duration(to: $0.until)) }
  }
}
