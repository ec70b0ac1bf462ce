import IntervalTimeline

/// Writes the text in which intervals.icu writes workouts.
enum IntervalsWriter {
  static func text(of workout: Workout, _ losses: inout Losses) -> String {
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

  private static func step(_ phase: Phase, _ losses: inout Losses) -> String {
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
    if RampName.base(of: phase) != nil { words.append("ramp") }
    if let label = phase.intensity { words.append(target(label, &losses)) }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The phase's name, or what its kind is called.
  private static func cue(_ phase: Phase, _ losses: inout Losses) -> String {
    guard let name = RampName.base(of: phase) ?? phase.name, isSafe(name) else {
      if phase.name != nil { losses.note("a name that looks like a length is not kept") }
      return KindName.of(phase.kind)
    }
    let read = IntervalsStep("\(name) 1s \(target(phase.intensity ?? "", &losses))", line: 1)
    if (KindName.kind(name) ?? read?.kind ?? .work) != phase.kind {
      losses.note("the kind of a phase with a name becomes what its power says")
    }
    return name
  }

  /// As intervals.icu writes it: "50-75% 90rpm".
  private static func target(_ label: String, _ losses: inout Losses) -> String {
    var parts: [String] = []
    for (span, unit) in [
      (PowerLabel.percent(in: label), "%"), (PowerLabel.watts(in: label), "w"),
      (PowerLabel.cadence(in: label), "rpm"),
    ] {
      guard let span else { continue }
      let last = span.first == span.last ? "" : "-\(Effort.text(span.last))"
      parts.append("\(Effort.text(span.first))\(last)\(unit)")
    }
    return parts.isEmpty ? label : parts.joined(separator: " ")
  }

  /// True if no word of a text would be read as a length or a time.
  private static func isSafe(_ text: String) -> Bool {
    !text.contains("^") && !text.contains("<!>") && IntervalsStep(Substring(text), line: 1) == nil
  }
}
