/// Makes stopping safe: the first press only asks, and a second one within a few seconds stops.
/// Meanwhile the workout continues.
///
/// Someone who cannot look notices a wrong key only by ear, and a workout that has ended cannot
/// continue in its interval.
struct StopQuestion {
  /// The time for the second press if no question is heard, only seen.
  static let patience = Duration.seconds(6)
  /// The time for the second press after the question's last word, which may have to wait for other
  /// announcements.
  static let answerTime = Duration.seconds(4)

  private var asked: (lane: Int?, until: ContinuousClock.Instant)?

  var isAsked: Bool { asked != nil }

  /// Handles the key, for a lane or nil for all. Returns true for the second press.
  mutating func press(for lane: Int?, at now: ContinuousClock.Instant) -> Bool {
    if let asked, asked.lane == lane, now < asked.until {
      self.asked = nil
      return true
    }
    asked = (lane, now + Self.patience)
    return false
  }

  /// Reports when the question's last word will have been heard.
  mutating func willBeHeard(by end: ContinuousClock.Instant) {
    guard let asked else { return }
    self.asked = (asked.lane, max(asked.until, end + Self.answerTime))
  }

  /// Cancels the question, after another key or when its time is over.
  mutating func withdraw() { asked = nil }

  /// The remaining time for the second press; nil if no question is open.
  func timeLeft(at now: ContinuousClock.Instant) -> Duration? {
    asked.map { max(.zero, now.duration(to: $0.until)) }
  }
}
