import IntervalTimeline

/// Writes the JSON of Just Another Workout Timer: one bare workout.
enum JAWTWriter {
  static func text(of workout: Workout, _ losses: inout Losses) -> String {
    if workout.style != AnnouncementStyle() { losses.note("how it is announced is not kept") }
    var sets: [String] = []
    var id = 0
    for block in workout.blocks {
      for part in SetParts.of(block, &losses) {
        let exercises = part.phases.map { phase in
          id += 1
          return exercise(phase, id: id, &losses)
        }
        sets.append(
          "    {\"id\": \"\(sets.count + 1)\", \"repetitions\": \(part.sets), \"exercises\": [\n"
            + exercises.joined(separator: ",\n") + "\n    ]}")
      }
    }
    return "{\n  \"title\": \(quoted(workout.name)),\n  \"version\": 2,\n  \"position\": 0,\n"
      + "  \"sets\": [\n" + sets.joined(separator: ",\n") + "\n  ]\n}\n"
  }

  private static func exercise(_ phase: Phase, id: Int, _ losses: inout Losses) -> String {
    let name = phase.name ?? KindName.of(phase.kind)
    if (KindName.kind(name) ?? .work) != phase.kind {
      losses.note("the kind of a phase with a name of its own becomes work")
    }
    if phase.intensity != nil { losses.note("the intensity of a phase is not kept") }
    if !phase.remarks.isEmpty { losses.note("texts are not kept") }
    let length = WrittenPhase.length(of: phase, &losses)
    if length.wholeMilliseconds % 1000 != 0 { losses.note("lengths are rounded to whole seconds") }
    let seconds = max(1, (length.wholeMilliseconds + 500) / 1000)
    return
      "      {\"id\": \"\(id)\", \"name\": \(quoted(name)), \"duration\": \(seconds)}"
  }

  private static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"": return "\\\""
      case "\\": return "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: return String(scalar)
      }
    }
    return "\"" + scalars.joined() + "\""
  }
}
