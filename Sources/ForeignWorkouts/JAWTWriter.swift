import IntervalTimeline

/// Writes the JSON of Just Another Workout Timer: one bare workout.
enum JAWTWriter {
  private struct Share: Encodable {
    let title: String
    let version = 2
    let position = 0
    let sets: [Set]
  }

  private struct Set: Encodable {
    let id: String
    let repetitions: Int
    let exercises: [Exercise]
  }

  private struct Exercise: Encodable {
    let id: String
    let name: String
    let duration: Int64
  }

  static func text(of workout: Workout, _ losses: inout ConversionWarnings) -> String {
    if workout.style != AnnouncementStyle() { losses.note("how it is announced is not kept") }
    var sets: [Set] = []
    var id = 0
    for block in workout.blocks {
      for part in SetParts.of(block, &losses) {
        let exercises = part.phases.map { phase in
          id += 1
          return exercise(phase, id: id, &losses)
        }
        sets.append(
          Set(id: "\(sets.count + 1)", repetitions: part.sets, exercises: exercises))
      }
    }
    return JSONText.text(of: Share(title: workout.name, sets: sets)) + "\n"
  }

  private static func exercise(_ phase: Phase, id: Int, _ losses: inout ConversionWarnings)
    -> Exercise
  {
    let name = phase.name ?? KindName.of(phase.kind)
    if (KindName.kind(name) ?? .work) != phase.kind {
      losses.note("the kind of a phase with a name of its own becomes work")
    }
    if phase.intensity != nil { losses.note("the intensity of a phase is not kept") }
    if phase.metronome != nil { losses.note("a metronome is not kept") }
    if phase.glides != nil { losses.note("the tones of a tempo are not kept") }
    if !phase.remarks.isEmpty { losses.note("texts are not kept") }
    let length = WrittenPhase.length(of: phase, &losses)
    if length.wholeMilliseconds % 1000 != 0 { losses.note("lengths are rounded to whole seconds") }
    let seconds = max(1, (length.wholeMilliseconds + 500) / 1000)
    return Exercise(id: "\(id)", name: name, duration: seconds)
  }
}
