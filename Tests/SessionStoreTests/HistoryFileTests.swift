import Foundation
import IntervalTimeline
import TestSupport
import Testing

@testable import SessionStore

/// The history as a file.
@Suite struct HistoryFileTests {
  private static let header = #"{"cuecoach":"history","version":1}"#
  private static let line = [
    #"{"cuesMissed":3,"cuesPlayed":61,"endedNanoseconds":1795287095654763495,"id":"3f2a","#,
    #""lane":"anna","lengthNanoseconds":1920000000001,"outcome":"stopped","#,
    #""pauseNanoseconds":65000000000,"pauses":2,"phases":17,"phasesDone":14,"phasesSkipped":2,"#,
    #""sets":8,"setsDone":6,"setsSkipped":1,"startedNanoseconds":1795285000000000001,"#,
    #""workout":"8 x 20/10"}"#,
  ].joined()
  private static let entry = HistoryEntry(
    id: "3f2a", lane: "anna", workout: "8 x 20/10", outcome: .stopped,
    startedAt: 1_795_285_000_000_000_001, endedAt: 1_795_287_095_654_763_495,
    summary: SessionSummary(
      phases: 17, phasesDone: 14, phasesSkipped: 2, sets: 8, setsDone: 6, setsSkipped: 1,
      elapsed: .nanoseconds(1_920_000_000_001), pauses: .seconds(65), pauseCount: 2),
    cuesPlayed: 61, cuesMissed: 3)

  private static func text(_ entries: [HistoryEntry]) -> String {
    String(decoding: HistoryFile.bytes(of: entries), as: UTF8.self)
  }

  private static func entries(_ lines: String...) throws(HistoryFileError) -> [HistoryEntry] {
    try HistoryFile.entries(in: Array(lines.joined(separator: "\n").utf8))
  }

  private static func error(_ lines: String...) -> HistoryFileError? {
    failure(HistoryFileError.self) {
      _ = try HistoryFile.entries(in: Array(lines.joined(separator: "\n").utf8))
    }
  }

  @Test func fileIsAHeaderAndALineOfSortedKeysForEachEntry() {
    #expect(Self.text([]) == Self.header + "\n")
    #expect(Self.text([Self.entry]) == [Self.header, Self.line, ""].joined(separator: "\n"))
  }

  @Test func roundsAreInTheLineOfASessionThatHasAny() throws {
    var entry = Self.entry
    entry.summary.rounds = 7
    #expect(Self.text([entry]).contains(#""rounds":7,"sets":8"#))
    #expect(try HistoryFile.entries(in: HistoryFile.bytes(of: [entry])) == [entry])
    let wrong = Self.line.replacingOccurrences(of: #""sets":8"#, with: #""rounds":"7","sets":8"#)
    #expect(Self.error(Self.header, wrong)?.problem == "wrong \"rounds\"")
  }

  @Test func whatIsKeptOfReadingsIsInTheLineOfASessionThatHasAny() throws {
    var entry = Self.entry
    var phase = PhaseReadings(phase: 2, kind: .watts)
    phase.add(200, for: .seconds(30), isOnTarget: true)
    phase.add(230, for: .seconds(10), isOnTarget: false)
    entry.readings = [phase]
    #expect(Self.text([entry]).contains(#""readings":"2 watts 40000 30000 207.5""#))
    let again = try HistoryFile.entries(in: HistoryFile.bytes(of: [entry]))
    #expect(again == [entry] && again.first?.readings.first?.share == 0.75)
    for wrong in [
      "2 volts 1 1 1", "2 watts 1 2 1", "2 watts 1 1", "-1 watts 1 1 1", "2 watts 1 1 nan",
      "9223372036854775807 watts 1 1 1", "100000 watts 1 1 1",
    ] {
      let line = Self.line.replacingOccurrences(
        of: #""sets":8"#, with: #""readings":"\#(wrong)","sets":8"#)
      #expect(Self.error(Self.header, line)?.problem == "wrong \"readings\"")
    }
  }

  @Test func everyFigureComesBack() throws {
    var long = Self.entry
    long.id = "4"
    // From the beginning of the clock to the year 2200.
    long.startedAt = 0
    long.endedAt = 7_258_118_400_000_000_000
    long.summary.elapsed = .nanoseconds(long.endedAt / 4)
    long.summary.pauses = .nanoseconds(long.endedAt / 4 - 1)
    long.cuesPlayed = HistoryFile.maximumCount
    let entries = [Self.entry, long]
    let read = try HistoryFile.entries(in: HistoryFile.bytes(of: entries))
    #expect(read == entries)
  }

  /// Start, end, length and pauses of sessions during which the wall clock was set, in seconds.
  @Test(arguments: [
    (1_795_285_000, 1_795_284_999, 1920, 65), (1_795_285_000, 12, 7200, 400_000),
    (-5, 20, 10, 0), (1_795_285_000, 1_795_285_001, 7200, 9 * 86_400),
    (9_000_000_000, 9_000_000_100, 100, 0),
  ])
  func aClockThatWasSetMeanwhileMakesNoFileThatIsRefused(
    started: Int64, ended: Int64, length: Int64, pauses: Int64
  ) throws {
    var entry = Self.entry
    (entry.startedAt, entry.endedAt) = (started * 1_000_000_000, ended * 1_000_000_000)
    (entry.summary.elapsed, entry.summary.pauses) = (.seconds(length), .seconds(pauses))
    let bytes = HistoryFile.bytes(of: [entry])
    let read = try HistoryFile.entries(in: bytes)
    #expect(read.map(\.summary) == [entry.summary])
    #expect(HistoryFile.bytes(of: read) == bytes)
  }

  @Test(arguments: [
    ("started", "1795285000000000001", "1795287095654763496", "an end before its start"),
    ("ended", "1795287095654763495", "1795285000000000000", "an end before its start"),
    ("started", "1795285000000000001", "-9223372036854775808", "\"startedNanoseconds\""),
    ("ended", "1795287095654763495", "9223372036854775807", "\"endedNanoseconds\""),
    ("length", "1920000000001", "9223372036854775807", "a session longer than"),
    ("length", "1920000000001", "90000000000000", "a session longer than"),
    ("pause", "65000000000", "9223372036854775807", "a session longer than"),
  ])
  func timesThatNeverWereAreRefused(
    key: String, figure: String, other: String, problem: String
  ) throws {
    let key = "\"\(key)Nanoseconds\":"
    try #require(Self.line.contains(key + figure))
    let error = Self.error(Self.header, Self.line.replacing(key + figure, with: key + other))
    #expect(error?.line == 2)
    #expect(error?.problem.hasPrefix(problem) == true)
  }

  @Test(arguments: HistoryEntry.Outcome.allCases)
  func everyOutcomeComesBack(outcome: HistoryEntry.Outcome) throws {
    var entry = Self.entry
    entry.outcome = outcome
    let read = try HistoryFile.entries(in: HistoryFile.bytes(of: [entry]))
    #expect(read == [entry])
  }

  @Test(arguments: [
    "高強度 🏋️", "\"quoted\" \\ / <tag>", "e\u{301} \u{e9}", String(repeating: "x", count: 40),
  ])
  func everyNameComesBackByteForByte(name: String) throws {
    var entry = Self.entry
    entry.workout = name
    entry.lane = name
    let bytes = HistoryFile.bytes(of: [entry])
    #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 2)
    let read = try HistoryFile.entries(in: bytes)
    let names = read.map { Array($0.workout.utf8) } + read.map { Array($0.lane.utf8) }
    #expect(names == [Array(name.utf8), Array(name.utf8)])
    #expect(HistoryFile.bytes(of: read) == bytes)
  }

  @Test(arguments: [
    "", "a\nb", "\u{1}\u{1b}[31m", "a\u{2028}b", "\u{202e}anna", "an\u{2067}na", "anna\u{200f}",
    String(repeating: "x", count: 5000), "x" + String(repeating: "\u{301}", count: 5000),
  ])
  func nameThatNoRunWouldTakeIsRefused(name: String) throws {
    for key in ["lane", "workout"] {
      let old = key == "lane" ? "anna" : "8 x 20/10"
      let escaped = name.unicodeScalars.map { scalar in
        let hex = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      }.joined()
      let line = Self.line.replacing("\"\(key)\":\"\(old)\"", with: "\"\(key)\":\"\(escaped)\"")
      try #require(line != Self.line)
      let error = Self.error(Self.header, line)
      #expect(error?.line == 2)
      #expect(error?.problem == "wrong \"\(key)\"")
    }
  }

  @Test func nameThatAnEarlierProgramKeptMakesNoFileThatIsRefused() throws {
    var entry = Self.entry
    entry.lane = "\u{202e}anna\n" + String(repeating: "x", count: 5000)
    entry.workout = ""
    let read = try HistoryFile.entries(in: HistoryFile.bytes(of: [entry]))
    #expect(read.map(\.lane) == ["anna" + String(repeating: "x", count: 36)])
    #expect(read.map(\.workout) == ["?"])
  }

  @Test func blankLinesAndLineEndsOfOthersAndNoneAtTheEndAreRead() throws {
    let plain = try Self.entries(Self.header, Self.line)
    #expect(plain == [Self.entry])
    let others = try Self.entries(Self.header + "\r", Self.line + "\r", "\r", " ", "")
    #expect(others == [Self.entry])
  }

  @Test func duplicateEntryIsNoError() throws {
    let read = try Self.entries(Self.header, Self.line, Self.line)
    #expect(read == [Self.entry, Self.entry])
  }

  @Test func entryWithOtherFiguresIsAnError() {
    var other = Self.entry
    other.cuesMissed += 1
    let bytes = HistoryFile.bytes(of: [Self.entry, other])
    let error = Self.error(String(decoding: bytes, as: UTF8.self))
    #expect(error?.line == 3)
    #expect(error?.problem == "a session of line 2 with other figures")
  }

  @Test(arguments: [
    "", "hello", "{}", #"{"cuecoach":"ledger","version":1}"#, #"{"cuecoach":"history"}"#,
    #"{"cuecoach":"history","version":"1"}"#, line,
  ])
  func fileWithoutItsHeaderIsNoHistory(first: String) {
    let error = Self.error(first, Self.line)
    #expect(error?.line == 1)
    #expect(error?.problem == "no history")
  }

  @Test(arguments: [0, 2, -1])
  func anotherVersionIsNamed(version: Int) {
    let error = Self.error("{\"cuecoach\":\"history\",\"version\":\(version)}", Self.line)
    #expect(error?.line == 1)
    #expect(error?.problem == "version \(version)")
  }

  struct Damage: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    let problem: String

    init(_ old: String, _ new: String, _ problem: String) {
      self.old = old
      self.new = new
      self.problem = problem
    }

    var testDescription: String { new }
  }

  @Test(arguments: [
    Damage(#""pauses":2,"#, "", #"no "pauses""#),
    Damage(#""id":"3f2a","#, "", #"no "id""#),
    Damage(#""id":"3f2a""#, #""id":"""#, #"empty "id""#),
    Damage(#""id":"3f2a""#, #""id":"\u202e3f2a""#, #"wrong "id""#),
    Damage(#""id":"3f2a""#, #""id":7"#, #"wrong "id""#),
    Damage(#""pauses":2"#, #""pauses":"2""#, #"wrong "pauses""#),
    Damage(#""pauses":2"#, #""pauses":null"#, #"wrong "pauses""#),
    Damage(#""pauses":2"#, #""pauses":-2"#, #""pauses" -2"#),
    Damage(#""phases":17"#, #""phases":1000000001"#, #""phases" 1000000001"#),
    Damage(#""cuesMissed":3"#, #""cuesMissed":-1"#, #""cuesMissed" -1"#),
    Damage(
      #""cuesMissed":3"#, #""cuesMissed":9223372036854775807"#, #""cuesMissed" 9223372036854775807"#
    ),
    Damage(
      #""lengthNanoseconds":1"#, #""lengthNanoseconds":-1"#, #""lengthNanoseconds" -1920000000001"#),
    Damage(
      #""pauseNanoseconds":6"#, #""pauseNanoseconds":-6"#, #""pauseNanoseconds" -65000000000"#),
    Damage(#""phasesDone":14"#, #""phasesDone":16"#, "more phases done and skipped than there are"),
    Damage(#""setsSkipped":1"#, #""setsSkipped":3"#, "more sets done and skipped than there are"),
    Damage("stopped", "won", #""outcome" "won""#),
    Damage(#""pauses":2"#, #""pauses":1.5"#, "wrong \"pauses\""),
    Damage(#""pauses":2"#, #""pauses":2,"note":"a\u0000b""#, "damaged"),
    Damage(#""pauses":2"#, #""pauses":99999999999999999999"#, "wrong \"pauses\""),
    Damage(#""workout":"8 x 20/10"}"#, #""workout":"8 x"#, "damaged"),
    Damage(line, "[]", "damaged"),
    Damage(line, header, #"no ""#),
  ])
  func damagedLineIsNamedAndNothingIsRead(damage: Damage) throws {
    let range = try #require(Self.line.ranges(of: damage.old).first)
    var damaged = Self.line
    damaged.replaceSubrange(range, with: damage.new)
    let error = Self.error(Self.header, "", damaged, Self.line)
    #expect(error?.line == 3)
    #expect(error?.problem.hasPrefix(damage.problem) == true, "\(String(describing: error))")
  }

  @Test func longOutcomeIsShortenedInTheMessage() {
    var line = Self.line
    line.replaceSubrange(
      line.ranges(of: "stopped")[0], with: String(repeating: "x\u{301}", count: 1000))
    let error = Self.error(Self.header, line)
    #expect(error?.line == 2)
    #expect(error.map { $0.problem.utf8.count < 100 } == true)
  }

  @Test func anyCutOrFlippedBitIsReadOrNamedAndNeverTraps() {
    let bytes = HistoryFile.bytes(of: [Self.entry])
    for end in bytes.indices {
      _ = try? HistoryFile.entries(in: Array(bytes[..<end]))
      for bit in 0..<8 {
        var flipped = bytes
        flipped[end] ^= 1 << bit
        _ = try? HistoryFile.entries(in: flipped)
      }
    }
  }
}
