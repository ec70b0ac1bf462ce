import IntervalTimeline

/// The shortest phase of a file or a request. No cue could be told from the next one in a shorter phase, and a
/// check would have more of them to place than anybody can hear; `Timeline` itself takes a millisecond.
enum ShortestPhase {
  static let length = Duration.milliseconds(250)
  static let expected = "at least \(LengthText.text(of: length))"
}

extension PhaseLength {
  /// A phase that lasts, or may last at the longest, less than `ShortestPhase.length`; nil for any other.
  func faultOfShortness(line: Int?) -> FileFault? {
    guard let length = duration, length < ShortestPhase.length else { return nil }
    return FileFault(
      line: line, "a phase of \(LengthText.text(of: length))", expected: ShortestPhase.expected)
  }
}
