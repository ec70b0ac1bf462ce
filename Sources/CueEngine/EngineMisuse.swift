import CueSound
import IntervalTimeline

// What a programmer has given that cannot be, as a sentence; nil where all is well.

/// - Parameter subject: what has the value, as a sentence begins.
private func fault<Value: Comparable>(
  _ subject: String, _ value: Value, _ range: ClosedRange<Value>
) -> String? {
  range.contains(value)
    ? nil : "\(subject) is \(value), expected \(range.lowerBound) to \(range.upperBound)"
}

extension CueEngine.Settings {
  var misuse: String? {
    let minute = Duration.seconds(60)
    let day = Duration.seconds(24 * 3600)
    let faults = [
      fault("checkInterval", checkInterval, .milliseconds(1)...minute),
      fault("startLead", startLead, .zero...minute),
      fault("duplicateWindow", duplicateWindow, .zero...day),
      fault("stall", stall, .zero...day),
      fault("pausedBySleep", pausedBySleep ?? .zero, .zero...day),
      fault("plan.halfwayFrom", plan.halfwayFrom, .zero...day),
      fault("plan.nextAt", plan.nextAt, .zero...day),
      fault("plan.leadIn", plan.leadIn, .zero...day),
      fault("plan.finishAt", plan.finishAt, .zero...day),
      fault("plan.elapsedAt", plan.elapsedAt, .zero...day),
      fault("plan.sendOffFrom", plan.sendOffFrom, .zero...day),
      fault("voices", voices, 1...1_000_000),
      fault("plan.countdown", plan.countdown, 0...60),
    ]
    return faults.compactMap { $0 }.first.map { "CueEngine.Settings.\($0)" }
  }
}

/// Of an output's latency.
func latencyMisuse(_ latency: Duration) -> String? {
  fault("the output's latency", latency, .zero...Duration.seconds(60))
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
    let faults = [
      fault("a voice's rate", voice.rate, 80...450), fault("a voice's pitch", voice.pitch, 0...99),
      fault("a countdown", countdown ?? 0, 0...60),
      countdowns.values.lazy.compactMap { fault("a countdown", $0, 0...60) }.first,
    ]
    return faults.compactMap { $0 }.first
  }
}

extension Message {
  /// The most characters of one wording: as in a preset's file. espeak-ng speaks no more.
  private static let maxLength = 500
  /// The most wordings; a preset's file has a handful.
  private static let maxCount = 100

  var misuse: String? {
    if wordings.isEmpty { return "a message without a wording" }
    if wordings.count > Self.maxCount {
      return "a message with \(wordings.count) wordings, expected at most \(Self.maxCount)"
    }
    if let longest = wordings.map(\.source.count).max(), longest > Self.maxLength {
      return "a text of \(longest) characters, expected at most \(Self.maxLength)"
    }
    return fault("a message's patience", patience, .zero...Duration.seconds(24 * 3600))
  }
}
