import IntervalTimeline
import Presets

/// Workouts as intervals.icu writes them: a step on each line, with what is said, how long it lasts and how hard.
///
///     Warmup
///     - 10m ramp 50-75%
///
///     Main set 4x
///     - Hard 30^Halfway 1m 110% 90rpm
///     - Recovery 30s 50%
///
///     Cooldown
///     - press lap 50%
///
/// `m` are minutes and `mtr` metres. What follows the length is the step's intensity.
struct IntervalsText {
  static let expected: Sentence = "steps such as - 10m 75% 90rpm"

  private var draft = WorkoutDraft()
  /// Those of the repetition that is open, and how often they are done.
  private var steps: [PlacedStep] = []
  private var sets = 1
  private var setsLine: Int?
  private var section: PhaseKind?

  /// True if a line is a step and none is a key of a preset.
  static func isLike(_ text: FileText) -> Bool {
    var hasStep = false
    for line in text.lines {
      if PresetForm.isKey(line) { return false }
      hasStep = hasStep || stepText(line).map { IntervalsStep($0, line: 1) != nil } ?? false
    }
    return hasStep
  }

  static func draft(of text: FileText) throws(FileFault) -> WorkoutDraft {
    var file = IntervalsText()
    for (index, line) in text.lines.enumerated() { try file.read(line, number: index + 1) }
    try file.endSets()
    return file.draft
  }

  private static func stepText(_ line: Substring) -> Substring? {
    let line = line.trimmed
    guard line.first == "-" else { return nil }
    return line.dropFirst().trimmed
  }

  private mutating func read(_ line: Substring, number: Int) throws(FileFault) {
    if let text = Self.stepText(line) {
      guard let step = IntervalsStep(text, line: number) else {
        throw FileFault(
          line: number, "a step without a length: \(quoted(String(text)))",
          expected: "\(Self.expected), or press lap")
      }
      try add(step)
      return
    }
    let words = line.trimmed.words
    try endSets()
    guard let last = words.last else { return }
    var title = words[...]
    if last.lowercased().hasSuffix("x"), last.dropLast().allSatisfy(\.isNumber), last.count > 1 {
      sets = try ForeignLength.repetitions(String(last.dropLast()), "the repetition", line: number)
      setsLine = number
      title.removeLast()
    }
    guard !title.isEmpty, setsLine != number else {
      section = nil
      return
    }
    let kind = KindName.kind(title.joined(separator: " "))
    section = kind == .warmup || kind == .cooldown ? kind : nil
    if section == nil { draft.report("titles and lines that are no steps are not kept") }
  }

  private mutating func endSets() throws(FileFault) {
    // A blank line between the title and its steps ends nothing.
    guard !steps.isEmpty else { return }
    try draft.add(sets: sets, steps, line: setsLine)
    (steps, sets, setsLine) = ([], 1, nil)
  }

  private mutating func add(_ step: IntervalsStep) throws(FileFault) {
    let length: PhaseLength
    var metres: Double?
    switch step.length {
    case .time(let seconds):
      length = .fixed(try ForeignLength.phase(seconds, "the length", line: step.line))
    case .distance(let distance):
      guard distance > 0, distance < 1e7 else {
        throw FileFault(
          line: step.line, "a distance of \(ForeignLength.shown(distance)) m",
          expected: "more than zero, below 10,000 km")
      }
      (length, metres) = (.open(.untilNext), distance)
    case .lap: length = .open(.untilNext)
    }
    if step.length == .lap, step.hasLengthToo {
      draft.report("a step that lasts until the lap key is pressed has no length beside it")
    }
    let named = step.cue.isEmpty ? nil : step.cue
    let own = named.flatMap(KindName.kind)
    let remarks = step.prompts.compactMap { prompt in
      draft.remark(prompt.text, at: prompt.at, in: length)
    }
    steps.append(
      draft.step(
        section ?? own ?? .work, length, metres: metres, name: named, intensity: step.intensity,
        remarks: remarks, line: step.line))
  }
}
