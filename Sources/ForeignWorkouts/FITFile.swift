import IntervalTimeline
import Presets

/// Workouts in FIT files, as watches and bicycle computers have them.
struct FITFile {
  static let expected = "a FIT file of a workout"

  /// The kinds of message that are read.
  private enum Global {
    static let (fileID, workout, step) = (0 as UInt16, 26 as UInt16, 27 as UInt16)
  }
  private static let workoutType: UInt32 = 5

  private indirect enum Item {
    case phase(PlacedStep)
    case sets(Int, [PlacedStep])

    var count: Int {
      switch self {
      case .phase: 1
      case .sets(let count, let steps): count * steps.count
      }
    }
  }

  private var draft = WorkoutDraft()
  /// In order, each with the number of its first step in the file.
  private var items: [(step: Int, item: Item)] = []
  private var stepCount = 0

  static func draft(of bytes: [UInt8]) throws(FileFault) -> WorkoutDraft {
    guard bytes.count <= FileBytes.maximumCount else { throw FileBytes.tooMany }
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
    for (_, item) in file.items {
      switch item {
      case .phase(let step): try file.draft.add(step)
      case .sets(let count, let steps): try file.draft.add(sets: count, steps, line: nil)
      }
    }
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
    items.append(
      (
        number,
        .phase(
          draft.step(
            step.kind, length.length, metres: length.metres, name: step.name, intensity: label,
            remarks: [notes].compactMap { $0 }, line: 1))
      ))
  }

  /// Repeats the steps from `first` on, which are `count` times done in all. Sets hold phases; sets of sets are
  /// written out.
  private mutating func repeatItems(
    from first: Int, _ count: Int, _ step: FITStep
  ) throws(FileFault) {
    guard let place = items.firstIndex(where: { $0.step >= first }), items[place].step == first
    else {
      throw FITMessage.fault(
        step.offset, "a repetition from step \(first)", expected: "the number of a step before it")
    }
    let repeated = items[place...].map(\.item)
    var phases: [PlacedStep] = []
    for case .phase(let step) in repeated { phases.append(step) }
    if phases.count == repeated.count {
      items.replaceSubrange(place..., with: [(first, .sets(count, phases))])
      return
    }
    // Counted before anything is written out.
    let total = repeated.reduce(0) { $0 + $1.count }
    guard total <= Timeline.maximumPhaseCount / count else {
      throw FITMessage.fault(
        step.offset, "more than \(Timeline.maximumPhaseCount) phases, every repetition counted",
        expected: "at most \(Timeline.maximumPhaseCount)")
    }
    draft.report("repetitions within repetitions are kept as several blocks of sets")
    for _ in 1..<count { items += repeated.map { (first, $0) } }
  }
}
