/// What a sound means, and the name of its file in a sound pack.
public enum SoundRole: String, CaseIterable, Hashable, Sendable {
  /// A beep of a countdown, on each of the last seconds before a boundary.
  case count
  /// A high or work phase begins.
  case highBegins = "high-begins"
  /// A phase begins that is neither effort nor rest: preparation, warm-up, low, cool-down.
  case lowBegins = "low-begins"
  /// A rest or recovery begins.
  case restBegins = "rest-begins"
  /// The next phase of a rolling course begins; softer than the others.
  case change
  /// A set ends that was not counted down in words.
  case setEnds = "set-ends"
  /// The workout is over.
  case finish
  /// Answers `pause`.
  case paused
  /// Answers `resume`.
  case resumed

  /// A reading is below its target: in place of words, where a workout is to say nothing.
  case tooLow = "too-low"
  /// A reading is above its target, in the same way.
  case tooHigh = "too-high"
  /// The heart rate is at the athlete's alarm.
  case alarm

  /// A beat of a metronome.
  case tick
  /// The first of some beats.
  case accent
  /// The finish of a stroke, or a part of a beat.
  case offbeat

  /// A tick of a metronome: its peak is what counts, and words are understood over it.
  package var isTick: Bool { self == .tick || self == .accent || self == .offbeat }

  /// How loud it is beside the others: a linear gain.
  package var gain: Float { self == .change ? 0.35 : self == .offbeat ? 0.5 : 1 }
}
