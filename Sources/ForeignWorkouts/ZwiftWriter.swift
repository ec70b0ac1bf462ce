import IntervalTimeline
import Presets

/// Writes Zwift's `.zwo`.
enum ZwiftWriter {
  static func text(of workout: Workout, _ losses: inout ConversionWarnings) -> String {
    if workout.style != AnnouncementStyle() { losses.note("how it is announced is not kept") }
    let facts = workout.facts
    if facts.audience != nil || facts.source != nil {
      losses.note("for whom it is and where it comes from are not kept")
    }
    var lines = ["<workout_file>"]
    if let author = facts.author { lines.append("  <author>\(escaped(author))</author>") }
    lines.append("  <name>\(escaped(workout.name))</name>")
    if let text = facts.description {
      lines.append("  <description>\(escaped(text))</description>")
    }
    lines.append("  <sportType>bike</sportType>")
    if !facts.tags.isEmpty {
      lines += ["  <tags>"] + facts.tags.map { "    <tag name=\"\($0)\"/>" } + ["  </tags>"]
    }
    lines.append("  <workout>")
    for block in workout.blocks {
      if let intervals = intervals(block, wattsOf: workout.thresholdPower, &losses) {
        lines.append("    \(intervals)")
        continue
      }
      if block.sets != nil || block.numbering != nil {
        losses.note("sets of other than two phases of one power are written out")
      }
      for phase in WrittenPhase.phases(of: [block]) {
        lines += element(
          WrittenPhase(phase, wattsOf: workout.thresholdPower, &losses), &losses)
      }
    }
    return (lines + ["  </workout>", "</workout_file>", ""]).joined(separator: "\n")
  }

  /// Sets of two phases, of one power each and without texts.
  private static func intervals(
    _ block: Block, wattsOf threshold: Double?, _ losses: inout ConversionWarnings
  ) -> String? {
    let phases = block.steps.map(\.phase)
    guard let sets = block.sets, sets > 1, block.between == nil, phases.count == 2,
      block.steps.allSatisfy({ !$0.skippedInLastSet }),
      phases.allSatisfy({ $0.remarks.isEmpty && $0.length.end == nil })
    else { return nil }
    let both = phases.map { WrittenPhase($0, wattsOf: threshold, &losses) }
    let (on, off) = (both[0], both[1])
    guard both.allSatisfy({ $0.percent.first == $0.percent.last && !$0.losesWatts }),
      both.allSatisfy({ PowerZone(percent: $0.percent.middle).kind == $0.kind }),
      both.allSatisfy({ $0.cadence.map { $0.first == $0.last } ?? true })
    else { return nil }
    var attributes = [
      ("Repeat", "\(sets)"), ("OnDuration", on.length.secondsText()),
      ("OffDuration", off.length.secondsText()), ("OnPower", share(on.percent.first)),
      ("OffPower", share(off.percent.first)),
    ]
    if let cadence = on.cadence {
      attributes.append(("Cadence", Intensity.text(of: cadence.first)))
    }
    if let cadence = off.cadence {
      attributes.append(("CadenceResting", Intensity.text(of: cadence.first)))
    }
    return tag("IntervalsT", attributes) + "/>"
  }

  private static func element(_ phase: WrittenPhase, _ losses: inout ConversionWarnings) -> [String]
  {
    var attributes = [("Duration", phase.length.secondsText())]
    let (first, last) = (phase.percent.first, phase.percent.last)
    let name: String
    switch phase.kind {
    case .warmup, .cooldown:
      name = phase.kind == .warmup ? "Warmup" : "Cooldown"
      attributes += [("PowerLow", share(first)), ("PowerHigh", share(last))]
      if case .range = phase.percent { losses.note("a range of power becomes a ramp") }
    default:
      name = phase.percent.isRamp ? "Ramp" : "SteadyState"
      attributes +=
        first == last
        ? [("Power", share(first))] : [("PowerLow", share(first)), ("PowerHigh", share(last))]
      if PowerZone(percent: phase.percent.middle).kind != phase.kind {
        losses.note("the kind of a phase becomes what its power says")
      }
    }
    if phase.losesWatts { losses.note("a power in watts becomes the usual one of its kind") }
    if let cadence = phase.cadence {
      attributes +=
        cadence.first == cadence.last
        ? [("Cadence", Intensity.text(of: cadence.first))]
        : [
          ("CadenceLow", Intensity.text(of: cadence.first)),
          ("CadenceHigh", Intensity.text(of: cadence.last)),
        ]
    }
    let start = "    " + tag(name, attributes)
    guard !phase.texts.isEmpty else { return [start + "/>"] }
    let events = phase.texts.map { text in
      "      "
        + tag("textevent", [("timeoffset", text.at.secondsText()), ("message", text.text)]) + "/>"
    }
    return [start + ">"] + events + ["    </\(name)>"]
  }

  private static func share(_ percent: Double) -> String {
    let text = "\((percent * 10).rounded() / 1000)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func tag(_ name: String, _ attributes: [(String, String)]) -> String {
    "<" + name + attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}
