import CueEngine
import IntervalTimeline
import SessionStore

/// The figures of an entry for programs, with the same names in JSON and in CSV.
enum HistoryFields {
  private enum Value {
    case text(String)
    case number(Int64)
    case seconds(Duration)
    case list([String])
  }

  /// What is nil is unknown or not there.
  private static let fields: [(name: String, value: @Sendable (HistoryEntry) -> Value?)] = [
    ("id", { .text($0.id) }),
    ("lane", { .text($0.lane) }),
    ("workout", { .text($0.workout) }),
    ("outcome", { .text($0.outcome.rawValue) }),
    ("started", { .text(utc($0.startedAt)) }),
    ("startedNanoseconds", { .number($0.startedAt) }),
    ("ended", { .text(utc($0.endedAt)) }),
    ("endedNanoseconds", { .number($0.endedAt) }),
    ("length", { .seconds($0.summary.elapsed) }),
    ("lengthNanoseconds", { .number($0.summary.elapsed.wholeNanoseconds) }),
    ("pauses", { .number(Int64($0.summary.pauseCount)) }),
    ("pauseLength", { .seconds($0.summary.pauses) }),
    ("pauseNanoseconds", { .number($0.summary.pauses.wholeNanoseconds) }),
    ("sets", { .number(Int64($0.summary.sets)) }),
    ("setsDone", { .number(Int64($0.summary.setsDone)) }),
    ("setsSkipped", { .number(Int64($0.summary.setsSkipped)) }),
    ("phases", { .number(Int64($0.summary.phases)) }),
    ("phasesDone", { .number(Int64($0.summary.phasesDone)) }),
    ("phasesSkipped", { .number(Int64($0.summary.phasesSkipped)) }),
    ("completionPercent", { .number(Int64($0.completionPercent)) }),
    ("cuesPlayed", { .number(Int64($0.cuesPlayed)) }),
    ("cuesMissed", { .number(Int64($0.cuesMissed)) }),
    ("rounds", { .number(Int64($0.summary.rounds)) }),
    ("preset", { $0.origin.preset.isEmpty ? nil : .text($0.origin.preset) }),
    ("tags", { $0.origin.tags.isEmpty ? nil : .list($0.origin.tags) }),
    ("work", { $0.course.map { .seconds($0.work) } }),
    ("rest", { $0.course.map { .seconds($0.rest) } }),
  ]

  private static func utc(_ nanoseconds: Int64) -> String {
    WallTime(nanoseconds) { _ in 0 }.utcText
  }

  static func object(_ entry: HistoryEntry) -> JSONObject {
    var object = JSONObject()
    for (name, value) in fields {
      switch value(entry) {
      case .text(let text): object.add(name, text)
      case .number(let number): object.add(name, number)
      case .seconds(let length): object.add(name, seconds: length)
      case .list(let texts): object.add(name, texts)
      case nil: break
      }
    }
    if !entry.readings.isEmpty { object.add("readings", entry.readings.map(readings)) }
    return object
  }

  private static func readings(_ phase: PhaseReadings) -> JSONObject {
    var object = JSONObject()
    object.add("phase", phase.phase)
    object.add("kind", phase.kind.rawValue)
    object.add("mean", decimal: (phase.mean * 10).rounded() / 10)
    object.add("seconds", seconds: .milliseconds(phase.milliseconds))
    object.add("onTargetSeconds", seconds: .milliseconds(phase.onTarget))
    return object
  }

  /// RFC 4180: a header, and every line ended with CR and LF.
  static func csv(_ entries: [HistoryEntry]) -> String {
    let rows = entries.map { entry in fields.map { quoted($0.value(entry)) } }
    return ([fields.map(\.name)] + rows).map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  private static func quoted(_ value: Value?) -> String {
    switch value {
    case .text(let text): text.tableCell
    case .number(let number): "\(number)"
    case .seconds(let length): length.secondsText(decimals: 9)
    case .list(let texts): texts.joined(separator: " ").tableCell
    case nil: ""
    }
  }
}

extension HistoryEntry {
  /// Rounded down: only a complete workout gives 100.
  var completionPercent: Int { summary.phases > 0 ? summary.phasesDone * 100 / summary.phases : 0 }
}
