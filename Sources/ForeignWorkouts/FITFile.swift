import IntervalTimeline
import Presets

/// Workouts in FIT files, as watches and bicycle computers have them.
struct FITFile {
  static let expected: Sentence = "a FIT file of a workout"

  /// The kinds of message that are read.
  private enum Global {
    static let (fileID, workout, step) = (0 as UInt16, 26 as UInt16, 27 as UInt16)
  }
  private static let workoutType: UInt32 = 5

  /// A phase, or phases that are repeated.
  private struct Item {
    /// The number of its first step in the file.
    let number: Int
    /// Nil for a phase.
    var sets: Int?
    let steps: [PlacedStep]
  }

  private var draft = WorkoutDraft()
  /// In order.
  private var items: [Item] = []
  private var stepCount = 0

  static func draft(of bytes: [UInt8]) throws(FileFault) -> WorkoutDraft {
    guard bytes.count <= FileBytes.maximumCount else { throw FileBytes.tooMany() }
    var reader = try FITReader(bytes)
    var file = FITFile()
    var isWorkout = false
    while let message = try reader.next() {
      switch message.global {
      case Global.fileID:
        let type = try message.number(0)
        guard type == Self.workoutType else {
          throw FITMessage.fault(
            message.offset, "a FIT file of the type \(type.map { "\($0)" } ?? "none")",
            expected: "type 5, a workout")
        }
        isWorkout = true
      case Global.workout: file.draft.name = try message.text(8)
      case Global.step: try file.read(step: FITStep(message), number: file.stepCount)
      default: break
      }
    }
    guard isWorkout else {
      throw FileFault(line: nil, "a FIT file without file_id", expected: Self.expected)
    }
    if reader.hasMore { file.draft.report("what follows the first FIT file is not read") }
    for item in file.items { try file.draft.add(sets: item.sets ?? 1, item.steps, line: nil) }
    return file.draft
  }

  private mutating func read(step: FITStep, number: Int) throws(FileFault) {
    stepCount += 1
    guard stepCount <= Timeline.maximumPhaseCount else {
      throw FITMessage.fault(
        step.offset, "more than \(Timeline.maximumPhaseCount) steps",
        expected: "at most \(Timeline.maximumPhaseCount)")
    }
    if let (first, count) = try step.repetition() {
      return try repeatItems(from: first, count, step)
    }
    guard let length = try step.length(report: { draft.report($0) }) else { return }
    let target = try step.target { draft.report($0) }
    let label = [length.label, target].compactMap { $0 }.joined(separator: ", ")
    let isLonger = length.length.duration.map { $0 > .seconds(1) } ?? true
    let notes = step.notes.flatMap { notes in
      draft.remark(notes, at: isLonger ? .seconds(1) : .zero, in: length.length)
    }
    let phase = draft.step(
      step.kind, length.length, metres: length.metres, name: step.name, intensity: label,
      remarks: [notes].compactMap { $0 }, line: 1)
    items.append(Item(number: number, steps: [phase]))
  }

  /// Repeats the steps from `first` on, which are `count` times done in all. Sets hold phases; sets of sets are
  /// written out.
  private mutating func repeatItems(
    from first: Int, _ count: Int, _ step: FITStep
  ) throws(FileFault) {
    guard let place = items.firstIndex(where: { $0.number >= first }),
      items[place].number == first
    else {
      throw FITMessage.fault(
        step.offset, "a repetition from step \(first)", expected: "the number of a step before it")
    }
    let repeated = Array(items[place...])
    if repeated.allSatisfy({ $0.sets == nil }) {
      let phases = Item(number: first, sets: count, steps: repeated.flatMap(\.steps))
      items.replaceSubrange(place..., with: [phases])
      return
    }
    // Counted before anything is written out.
    let total = repeated.reduce(0) { $0 + ($1.sets ?? 1) * $1.steps.count }
    guard total <= Timeline.maximumPhaseCount / count else {
      throw FITMessage.fault(
        step.offset, "more than \(Timeline.maximumPhaseCount) phases, every repetition counted",
        expected: "at most \(Timeline.maximumPhaseCount)")
    }
    draft.report("repetitions within repetitions are kept as several blocks of sets")
    let again = repeated.map { Item(number: first, sets: $0.sets, steps: $0.steps) }
    for _ in 1..<count { items += again }
  }
}
