import IntervalTimeline
import SystemIO

/// An entry of the history as a row with a column for each figure, so that other programs can read
/// it.
enum HistoryRow {
  private static let firstColumns = """
    id, lane, workout, outcome, started, ended, elapsed, pauses, pause_count, phases, phases_done, \
    phases_skipped, sets, sets_done, sets_skipped, cues_played, cues_missed, checksum
    """

  /// What is selected for `read`.
  static func columns(in database: Database) throws(StoreError) -> String {
    let rounds = try has("rounds", in: database) ? "rounds" : "0"
    let readings = try has("readings", in: database) ? "readings" : "''"
    let newest = ["preset", "tags", "persons", "course"]
    // The newest have come together.
    let others = try has("course", in: database) ? newest : ["''", "''", "0", "''"]
    return "\(firstColumns), \(rounds), \(readings), \(others.joined(separator: ", "))"
  }

  /// What may be selected for `read` in a damaged database, the most complete first. An entry that uses none of the later
  /// columns is read without them: one of them may reach beyond its page.
  static func salvageColumns(in database: Database) throws(StoreError) -> [String] {
    let count = firstColumns.split(separator: ",").count + later.count
    let names = try database.columns(of: "history")
    guard names.count == count else { return [try columns(in: database)] }
    let (figures, texts) = (names[..<19], Array(names[19..<23] + names[25...]))
    return [texts, ["''", "''", "''", "0", "''"]].map { (figures + $0).joined(separator: ", ") }
  }

  /// False in a database of a version that did not have the column, until an entry is added.
  static func has(_ column: String, in database: Database) throws(StoreError) -> Bool {
    try database.number(
      "SELECT count(*) FROM pragma_table_info('history') WHERE name = '\(column)'") > 0
  }

  /// Times are in nanoseconds: since 1970 in `started` and `ended`, lengths in the others.
  static let definition = """
    id TEXT PRIMARY KEY NOT NULL, lane TEXT NOT NULL, workout TEXT NOT NULL, outcome TEXT NOT NULL,
    started INTEGER NOT NULL, ended INTEGER NOT NULL, elapsed INTEGER NOT NULL,
    pauses INTEGER NOT NULL, pause_count INTEGER NOT NULL, phases INTEGER NOT NULL,
    phases_done INTEGER NOT NULL, phases_skipped INTEGER NOT NULL, sets INTEGER NOT NULL,
    sets_done INTEGER NOT NULL, sets_skipped INTEGER NOT NULL, cues_played INTEGER NOT NULL,
    cues_missed INTEGER NOT NULL, checksum INTEGER NOT NULL, \(later.map(\.definition).joined(separator: ", "))
    """
  private static let later = [
    (name: "rounds", definition: "rounds INTEGER NOT NULL DEFAULT 0"),
    (name: "readings", definition: "readings TEXT NOT NULL DEFAULT ''"),
    (name: "preset", definition: "preset TEXT NOT NULL DEFAULT ''"),
    (name: "tags", definition: "tags TEXT NOT NULL DEFAULT ''"),
    (name: "persons", definition: "persons INTEGER NOT NULL DEFAULT 0"),
    (name: "work", definition: "work INTEGER"), (name: "rest", definition: "rest INTEGER"),
    // Long, and therefore last: what reads the figures alone passes it over.
    (name: "course", definition: "course TEXT NOT NULL DEFAULT ''"),
  ]

  private static func texts(_ entry: HistoryEntry) -> [String] {
    [entry.id, entry.lane, entry.workout, entry.outcome.rawValue]
  }

  private static func numbers(_ entry: HistoryEntry) -> [Int64] {
    let summary = entry.summary
    return [
      entry.startedAt, entry.endedAt, summary.elapsed.wholeNanoseconds,
      summary.pauses.wholeNanoseconds,
    ]
      + [
        summary.pauseCount, summary.phases, summary.phasesDone, summary.phasesSkipped,
        summary.sets, summary.setsDone, summary.setsSkipped, entry.cuesPlayed, entry.cuesMissed,
      ].map(Int64.init)
  }

  private static func checksum(_ entry: HistoryEntry) -> Int64 {
    // A row of a version without them keeps its checksum.
    let rounds = entry.summary.rounds == 0 ? [] : [String(entry.summary.rounds)]
    let readings = entry.readings.isEmpty ? [] : [PhaseReadings.text(of: entry.readings)]
    let isOld = entry.origin == SessionOrigin() && entry.course == nil
    let newest =
      isOld
      ? []
      : [
        entry.origin.preset, entry.origin.tagText, entry.origin.isPersons ? "1" : "0",
        entry.course?.text ?? "",
      ]
    let text = texts(entry) + numbers(entry).map(String.init) + rounds + readings + newest
    return Checksum.of(text.joined(separator: "\u{0}").utf8)
  }

  /// Returns true if the entry is new.
  @discardableResult
  static func insert(_ entry: HistoryEntry, into database: Database) throws(StoreError) -> Bool {
    for column in later where try !has(column.name, in: database) {
      try database.execute("ALTER TABLE history ADD COLUMN \(column.definition)")
    }
    typealias Value = Database.Statement.Value
    // In steps: as one expression it is too much for the compiler of Swift 6.0.
    var values: [Value] = texts(entry).map { .text($0) }
    values += numbers(entry).map { .int($0) }
    values += [
      .int(checksum(entry)), .int(Int64(entry.summary.rounds)),
      .text(PhaseReadings.text(of: entry.readings)), .text(entry.origin.preset),
      .text(entry.origin.tagText), .int(entry.origin.isPersons ? 1 : 0),
      entry.course.map { .int($0.work.wholeNanoseconds) } ?? .null,
      entry.course.map { .int($0.rest.wholeNanoseconds) } ?? .null,
      .text(entry.course?.text ?? ""),
    ]
    let places = values.map { _ in "?" }.joined(separator: ", ")
    let statement = try database.prepare(
      """
      INSERT OR IGNORE INTO history(
        \(firstColumns), \(later.map(\.name).joined(separator: ", "))) VALUES(\(places)) RETURNING 1
      """)
    statement.bind(values)
    return try statement.step()
  }

  /// Nil for a row that does not match its checksum.
  ///
  /// - Parameter first: the column at which `columns` begin.
  static func read(_ row: Database.Statement, from first: Int32 = 0) -> HistoryEntry? {
    let texts = (first..<first + 4).map { row.text($0) ?? "" }
    let numbers = (first + 4..<first + 17).map { row.int($0) } + [row.int(first + 18)]
    // Another program may have written anything, even a matching checksum.
    guard let outcome = HistoryEntry.Outcome(rawValue: texts[3]),
      let readings = PhaseReadings.list(row.text(first + 19) ?? ""),
      let tags = SessionOrigin.tags(row.text(first + 21) ?? ""),
      numbers[2...3].allSatisfy({ $0 >= 0 }),
      numbers[4...].allSatisfy({ (0...Int64(HistoryFile.maximumCount)).contains($0) })
    else { return nil }
    let counts = numbers.dropFirst(4).map { Int($0) }
    var entry = HistoryEntry(
      id: texts[0], lane: texts[1], workout: texts[2], outcome: outcome, startedAt: numbers[0],
      endedAt: numbers[1],
      summary: SessionSummary(
        phases: counts[1], phasesDone: counts[2], phasesSkipped: counts[3], sets: counts[4],
        setsDone: counts[5], setsSkipped: counts[6], elapsed: .nanoseconds(numbers[2]),
        pauses: .nanoseconds(numbers[3]), pauseCount: counts[0], rounds: counts[9]),
      cuesPlayed: counts[7], cuesMissed: counts[8])
    entry.readings = readings
    entry.origin = SessionOrigin(
      preset: row.text(first + 20) ?? "", tags: tags, isPersons: row.int(first + 22) == 1)
    entry.course = row.text(first + 23).flatMap { SessionCourse($0) }
    return checksum(entry) == row.int(first + 17) ? entry : nil
  }
}
