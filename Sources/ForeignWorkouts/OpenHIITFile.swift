import IntervalTimeline
import JSONGrammar
import Presets

/// Timers of OpenHIIT: JSON of times of work, rest and break.
///
/// Getting ready comes first, then a warm-up and a rest after it, then the rounds, then a cool-down. A round has
/// `activeIntervals` of work with rests between them, and a break after it, but after the last one. There is one
/// round more than `restarts`.
struct OpenHIITFile {
  static let expected: Sentence =
    "an OpenHIIT timer: [{\"name\": …, \"activeIntervals\": 8, \"timeSettings\": {\"workTime\": 20, \"restTime\": 10}}]"

  struct Timer: Decodable {
    let name: String?
    let activeIntervals: LooseNumber
    let activities: Nested<[String]>?
    let timeSettings: Nested<Times>
    let soundSettings: Ignored?
  }

  /// In seconds; zero or nil for none.
  struct Times: Decodable {
    let getReadyTime: LooseNumber?
    let warmupTime: LooseNumber?
    let workTime: LooseNumber
    let restTime: LooseNumber?
    let breakTime: LooseNumber?
    let cooldownTime: LooseNumber?
    let restarts: LooseNumber?
  }

  /// Anything at all.
  struct Ignored: Decodable { init(from _: any Decoder) {} }

  /// A value, or a text that holds it as JSON.
  struct Nested<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard let text = try? container.decode(String.self) else {
        value = try container.decode(Value.self)
        return
      }
      do throws(FileFault) {
        value = try JSONText(text, expected: "").value(Value.self)
      } catch {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: error.problem.text)
      }
    }
  }

  private let timer: Timer
  private let json: JSONText
  private var draft = WorkoutDraft()

  static func draft(of text: String) throws(FileFault) -> WorkoutDraft {
    let json = JSONText(text, expected: expected)
    let timers = try json.value([Timer].self)
    guard let first = timers.first else {
      throw FileFault(line: nil, "a list without a timer", expected: expected)
    }
    var file = OpenHIITFile(timer: first, json: json)
    if timers.count > 1 { file.draft.report("of \(timers.count) timers the first is read") }
    if first.soundSettings != nil { file.draft.report("the choice of sounds is not kept") }
    try file.read()
    return file.draft
  }

  private mutating func read() throws(FileFault) {
    let times = timer.timeSettings.value
    draft.name = timer.name
    let intervals = try json.count(
      timer.activeIntervals, at: [.index(0), "activeIntervals"], "activeIntervals",
      in: 1...PresetLimits.count)
    let restarts =
      try times.restarts.map { number throws(FileFault) in
        try json.count(
          number, at: [.index(0), "timeSettings", "restarts"], "restarts",
          in: 0...(PresetLimits.count - 1))
      } ?? 0

    try add(.prepare, times.getReadyTime, "getReadyTime")
    let rest = try phase(.rest, times.restTime, "restTime")
    if let warmup = try phase(.warmup, times.warmupTime, "warmupTime") {
      try draft.add(warmup)
      if let rest { try draft.add(rest) }
    }
    try addRounds(intervals, rounds: restarts + 1, rest)
    try add(.cooldown, times.cooldownTime, "cooldownTime")
  }

  private mutating func addRounds(
    _ intervals: Int, rounds: Int, _ rest: PlacedStep?
  ) throws(FileFault) {
    let times = timer.timeSettings.value
    let pause = try phase(.rest, times.breakTime, "breakTime", name: "Break")
    let names = timer.activities?.value ?? []
    var works: [PlacedStep] = []
    for index in 0..<max(1, min(intervals, names.count)) {
      let name = names.isEmpty ? nil : names[index]
      guard let work = try phase(.work, times.workTime, "workTime", name: name) else {
        throw ForeignLength.noPhase(
          Sentence(verbatim: "timeSettings.workTime"), "0",
          json.line(of: [.index(0), "timeSettings", "workTime"]))
      }
      works.append(work)
    }
    let areSame = works.allSatisfy { $0.step == works[0].step }
    if rounds == 1, areSame {
      // Its intervals are the sets.
      return try draft.add(
        sets: intervals, [works[0]] + [rest?.skippedInLastSet].compactMap { $0 }, line: nil)
    }
    var round: [PlacedStep] = []
    for index in 0..<intervals {
      round.append(works[index % works.count])
      if index < intervals - 1, let rest { round.append(rest) }
    }
    if rounds == 1 { return try draft.add(each: round) }
    if let pause { round.append(pause.skippedInLastSet) }
    try draft.add(sets: rounds, round, line: nil)
  }

  private mutating func add(
    _ kind: PhaseKind, _ seconds: LooseNumber?, _ key: String
  ) throws(FileFault) {
    if let step = try phase(kind, seconds, key) { try draft.add(step) }
  }

  /// Nil for no time.
  private mutating func phase(
    _ kind: PhaseKind, _ seconds: LooseNumber?, _ key: String, name: String? = nil
  ) throws(FileFault) -> PlacedStep? {
    guard let seconds = seconds?.value, seconds != 0 else { return nil }
    let length = try json.at([.index(0), "timeSettings", .key(key)]) { () throws(FileFault) in
      try ForeignLength.phase(seconds, Sentence(verbatim: "timeSettings.\(key)"), line: nil)
    }
    return draft.step(kind, .fixed(length), name: name, line: 1)
  }
}

extension PlacedStep {
  /// The same without it in the last set.
  fileprivate var skippedInLastSet: PlacedStep {
    var skipped = self
    skipped.step.skippedInLastSet = true
    return skipped
  }
}
