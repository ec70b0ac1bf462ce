import ForeignWorkouts
import IntervalTimeline
import Presets
import TestSupport
import Testing

/// A workout as lines that a test can compare: blocks, phases, texts.
struct Outline {
  let lines: [String]

  /// `high 1:00 "Hard" (110 % FTP) [30.0 seconds: Halfway]`, under `4 x`, `each` or `-`.
  init(_ workout: Workout) {
    var lines: [String] = []
    for block in workout.blocks {
      lines.append(block.sets.map { "\($0) x" } ?? block.numbering?.rawValue ?? "-")
      for step in block.steps {
        lines.append("  " + Self.line(step.phase) + (step.skippedInLastSet ? " skip" : ""))
      }
      if let between = block.between { lines.append("  between " + Self.line(between)) }
    }
    self.lines = lines
  }

  private static func line(_ phase: Phase) -> String {
    var words = [phase.kind.rawValue]
    switch phase.length {
    case .fixed(let length): words.append("\(length / .seconds(1))")
    case .open(.reps(let reps), _): words.append("\(reps)x")
    case .open(.untilNext, _): words.append("open")
    case .open(.signal(let name), _): words.append(name)
    case .open(.sendOff(let time), _): words.append("on \(time / .seconds(1))")
    case .open(.heartRate(let limit), _): words.append("below \(limit)")
    }
    if let name = phase.name { words.append("\"\(name)\"") }
    if let intensity = phase.intensity { words.append("(\(intensity))") }
    for remark in phase.remarks {
      guard case .fromStart(let time) = remark.place else { continue }
      words.append("[\(time / .seconds(1)): \(remark.wordings[0].filled { _ in nil } ?? "?")]")
    }
    return words.joined(separator: " ")
  }
}

/// A file of another program as it is read. Every language says what of it is not kept.
func foreign(
  _ text: String, _ file: String = "a.txt", flat: Bool = false
) throws(FileError) -> WorkoutFile {
  let read = try WorkoutFile.parse(
    Array(text.utf8), file: file, variant: WorkoutVariant(isFlat: flat))
  #expect(read.document.reports.flatMap(Translated.missing) == [])
  return read
}

/// The message about a file of another program, which every language has; nil if it is read.
func complaint(
  _ bytes: [UInt8], _ file: String = "a.txt", _ variant: WorkoutVariant = WorkoutVariant()
) -> String? {
  let error = failure(FileError.self) {
    _ = try WorkoutFile.parse(bytes, file: file, variant: variant)
  }
  if let error { #expect(Translated.missing(error.sentence) == []) }
  return error?.description
}

func complaint(
  _ text: String, _ file: String = "a.txt", _ variant: WorkoutVariant = WorkoutVariant()
) -> String? {
  complaint(Array(text.utf8), file, variant)
}
