import CueSound
import IntervalTimeline

// What a programmer has given that cannot be, as a sentence; nil where all is well.

extension CueEngine.Settings {
  var misuse: String? {
    let day = Duration.seconds(24 * 3600)
    let times: [(name: String, value: Duration, range: ClosedRange<Duration>)] = [
      ("checkInterval", checkInterval, .milliseconds(1)...(.seconds(60))),
      ("startLead", startLead, .zero...(.seconds(60))),
      ("duplicateWindow", duplicateWindow, .zero...day),
      ("stall", stall, .zero...day),
      ("pausedBySleep", pausedBySleep ?? .zero, .zero...day),
      ("plan.halfwayFrom", plan.halfwayFrom, .zero...day),
      ("plan.nextFrom", plan.nextFrom, .zero...day),
      ("plan.nextAt", plan.nextAt, .zero...day),
      ("plan.leadIn", plan.leadIn, .zero...day),
      ("plan.finishAt", plan.finishAt, .zero...day),
      ("plan.elapsedAt", plan.elapsedAt, .zero...day),
    ]
    for (name, value, range) in times where !range.contains(value) {
      return "CueEngine.Settings.\(name) is \(value), "
        + "expected \(range.lowerBound) to \(range.upperBound)"
    }
    for (name, value, range) in [
      ("voices", voices, 1...1_000_000), ("plan.countdown", plan.countdown, 0...60),
    ] where !range.contains(value) {
      return "CueEngine.Settings.\(name) is \(value), "
        + "expected \(range.lowerBound) to \(range.upperBound)"
    }
    return nil
  }
}

extension SpeechLibrary {
  /// Words of another rate than the sounds' would be heard at another pitch and length.
  func misuse(with sounds: SoundPack) -> String? {
    guard rate != sounds.rate else { return nil }
    return "the speech library renders at \(rate) samples a second, "
      + "the engine's sounds have \(sounds.rate)"
  }
}

extension LaneStyle {
  var misuse: String? {
    if !(0...1).contains(voice.gain) { return "a voice's gain is \(voice.gain), expected 0 to 1" }
    for (name, value, range) in [
      ("a voice's rate", voice.rate, 80...450), ("a voice's pitch", voice.pitch, 0...99),
      ("a countdown", countdown ?? 0, 0...60),
    ] where !range.contains(value) {
      return "\(name) is \(value), expected \(range.lowerBound) to \(range.upperBound)"
    }
    return nil
  }
}
