import Foundation
import IntervalTimeline
import SessionStore
import Testing

/// history, export and import-history.
@Suite struct HistoryCommandTests {
  private let space = Workspace()

  /// 2026-11-15 23:30 UTC, a Sunday.
  private static let sunday = 20_773 * PastSession.day - PastSession.day / 48

  private static func now() -> Int64 { Int64(Date().timeIntervalSince1970) * 1_000_000_000 }

  // MARK: history

  @Test func nothingIsOneLineAndLeavesNothingBehind() async throws {
    for arguments in [["history"], ["history", "--json"]] {
      try await space.program.run(arguments).expectOneLine(0, "no session has ended yet")
    }
    #expect(!space.has(".local"))
  }

  @Test func listIsWeeksAndSessionsTheLatestFirst() async throws {
    let now = Self.now()
    let entries = (0..<3).map { week in
      PastSession.entry("id-number-\(week)", at: now - Int64(week) * 7 * PastSession.day)
    }
    try space.keep(entries.reversed())
    let outcome = try await space.run("history").expectSuccess()
    #expect(outcome.lines.count == 10)
    #expect(outcome.lines[0] == "Week of     Sessions  Minutes")
    #expect(outcome.lines[4] == "Streak: 3 weeks")
    let ids = outcome.lines.suffix(3).map { $0.split(separator: " ").last.map(String.init) }
    #expect(ids == ["id-number-0", "id-number-1", "id-number-2"])
  }

  @Test(arguments: [
    ("UTC0", "2026-11-15 23:30", "2026-11-09"), ("CET-1", "2026-11-16 00:30", "2026-11-16"),
    ("EST5", "2026-11-15 18:30", "2026-11-09"),
  ])
  func timesAndWeeksAreThoseOfTheTimeZone(zone: String, time: String, week: String) async throws {
    try space.keep([PastSession.entry("a", at: Self.sunday)])
    let program = space.program.with("TZ", zone)
    let list = try await program.run(["history"])
    #expect(list.lines.last?.hasPrefix(time) == true)
    #expect(list.lines.dropFirst().first?.hasPrefix(week) == true)
    let details = try await program.run(["history", "show", "a"])
    #expect(details.lines.contains("Started  \(time):00"))
  }

  @Test func jsonIsAnObjectForEachWithEveryFigure() async throws {
    var entry = PastSession.entry("a", at: Self.sunday + 1)
    entry.summary.elapsed += .milliseconds(250)
    try space.keep([entry, PastSession.entry("b", at: Self.sunday)])
    let outcome = try await space.run("history", "--json").expect(0)
    #expect(outcome.lines.count == 2)
    #expect(
      outcome.lines.first == """
        {"id":"a","lane":"anna","workout":"Rows","outcome":"finished",\
        "started":"2026-11-15T23:30:00.000Z","startedNanoseconds":1794785400000000001,\
        "ended":"2026-11-16T00:01:00.000Z","endedNanoseconds":1794787260000000001,\
        "length":1800.25,"lengthNanoseconds":1800250000000,"pauses":2,"pauseLength":60,\
        "pauseNanoseconds":60000000000,"sets":8,"setsDone":6,"setsSkipped":1,"phases":17,\
        "phasesDone":14,"phasesSkipped":2,"completionPercent":82,"cuesPlayed":61,"cuesMissed":3,\
        "rounds":0}
        """)
    let one = try await space.run("history", "show", "a", "--json")
    #expect(one.lines == [outcome.lines[0]])
  }

  @Test func csvIsAHeaderAndALineForEach() async throws {
    try space.keep([PastSession.entry("a", at: Self.sunday, workout: "one, two")])
    let outcome = try await space.run("history", "--csv").expectSuccess()
    let lines = outcome.output.components(separatedBy: "\r\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("id,lane,workout,outcome,started,startedNanoseconds,"))
    #expect(lines[1].hasPrefix("a,anna,\"one, two\",finished,2026-11-15T23:30:00.000Z,"))
    #expect(lines[2] == "")
  }

  @Test func showPrintsEverythingAboutOneByTheBeginningOfItsID() async throws {
    try space.keep([
      PastSession.entry("3f2a", at: Self.sunday, outcome: .stopped),
      PastSession.entry("3f2a77", at: Self.sunday, outcome: .abandoned),
      PastSession.entry("3f9b", at: Self.sunday),
    ])
    let program = space.program.with("TZ", "UTC0")
    let whole = try await program.run(["history", "show", "3f2a"]).expectSuccess()
    #expect(
      whole.lines == [
        "Workout  Rows", "Lane     anna", "Outcome  stopped: it was stopped before its end",
        "Started  2026-11-15 23:30:00", "Ended    2026-11-16 00:01:00",
        "Length   30:00, without the pauses", "Pauses   2, 1:00 in all",
        "Sets     6 of 8 done, 1 skipped", "Phases   14 of 17 done, 2 skipped", "Done     82%",
        "Cues     61 played, 3 missed", "ID       3f2a",
      ])
    let beginning = try await program.run(["history", "show", "3f9"])
    #expect(beginning.lines.last == "ID       3f9b")
    try await program.run(["history", "show", "3f"]).expectOneLine(
      2, "3 sessions begin with \"3f\"; give more of the id")
    for id in ["4", ""] {
      try await program.run(["history", "show", id]).expectOneLine(
        2, "there is no session \"\(id)\" in the history")
    }
  }

  @Test func damagedSessionsAreReportedAndLeftOut() async throws {
    try space.write("no database", to: ".local/state/cuecoach/sessions.db")
    let outcome = try await space.run("history", "--csv").expect(0)
    #expect(outcome.errorLines.count == 2)
    #expect(outcome.errors.contains("sessions.db: it was damaged and is now"))
    try await space.run("history").expectOneLine(0, "no session has ended yet")
  }

  @Test(arguments: ["history", "history --json", "history show a", "export", "import-history h"])
  func stateFolderThatCannotBeUsedIsOneLineAndExitCodeOne(command: String) async throws {
    try space.write("{\"cuecoach\":\"history\",\"version\":1}\n", to: "h")
    let file = try space.write("a file", to: "file")
    let arguments = command.split(separator: " ").map(String.init)
    var program = space.program
    program.environment["XDG_STATE_HOME"] = file
    try await program.run(arguments).expectOneLine(
      1, "the history in \(file)/cuecoach cannot be opened: ")
    program.environment["XDG_STATE_HOME"] = nil
    program.environment["HOME"] = nil
    try await program.run(arguments).expectOneLine(1, "set HOME or XDG_STATE_HOME")
  }

  // MARK: export and import-history

  @Test func exportOfAnImportedExportIsTheSameByteForByte() async throws {
    let entries = (0..<40).map { number in
      PastSession.entry(
        "id-\(number * 7 % 40)", at: Self.sunday + Int64(number / 2), minutes: Int64(number),
        outcome: HistoryEntry.Outcome.allCases[number % 4], workout: "高強度 \"\(number)\"/")
    }
    try space.keep(entries)
    let export = try await space.run("export").expectSuccess()
    #expect(export.lines.count == 41)
    #expect(export.lines.first == "{\"cuecoach\":\"history\",\"version\":1}")
    let file = try space.write(export.output, to: "history.jsonl")

    var other = space.program
    other.environment["STATE_DIRECTORY"] = space.path("other")
    let imported = try await other.run(["import-history", file]).expect(0)
    #expect(imported.lines == ["40 sessions added, 0 already there"])
    let again = try await other.run(["export"])
    #expect(again.output == export.output)
    let before = try await space.run("history", "--json")
    let after = try await other.run(["history", "--json"])
    #expect(after.output == before.output)
  }

  @Test func importAddsWhatIsNotThereYet() async throws {
    let known = PastSession.entry("a", at: Self.sunday)
    let new = PastSession.entry("b", at: Self.sunday + 1)
    try space.keep([known])
    var other = known
    other.cuesMissed = 99
    try space.write(Data(HistoryFile.bytes(of: [other, new])), to: "history.jsonl")
    let outcome = try await space.run("import-history", "history.jsonl", "--json").expectSuccess()
    #expect(outcome.lines == ["{\"new\":1,\"known\":1}"])
    let kept = try space.kept()
    #expect(kept == [new, known])
  }

  @Test func standardInputIsImportedToo() async throws {
    let entry = PastSession.entry("a", at: Self.sunday)
    try space.write(Data(HistoryFile.bytes(of: [entry])), to: "history.jsonl")
    let program = space.program.with(\.redirection, "< history.jsonl")
    let imported = try await program.run(["import-history", "-"]).expect(0)
    #expect(imported.output == "1 session added, 0 already there\n")
    let kept = try space.kept()
    #expect(kept == [entry])
    // The program's own standard input is /dev/null.
    try await space.run("import-history", "-").expectOneLine(
      2, "standard input:1: no history, expected the first line")
  }

  @Test func damagedLineIsNamedAndNothingIsAdded() async throws {
    let bytes = HistoryFile.bytes(of: [PastSession.entry("a", at: Self.sunday)])
    try space.write(Data(bytes) + Data("{\"id\":\n".utf8), to: "history.jsonl")
    let outcome = try await space.run("import-history", "history.jsonl").expectOneLine(
      2, "damaged, expected a line that cuecoach export writes")
    #expect(outcome.errors.hasPrefix("history.jsonl:3: "))
    #expect(!space.has(".local"))
  }

  @Test(arguments: [
    ("no.jsonl", "no.jsonl: no such file"), (".", ".: a folder"),
    ("/dev/zero", "/dev/zero: over 64 MB"),
  ])
  func fileThatIsNoneIsOneLineAndExitCodeTwo(file: String, says: String) async throws {
    try await space.run("import-history", file).expectOneLine(2, says)
  }

  @Test func exportThatCannotBeWrittenIsOneLineAndExitCodeOne() async throws {
    try space.keep([PastSession.entry("a", at: Self.sunday)])
    let program = space.program.with(\.redirection, "> /dev/full")
    let export = try await program.run(["export"]).expect(1)
    #expect(
      export.errors == "cuecoach: standard output cannot be written: No space left on device\n")
  }
}
