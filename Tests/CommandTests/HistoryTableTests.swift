import IntervalTimeline
import SessionStore
import Testing

@testable import cuecoach

/// The history as lines for people, and as fields for programs.
@Suite struct HistoryTableTests {
  /// 2026-11-16 00:00 UTC.
  private let monday: Int64 = 20_773 * PastSession.day

  private func table(_ entries: [HistoryEntry], columns: Int = 200) -> HistoryTable {
    HistoryTable(entries: entries, zone: { _ in 0 }, columns: columns)
  }

  @Test func eightyColumnsAreEnough() {
    let longest = PastSession.entry(
      "abcdef0123", at: monday, minutes: 6000, outcome: .unattended,
      lane: String(repeating: "長い", count: 10), workout: String(repeating: "Rows ", count: 9))
    let tables = [
      [PastSession.entry("bbcdef0123", at: monday)], [longest],
      [longest, PastSession.entry("bbcdef0123", at: monday)],
    ]
    for entries in tables {
      let lines = table(entries, columns: 80).sessionLines
      #expect(lines.allSatisfy { Columns.width($0) <= 80 }, "\(lines)")
      for name in ["Started", "Length", "Lane", "Workout", "Outcome", "Done", "ID"] {
        #expect(lines[0].contains(name))
      }
    }
  }

  @Test func columnsAreAlignedUnderTheirNames() {
    let lines = table([
      PastSession.entry("abcdef0123", at: monday, minutes: 90),
      PastSession.entry(
        "bbcdef0123", at: monday - 1, minutes: 4, outcome: .unattended, workout: "高強度"),
    ]).sessionLines
    let expected = [
      "Started            Length  Lane  Workout  Outcome     Sets  Phases  Skipped  Done  Cues"
        + "  Missed  Pauses    ID",
      "2026-11-16 00:00  1:30:00  anna  Rows     finished     6/8   14/17        2   82%    61"
        + "       3  2 (1:00)  abcdef01",
      "2026-11-15 23:59     4:00  anna  高強度   unattended   6/8   14/17        2   82%    61"
        + "       3  2 (1:00)  bbcdef01",
    ]
    #expect(lines == expected)
  }

  @Test func longNamesAreCutAndControlCharactersAreNone() {
    let name = "\u{1b}[31m" + String(repeating: "長い", count: 40)
    let lines = table([
      PastSession.entry("a", at: monday, lane: name, workout: name),
      PastSession.entry("b", at: monday),
    ]).sessionLines
    #expect(lines[1].contains("…  "))
    #expect(!lines[1].contains("\u{1b}"))
    #expect(Columns.width(lines[1]) == Columns.width(lines[2]))
    #expect(Columns.width(lines[0]) < 160)
  }

  @Test func idsAreAsLongAsNeededToDistinguishThem() {
    let ids = ["0123456789ab", "0123456789cd", "0123456789", "é"]
    let lines = table(ids.map { PastSession.entry($0, at: monday) }).sessionLines
    let shown = lines.dropFirst().map { $0.split(separator: " ").last.map(String.init) }
    #expect(shown == ["0123456789a", "0123456789c", "0123456789", "é"])
  }

  @Test func chartHasEightWeeksAndTheStreak() {
    let entries = (0..<10).map { week in
      PastSession.entry(
        "\(week)", at: monday - Int64(week) * 7 * PastSession.day, minutes: week == 0 ? 60 : 30)
    }
    let lines = table(entries).weekLines(now: monday)
    #expect(lines.count == 10)
    #expect(lines[0] == "Week of     Sessions  Minutes")
    #expect(lines[1] == "2026-11-16         1       60  ████████████████████████")
    #expect(lines[2] == "2026-11-09         1       30  ████████████")
    #expect(lines[8].hasPrefix("2026-09-28"))
    #expect(lines[9] == "Streak: 10 weeks")
  }

  @Test func weekOfNoMinutesHasNoBarAndOneOfSecondsAShortOne() {
    var short = PastSession.entry("a", at: monday)
    short.summary.elapsed = .seconds(20)
    #expect(table([short]).weekLines(now: monday)[1].hasPrefix("2026-11-16         1       <1  █"))
    let none = PastSession.entry("b", at: monday, minutes: 0)
    #expect(table([none]).weekLines(now: monday)[1] == "2026-11-16         1        0")
  }

  @Test func completionIsWholeOnlyWhenEverythingIsDone() {
    var entry = PastSession.entry("a", at: monday)
    entry.summary.phases = 1000
    entry.summary.phasesDone = 999
    #expect(entry.completionPercent == 99)
    entry.summary.phasesDone = 1000
    #expect(entry.completionPercent == 100)
    entry.summary.phases = 0
    #expect(entry.completionPercent == 0)
  }

  @Test func fieldsOfCSVWithCommasQuotesAndLineEndsAreQuoted() {
    var entry = PastSession.entry(
      "a", at: monday, lane: "say \"go\"", workout: "one, two\r\nthree")
    entry.summary.elapsed = .milliseconds(90_250)
    (entry.origin.preset, entry.origin.tags) = ("tabata", ["short", "a\"b"])
    let text = HistoryFields.csv([entry])
    #expect(text.hasPrefix("id,lane,workout,outcome,started,"))
    let row = "\r\na,\"say \"\"go\"\"\",\"one, two\r\nthree\",finished,2026-11-16T00:00:00.000Z,"
    #expect(text.contains(row))
    let end = "82,61,3,0,tabata,\"short a\"\"b\",,\r\n"
    #expect(text.contains(",90.25,90250000000,2,60,60000000000,8,6,1,17,14,2," + end))
  }

  @Test func historyOfNothingIsAHeaderInCSV() {
    let text = HistoryFields.csv([])
    #expect(text.hasSuffix(",cuesPlayed,cuesMissed,rounds,preset,tags,work,rest\r\n"))
    #expect(text.unicodeScalars.count { $0 == "\n" } == 1)
  }
}
