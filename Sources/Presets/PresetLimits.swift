import IntervalTimeline

/// How much a preset may hold, and so what is read from another program's file, which may be written as a preset.
package enum PresetLimits {
  /// The most sets of a block, and the most repetitions of a phase.
  package static let count = 10_000
  /// The most characters of a name.
  package static let name = NameRule.workout.maximum
  /// The most characters of a phase's intensity.
  package static let intensity = 100
  /// The most texts of one phase.
  package static let remarks = 100
  /// The shortest phase. No cue could be told from the next one in a shorter phase, and a check would have more of
  /// them to place than anybody can hear; `Timeline` itself takes a millisecond.
  static let shortestPhase = Duration.milliseconds(250)
}

extension PhaseLength {
  /// A phase that lasts, or may last at the longest, less than the shortest one; nil for any other.
  package func faultOfShortness(line: Int?) -> FileFault? {
    guard let length = duration, length < PresetLimits.shortestPhase else { return nil }
    return FileFault(
      line: line, "a phase of \(LengthText.text(of: length))",
      expected: "at least \(LengthText.text(of: PresetLimits.shortestPhase))")
  }
}
