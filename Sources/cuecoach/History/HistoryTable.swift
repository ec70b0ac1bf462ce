import IntervalTimeline
import SessionStore

/// The history as lines for people: a chart of the weeks, and a line for each session.
struct HistoryTable {
  static let greatestWeeks = 8
  private static let barColumns = 24
  /// The least of an id that is shown.
  private static let leastID = 8

  let entries: [HistoryEntry]
  let zone: WallTime.Zone

  func weekLines(now: Int64) -> [String] {
    let summary = WeekSummary(entries, now: now, in: zone)
    let weeks = summary.weeks.prefix(Self.greatestWeeks)
    let longest = weeks.map(\.length).max() ?? .zero
    var table = TextTable([
      ("Week of", .left), ("Sessions", .right), ("Minutes", .right), ("", .left),
    ])
    for week in weeks {
      let share = longest > .zero ? week.length / longest : 0
      table.add([
        week.monday.text, "\(week.sessions)", Self.minutes(week.length),
        Bar.text(share, columns: Self.barColumns),
      ])
    }
    let streak = summary.streak == 1 ? "1 week" : "\(summary.streak) weeks"
    return table.lines + ["Streak: \(streak)"]
  }

  /// To the nearest; a session that was shorter is not nothing.
  private static func minutes(_ length: Duration) -> String {
    let minutes = (length.components.seconds + 30) / 60
    return minutes == 0 && length > .zero ? "<1" : "\(minutes)"
  }

  var sessionLines: [String] {
    var table = TextTable([
      ("Started", .left), ("Length", .right), ("Lane", .left), ("Workout", .left),
      ("Outcome", .left), ("Sets", .right), ("Phases", .right), ("Skipped", .right),
      ("Done", .right), ("Cues", .right), ("Missed", .right), ("Pauses", .left), ("ID", .left),
    ])
    let idLength = Self.idLength(entries.map(\.id))
    for entry in entries {
      let summary = entry.summary
      table.add([
        WallTime(entry.startedAt, in: zone).minuteText,
        summary.elapsed.passedText,
        TextTable.cell(entry.lane, atMost: 16),
        TextTable.cell(entry.workout, atMost: 32),
        entry.outcome.rawValue,
        summary.sets == 0 ? "-" : "\(summary.setsDone)/\(summary.sets)",
        "\(summary.phasesDone)/\(summary.phases)",
        "\(summary.phasesSkipped)",
        "\(entry.completionPercent)%",
        "\(entry.cuesPlayed)",
        "\(entry.cuesMissed)",
        summary.pauseCount == 0
          ? "0" : "\(summary.pauseCount) (\(summary.pauses.passedText))",
        String(entry.id.prefix(idLength)).singleLine,
      ])
    }
    return table.lines
  }

  /// How many letters tell every id from the others.
  private static func idLength(_ ids: [String]) -> Int {
    let ids = ids.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    // A letter has at least a byte, so as many letters as bytes are enough.
    let common = zip(ids, ids.dropFirst()).map { zip($0, $1).prefix { $0 == $1 }.count }
    return max(leastID, (common.max() ?? 0) + 1)
  }

  /// Everything of one entry, a line for each figure.
  static func detailLines(_ entry: HistoryEntry, in zone: WallTime.Zone) -> [String] {
    let summary = entry.summary
    let pauses =
      summary.pauseCount == 0
      ? "none" : "\(summary.pauseCount), \(summary.pauses.passedText) in all"
    func progress(_ done: Int, _ skipped: Int, of all: Int) -> String {
      all == 0 ? "none" : "\(done) of \(all) done, \(skipped) skipped"
    }
    let lines = [
      ("Workout", entry.workout),
      ("Lane", entry.lane),
      ("Outcome", "\(entry.outcome.rawValue): \(entry.outcome.sentence)"),
      ("Started", WallTime(entry.startedAt, in: zone).secondText),
      ("Ended", WallTime(entry.endedAt, in: zone).secondText),
      ("Length", "\(summary.elapsed.clockText), without the pauses"),
      ("Pauses", pauses),
      ("Sets", progress(summary.setsDone, summary.setsSkipped, of: summary.sets)),
      ("Phases", progress(summary.phasesDone, summary.phasesSkipped, of: summary.phases)),
      ("Done", "\(entry.completionPercent)%"),
      ("Cues", "\(entry.cuesPlayed) played, \(entry.cuesMissed) missed"),
      ("ID", entry.id),
    ]
    return lines.map { name, text in
      name + String(repeating: " ", count: 9 - name.count) + text.singleLine
    }
  }
}

extension HistoryEntry.Outcome {
  fileprivate var sentence: String {
    switch self {
    case .finished: "it ran to its end"
    case .stopped: "it was ended before its end"
    case .abandoned: "it was discarded, or nobody came back to it"
    case .unattended: "its end passed while cuecoach was not running"
    }
  }
}
