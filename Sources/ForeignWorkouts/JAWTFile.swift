import IntervalTimeline
import JSONGrammar
import Presets

/// Workouts of Just Another Workout Timer: JSON of sets with exercises.
///
/// A backup has a list of workouts, a share is one bare workout.
struct JAWTFile {
  static let expected: Sentence =
    "a JAWT workout: {\"title\": …, \"sets\": [{\"repetitions\": 3, \"exercises\": [{\"name\": …, \"duration\": 30}]}]}"

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

  /// What an object of JSON is, by its keys.
  private enum Contents: Decodable {
    case backup([Workout])
    case share(Workout)
    case other

    private enum Keys: CodingKey { case workouts, title, sets }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Keys.self)
      if values.contains(.workouts) {
        self = .backup(try values.decode([Workout].self, forKey: .workouts))
      } else if values.contains(.title), values.contains(.sets) {
        self = .share(try Workout(from: decoder))
      } else {
        self = .other
      }
    }
  }

  private let contents: Result<Contents, FileFault>
  private let json: JSONText

  /// Nil unless it has the keys of a backup or of a share. A text that is no JSON, such as one that is cut short, is
  /// taken for one by its first key.
  init?(_ text: String) {
    json = JSONText(text, expected: Self.expected)
    if json.malformation != nil, !Self.hasOwnKeyFirst(text) { return nil }
    do throws(FileFault) {
      let contents = try json.value(Contents.self)
      if case .other = contents { return nil }
      self.contents = .success(contents)
    } catch {
      contents = .failure(error)
    }
  }

  private static func hasOwnKeyFirst(_ text: String) -> Bool {
    let key = text.drop(while: \.isWhitespace).dropFirst().drop(while: \.isWhitespace)
    return ["workouts", "title", "version", "sets", "position"].contains {
      key.hasPrefix("\"\($0)\"")
    }
  }

  func draft() throws(FileFault) -> WorkoutDraft {
    var draft = WorkoutDraft()
    let workout: Workout
    var place: [JSONStep] = []
    switch try contents.get() {
    case .backup(let all):
      guard let first = all.first else {
        throw FileFault(
          line: json.line(of: ["workouts"]), "a list without a workout", expected: Self.expected)
      }
      workout = first
      place = ["workouts", .index(0)]
      if all.count > 1 { draft.report("of \(all.count) workouts the first is read") }
    case .share(let share): workout = share
    case .other: throw FileFault(line: nil, "JSON of another kind", expected: Self.expected)
    }
    draft.name = workout.title
    for (index, set) in workout.sets.enumerated() {
      try add(set, place + ["sets", .index(index)], "sets[\(index)]", to: &draft)
    }
    return draft
  }

  private func add(
    _ set: Set, _ steps: [JSONStep], _ place: String, to draft: inout WorkoutDraft
  ) throws(FileFault) {
    let count = try json.count(
      set.repetitions, at: steps + ["repetitions"], "\(place).repetitions",
      in: 1...PresetLimits.count)
    var exercises: [PlacedStep] = []
    for (index, exercise) in set.exercises.enumerated() {
      let length = try json.at(steps + ["exercises", .index(index), "duration"]) {
        () throws(FileFault) in
        try ForeignLength.phase(
          exercise.duration.value, Sentence(verbatim: "\(place).exercises[\(index)].duration"),
          line: nil)
      }
      let kind = KindName.kind(exercise.name) ?? .work
      exercises.append(draft.step(kind, .fixed(length), name: exercise.name, line: 1))
    }
    try draft.add(sets: count, exercises, line: nil)
  }
}
