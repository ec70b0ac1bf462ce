import IntervalTimeline
import Presets

/// Writes the text in which intervals.icu writes workouts.
enum IntervalsWriter {
  static func text(of workout: Workout, _ losses: inout ConversionWarnings) -> String {
    losses.note("the name of the workout is not kept")
    if workout.style != AnnouncementStyle() { losses.note("how it is announced is not kept") }
    var parts: [String] = []
    for block in workout.blocks {
      for part in SetParts.of(block, &losses) {
        let steps = part.phases.map { step($0, &losses) }
        parts.append((part.sets > 1 ? "\(part.sets)x\n" : "") + steps.joined(separator: "\n"))
      }
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static func step(_ phase: Phase, _ losses: inout ConversionWarnings) -> String {
    var words = ["-", cue(phase, &losses)]
    for text in WrittenPhase.texts(of: phase, length: phase.length.duration ?? .zero, &losses) {
      guard isSafe(text.text) else {
        losses.note("a text that looks like a length is not kept")
        continue
      }
      if text.at.wholeMilliseconds % 1000 != 0 {
        losses.note("the times of texts are rounded to whole seconds")
      }
      words.append("\(text.at.components.seconds)^\(text.text)")
    }
    switch phase.length {
    case .fixed(let length): words.append(LengthText.text(of: length))
    case .open(let end, let bounds):
      words.append("press lap")
      if end != .untilNext || bounds != OpenBounds() {
        losses.note("a phase that something else ends lasts until the lap key is pressed")
      }
    }
    if let label = phase.intensity { words.append(target(label)) }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The phase's name, or what its kind is called.
  private static func cue(_ phase: Phase, _ losses: inout ConversionWarnings) -> String {
    var name = phase.name ?? KindName.of(phase.kind)
    if !isSafe(name) {
      losses.note("a name that looks like a length is not kept")
      name = KindName.of(phase.kind)
    }
    let read = phase.intensity.flatMap(Intensity.init(reading:))
    if PowerZone.kind(KindName.kind(name) ?? .work, read) != phase.kind {
      losses.note("the kind of a phase with a name becomes what its power says")
    }
    return name
  }

  /// As intervals.icu writes it: "ramp 50-75% 90rpm".
  private static func target(_ label: String) -> String {
    guard let intensity = Intensity(reading: label) else { return label }
    let parts = intensity.parts.map { part in
      guard case .target(let measure, let amount) = part, let unit = unit(of: measure) else {
        return Intensity([part]).text
      }
      let numbers = [amount.first, amount.last].map(Intensity.text(of:))
      let isOne = numbers[0] == numbers[1]
      return (amount.isRamp ? "ramp " : "") + (isOne ? numbers[0] : numbers.joined(separator: "-"))
        + unit
    }
    return parts.joined(separator: " ")
  }

  private static func unit(of measure: Intensity.Measure) -> String? {
    switch measure {
    case .thresholdPower, .percent: "%"
    case .maximumHeartRate: "% HR"
    case .thresholdHeartRate: "% LTHR"
    case .thresholdSpeed: "% Pace"
    case .watts: "w"
    case .revolutionsPerMinute: "rpm"
    default: nil
    }
  }

  /// True if no word of a text would be read as a length or a time.
  private static func isSafe(_ text: String) -> Bool {
    !text.contains("^") && !text.contains("<!>") && IntervalsStep(Substring(text), line: 1) == nil
  }
}
