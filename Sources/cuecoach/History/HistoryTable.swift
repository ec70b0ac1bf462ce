import IntervalTimeline
import SessionStore

/// The history as lines for people: a chart of the weeks, and a line for each session.
struct HistoryTable {
  static let maximumWeeks = 8
  private static let barColumns = 24
  /// The shortest shown prefix of an id.
  private static let leastID = 8

  let entries: [HistoryEntry]
  let zone: WallTime.Zone
  /// The width for the rows of sessions.
  var columns = 80

  func weekLines(now: Int64) -> [String] {
    let summary = WeekSummary(entries, now: now, in: zone)
    let weeks = summary.weeks.prefix(Self.maximumWeeks)
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

  /// Rounded to the nearest minute; a shorter session is not shown as 0.
  private static func minutes(_ length: Duration) -> String {
    let minutes = (length.components.seconds + 30) / 60
    return minutes == 0 && length > .zero ? "<1" : "\(minutes)"
  }

  private static let columnNames: [(name: String, side: TextTable.Side)] = [
    ("Started", .left), ("Length", .right), ("Lane", .left), ("Workout", .left),
    ("Outcome", .left), ("Sets", .right), ("Phases", .right), ("Skipped", .right),
    ("Done", .right), ("Cues", .right), ("Missed", .right), ("Pauses", .left), ("ID", .left),
  ]
  /// The columns left out first if rows are too wide, and the column that is then shortened.
  private static let leastNeeded = ["Pauses", "Missed", "Cues", "Skipped", "Phases", "Sets"]
  private static let shortened = [("Workout", 12), ("Lane", 8)]

  var sessionLines: [String] {
    let idLength = Self.idLength(entries.map(\.id))
    let rows = entries.map { cells(of: $0, idLength: idLength) }
    let names = Self.columnNames.map(\.name)
    var widths = names.indices.map { column in
      rows.map { TextTable.width($0[column]) }.reduce(names[column].count, max)
    }
    var shown = Array(names.indices)
    func excess() -> Int { shown.reduce(-2) { $0 + widths[$1] + 2 } - columns }
    for name in Self.leastNeeded where excess() > 0 { shown.removeAll { names[$0] == name } }
    for (name, least) in Self.shortened where excess() > 0 {
      guard let column = names.firstIndex(of: name) else { continue }
      widths[column] = min(widths[column], max(least, widths[column] - excess()))
    }
    var table = TextTable(shown.map { Self.columnNames[$0] })
    for row in rows { table.add(shown.map { TextTable.cell(row[$0], atMost: widths[$0]) }) }
    return table.lines
  }

  private func cells(of entry: HistoryEntry, idLength: Int) -> [String] {
    let summary = entry.summary
    return [
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
    ]
  }

  /// How many characters distinguish every id from the others.
  private static func idLength(_ ids: [String]) -> Int {
    let ids = ids.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    // A character has at least one byte, so counting bytes is safe.
    let common = zip(ids, ids.dropFirst()).map { zip($0, $1).prefix { $0 == $1 }.count }
    return max(leastID, (common.max() ?? 0) + 1)
  }

  /// All figures of one entry, one line each.
  static func detailLines(_ entry: HistoryEntry, in zone: WallTime.Zone) -> [String] {
    let summary = entry.summary
    let pauses =
      summary.pauseCount == 0
      ? "none" : "\(summary.pauseCount), \(summary.pauses.passedText) in all"
    func progress(_ done: Int, _ skipped: Int, of all: Int) -> String {
      all == 0 ? "none" : "\(done) of \(all) done, \(skipped) skipped"
    }
    let lines: [(name: String, text: String?)] = [
      ("Workout", entry.workout),
      ("Lane", entry.lane),
      ("Outcome", "\(entry.outcome.rawValue): \(entry.outcome.sentence)"),
      ("Started", WallTime(entry.startedAt, in: zone).secondText),
      ("Ended", WallTime(entry.endedAt, in: zone).secondText),
      ("Length", "\(summary.elapsed.clockText), without the pauses"),
      ("Pauses", pauses),
      ("Sets", progress(summary.setsDone, summary.setsSkipped, of: summary.sets)),
      ("Phases", progress(summary.phasesDone, summary.phasesSkipped, of: summary.phases)),
      ("Rounds", summary.rounds > 0 ? "\(summary.rounds)" : nil),
      ("Done", "\(entry.completionPercent)%"),
      ("Cues", "\(entry.cuesPlayed) played, \(entry.cuesMissed) missed"),
      ("ID", entry.id),
    ]
    return (lines + entry.readings.map { ("Phase \($0.phase + 1)", $0.sentence) })
      .compactMap { name, text in
        text.map { name + String(repeating: " ", count: max(1, 9 - name.count)) + $0.singleLine }
      }
  }
}

extension PhaseReadings {
  /// "203 watts on average, on target for 92% of 4:00"
  fileprivate var sentence: String {
    let number = kind.rounded(self.mean)
    let mean =
      kind == .pace
      ? Duration.seconds(number).clockText : kind == .speed ? "\(number)" : "\(Int(number))"
    let percent = Int((share * 100).rounded(.down))
    return "\(kind.rawValue) \(mean) on average, on target for \(percent)% of "
      + Duration.milliseconds(milliseconds).clockText
  }
}

extension HistoryEntry.Outcome {
  fileprivate var sentence: String {
    switch self {
    case .finished: "it ran to its end"
    case .stopped: "it was stopped before its end"
    case .abandoned: "it was discarded, or not resumed in time"
    case .unattended: "its end passed while cuecoach was not running"
    case .missed: "it did not begin: its time passed while the coach could not begin it"
    }
  }
}
