import IntervalTimeline

/// An entry as a line of a `HistoryFile`. What was read is untrusted until `entry(number:)` has
/// checked it.
struct HistoryLine: Encodable {
  private enum CodingKeys: String, CodingKey {
    case id, lane, workout, outcome, startedNanoseconds, endedNanoseconds, lengthNanoseconds
    case pauses, pauseNanoseconds, phases, phasesDone, phasesSkipped, sets, setsDone, setsSkipped
    case cuesPlayed, cuesMissed, rounds, readings, preset, tags, persons, course

    var expected: String {
      switch self {
      case .id, .lane, .workout, .outcome, .readings, .preset, .tags, .course: "a text"
      default: "a whole number"
      }
    }
  }

  private var id: String
  private var lane: String
  private var workout: String
  private var outcome: String
  private var startedNanoseconds: Int64
  private var endedNanoseconds: Int64
  private var lengthNanoseconds: Int64
  private var pauses: Int
  private var pauseNanoseconds: Int64
  private var phases: Int
  private var phasesDone: Int
  private var phasesSkipped: Int
  private var sets: Int
  private var setsDone: Int
  private var setsSkipped: Int
  private var cuesPlayed: Int
  private var cuesMissed: Int
  /// Nil for none.
  private var rounds: Int?
  /// Nil for none.
  private var readings: String?
  /// Nil for none, as the following.
  private var preset: String?
  private var tags: String?
  private var persons: Int?
  private var course: String?

  init(_ entry: HistoryEntry) {
    id = entry.id
    // Names that `entry(number:)` accepts, whatever an earlier version has stored.
    lane = NameRule.lane.fitted(entry.lane)
    workout = NameRule.workout.fitted(entry.workout)
    outcome = entry.outcome.rawValue
    // A length that `entry(number:)` accepts, even if the wall clock was set meanwhile.
    lengthNanoseconds = min(entry.summary.elapsed.wholeNanoseconds, Self.latest / 4)
    pauseNanoseconds = min(entry.summary.pauses.wholeNanoseconds, Self.latest / 4)
    startedNanoseconds = max(0, min(entry.startedAt, entry.endedAt, Self.latest))
    endedNanoseconds = max(startedNanoseconds, min(entry.endedAt, Self.latest))
    let length = lengthNanoseconds + pauseNanoseconds
    if length - Self.tolerance > endedNanoseconds - startedNanoseconds {
      endedNanoseconds = min(startedNanoseconds + length, Self.latest)
      startedNanoseconds = min(startedNanoseconds, max(0, endedNanoseconds - length))
    }
    pauses = entry.summary.pauseCount
    phases = entry.summary.phases
    phasesDone = entry.summary.phasesDone
    phasesSkipped = entry.summary.phasesSkipped
    sets = entry.summary.sets
    setsDone = entry.summary.setsDone
    setsSkipped = entry.summary.setsSkipped
    cuesPlayed = entry.cuesPlayed
    cuesMissed = entry.cuesMissed
    rounds = entry.summary.rounds > 0 ? entry.summary.rounds : nil
    readings = entry.readings.isEmpty ? nil : PhaseReadings.text(of: entry.readings)
    preset = entry.origin.preset.isEmpty ? nil : NameRule.lane.fitted(entry.origin.preset)
    tags = entry.origin.tags.isEmpty ? nil : entry.origin.tagText
    persons = entry.origin.isPersons ? 1 : nil
    course = entry.course?.text
  }

  static func read(
    _ bytes: ArraySlice<UInt8>, number: Int, _ json: FlatJSON
  ) throws(HistoryFileError) -> HistoryLine {
    guard let object = json.object(bytes) else {
      throw HistoryFileError(
        line: number, "damaged", expected: "a line that cuecoach export writes")
    }
    return try HistoryLine(object, number)
  }

  private init(_ object: [String: FlatJSON.Value], _ number: Int) throws(HistoryFileError) {
    func value(_ key: CodingKeys) throws(HistoryFileError) -> FlatJSON.Value {
      guard let value = object[key.rawValue] else {
        throw HistoryFileError(
          line: number, "no \"\(key.rawValue)\"", expected: "every figure of a session")
      }
      return value
    }
    func wrong(_ key: CodingKeys) -> HistoryFileError {
      HistoryFileError(line: number, "wrong \"\(key.rawValue)\"", expected: key.expected)
    }
    func text(_ key: CodingKeys) throws(HistoryFileError) -> String {
      guard case .text(let text) = try value(key) else { throw wrong(key) }
      return text
    }
    func int(_ key: CodingKeys) throws(HistoryFileError) -> Int64 {
      guard case .int(let int) = try value(key) else { throw wrong(key) }
      return int
    }
    id = try text(.id)
    lane = try text(.lane)
    workout = try text(.workout)
    outcome = try text(.outcome)
    startedNanoseconds = try int(.startedNanoseconds)
    endedNanoseconds = try int(.endedNanoseconds)
    lengthNanoseconds = try int(.lengthNanoseconds)
    pauses = Int(try int(.pauses))
    pauseNanoseconds = try int(.pauseNanoseconds)
    phases = Int(try int(.phases))
    phasesDone = Int(try int(.phasesDone))
    phasesSkipped = Int(try int(.phasesSkipped))
    sets = Int(try int(.sets))
    setsDone = Int(try int(.setsDone))
    setsSkipped = Int(try int(.setsSkipped))
    cuesPlayed = Int(try int(.cuesPlayed))
    cuesMissed = Int(try int(.cuesMissed))
    rounds = object[CodingKeys.rounds.rawValue] == nil ? nil : Int(try int(.rounds))
    func optional(_ key: CodingKeys) throws(HistoryFileError) -> String? {
      object[key.rawValue] == nil ? nil : try text(key)
    }
    readings = try optional(.readings)
    preset = try optional(.preset)
    tags = try optional(.tags)
    persons = object[CodingKeys.persons.rawValue] == nil ? nil : Int(try int(.persons))
    course = try optional(.course)
  }

  /// 2200-01-01, in nanoseconds since 1970.
  private static let latest: Int64 = 7_258_118_400_000_000_000
  /// How much a session may be longer than the time between its start and end, which are on the
  /// wall clock and change when that is set.
  private static let tolerance: Int64 = 86_400_000_000_000

  /// The entry, if its figures are plausible for a session.
  func entry(number: Int) throws(HistoryFileError) -> HistoryEntry {
    func fault(_ problem: String, _ expected: String) -> HistoryFileError {
      HistoryFileError(line: number, problem, expected: expected)
    }
    guard !id.isEmpty else { throw fault("empty \"id\"", "the id of a session") }
    let names = [
      ("id", id, NameRule.id), ("lane", lane, NameRule.lane),
      ("workout", workout, NameRule.workout),
    ]
    for (key, name, rule) in names where !rule.allows(name) {
      throw fault(
        "wrong \"\(key)\"",
        "1 to \(rule.maximum) characters, no control character or mark of writing direction")
    }
    guard let outcome = HistoryEntry.Outcome(rawValue: outcome) else {
      let known = HistoryEntry.Outcome.allCases.map(\.rawValue).joined(separator: ", ")
      // Counted in scalars: one character may have any number of combining marks.
      let start = String(String.UnicodeScalarView(outcome.unicodeScalars.prefix(40)))
      throw fault("\"outcome\" \"\(start)\"", "one of \(known)")
    }
    let counts = [
      ("pauses", pauses), ("phases", phases), ("phasesDone", phasesDone),
      ("phasesSkipped", phasesSkipped), ("sets", sets), ("setsDone", setsDone),
      ("setsSkipped", setsSkipped), ("cuesPlayed", cuesPlayed), ("cuesMissed", cuesMissed),
      ("rounds", rounds ?? 0),
    ]
    for (key, count) in counts where !(0...HistoryFile.maximumCount).contains(count) {
      throw fault("\"\(key)\" \(count)", "a number from 0 to \(HistoryFile.maximumCount)")
    }
    let lengths = [
      ("lengthNanoseconds", lengthNanoseconds), ("pauseNanoseconds", pauseNanoseconds),
    ]
    for (key, length) in lengths where length < 0 {
      throw fault("\"\(key)\" \(length)", "0 or more")
    }
    let times = [
      ("startedNanoseconds", startedNanoseconds), ("endedNanoseconds", endedNanoseconds),
    ]
    for (key, time) in times where !(0...Self.latest).contains(time) {
      throw fault("\"\(key)\" \(time)", "a time from 1970 to 2199")
    }
    guard startedNanoseconds <= endedNanoseconds else {
      throw fault(
        "an end before its start", "\"endedNanoseconds\" of \(startedNanoseconds) or more")
    }
    let greatest = endedNanoseconds - startedNanoseconds + Self.tolerance
    let (length, isTooLong) = lengthNanoseconds.addingReportingOverflow(pauseNanoseconds)
    guard !isTooLong, length <= greatest else {
      throw fault(
        "a session longer than the time from its start to its end",
        "a length with pauses of at most \(greatest)")
    }
    guard phasesDone + phasesSkipped <= phases else {
      throw fault("more phases done and skipped than there are", "at most \(phases)")
    }
    guard setsDone + setsSkipped <= sets else {
      throw fault("more sets done and skipped than there are", "at most \(sets)")
    }
    guard let readings = PhaseReadings.list(readings ?? "") else {
      throw fault("wrong \"readings\"", "what cuecoach export writes")
    }
    guard preset.map(NameRule.lane.allows) != false else {
      throw fault("wrong \"preset\"", NameRule.lane.expected.text)
    }
    guard let tags = SessionOrigin.tags(tags ?? "") else {
      throw fault("wrong \"tags\"", "what cuecoach export writes")
    }
    var entry = HistoryEntry(
      id: id, lane: lane, workout: workout, outcome: outcome, startedAt: startedNanoseconds,
      endedAt: endedNanoseconds,
      summary: SessionSummary(
        phases: phases, phasesDone: phasesDone, phasesSkipped: phasesSkipped, sets: sets,
        setsDone: setsDone, setsSkipped: setsSkipped, elapsed: .nanoseconds(lengthNanoseconds),
        pauses: .nanoseconds(pauseNanoseconds), pauseCount: pauses, rounds: rounds ?? 0),
      cuesPlayed: cuesPlayed, cuesMissed: cuesMissed)
    entry.readings = readings
    entry.origin = SessionOrigin(preset: preset ?? "", tags: tags, isPersons: persons == 1)
    if let course {
      guard let phases = SessionCourse(course) else {
        throw fault("wrong \"course\"", "what cuecoach export writes")
      }
      entry.course = phases
    }
    return entry
  }
}
