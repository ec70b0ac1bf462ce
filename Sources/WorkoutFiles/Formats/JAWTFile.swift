import IntervalTimeline

/// Workouts of Just Another Workout Timer: JSON of sets with exercises.
///
/// A backup has a list of workouts, a share is one bare workout.
struct JAWTFile {
  static let expected =
    "a JAWT workout: {\"title\": …, \"sets\": [{\"repetitions\": 3, \"exercises\": [{\"name\": …, \"duration\": 30}]}]}"

  struct Backup: Decodable {
    let workouts: [Workout]
  }

  struct Workout: Decodable {
    let title: String
    let sets: [Set]
  }

  struct Set: Decodable {
    let repetitions: LooseNumber
    let exercises: [Exercise]
  }

  struct Exercise: Decodable {
    let name: String
    let duration: LooseNumber
  }

  /// Either of the two, or neither.
  private struct Shape: Decodable {
    let workouts: OpenHIITFile.Ignored?
    let title: OpenHIITFile.Ignored?
    let sets: OpenHIITFile.Ignored?
  }

  /// True for JSON with the keys of a backup or of a share. A text that is cut short is no JSON, and is taken for
  /// one by its first key.
  static func isLike(_ text: Substring) -> Bool {
    if let shape = try? JSONText.value(Shape.self, of: String(text), expected: "") {
      return shape.workouts != nil || shape.title != nil && shape.sets != nil
    }
    let key = text.dropFirst().drop(while: \.isWhitespace)
    return ["\"workouts\"", "\"title\"", "\"version\"", "\"sets\""].contains { key.hasPrefix($0) }
  }

  static func draft(of text: String) throws(FileFault) -> WorkoutDraft {
    var draft = WorkoutDraft()
    let workout: Workout
    let shape = try JSONText.value(Shape.self, of: text, expected: expected)
    if shape.workouts != nil {
      let all = try JSONText.value(Backup.self, of: text, expected: expected).workouts
      guard let first = all.first else {
        throw FileFault(line: nil, "a list without a workout", expected: expected)
      }
      workout = first
      if all.count > 1 { draft.report("of \(all.count) workouts the first is read") }
    } else {
      workout = try JSONText.value(Workout.self, of: text, expected: expected)
    }
    draft.name = workout.title
    for (index, set) in workout.sets.enumerated() {
      try add(set, "sets[\(index)]", to: &draft)
    }
    return draft
  }

  private static func add(
    _ set: Set, _ place: String, to draft: inout WorkoutDraft
  ) throws(FileFault) {
    guard let count = Int(exactly: set.repetitions.value),
      (1...YamlEntry.maximumCount).contains(count)
    else {
      throw FileFault(
        line: nil,
        "\(place).repetitions is \(ForeignLength.shown(set.repetitions.value))",
        expected: "a whole number from 1 to \(YamlEntry.maximumCount)")
    }
    var steps: [PlacedStep] = []
    for (index, exercise) in set.exercises.enumerated() {
      let length = try ForeignLength.phase(
        exercise.duration.value, "\(place).exercises[\(index)].duration", line: nil)
      let kind = KindName.kind(exercise.name) ?? .work
      steps.append(draft.step(kind, .fixed(length), name: exercise.name, line: 1))
    }
    try draft.add(sets: count, steps, line: nil)
  }
}
