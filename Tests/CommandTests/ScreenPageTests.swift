import Foundation
import IntervalTimeline
import Presets
import TestSupport
import Testing

@testable import CueEngine
@testable import cuecoach

/// The screen in windows of every size.
@Suite struct ScreenPageTests {
  private static let languages = ["de", "en", "es", "fr", "it", "nl", "pl", "pt"]

  private static func catalogue(_ language: String) throws -> PhraseCatalogue {
    try PhraseFile.read(path: SourceTree.path("Sounds/phrases/\(language).yaml"))
  }

  private static let rows = Workout(
    "Rows", sets: 30,
    [
      Phase(.low, .fixed(.seconds(90))), Phase(.work, .open(.reps(12)), name: "Snatch"),
      Phase(.high, .fixed(.seconds(20))),
    ])

  private static let start = BootInstant(nanoseconds: 1_000_000_000)

  /// A lane some time after its start, `next` phases after the first.
  private static func lane(
    _ name: String = "anna", _ language: String = "en", after elapsed: Duration = .seconds(78),
    next: Int = 0, isPaused: Bool = false
  ) throws -> ShownLane {
    var session = try Session.begun(rows, at: start)
    for _ in 0..<next { _ = session.handle(.next, at: start) }
    if isPaused { _ = session.handle(.pause, at: start + elapsed) }
    return ShownLane(
      session.status(name, phrases: try catalogue(language), at: start + elapsed))
  }

  private static func page(
    _ lanes: [ShownLane], _ columns: Int, _ rows: Int, chosen: Int? = nil, notes: [String] = []
  ) -> [String] {
    ScreenPage(lanes: lanes, chosen: chosen, columns: columns, rows: rows, notes: notes).lines
  }

  /// The rows of the large clock.
  private static func digitRows(_ lines: [String]) -> Int {
    lines.count { $0.contains("█") && !$0.contains("░") && !$0.contains(":") }
  }

  // MARK: Size

  @Test(arguments: [1, 2, 9]) func nothingIsWiderOrHigherThanTheWindow(count: Int) throws {
    let names = ["anna", "高強度の人", "e\u{301}le\u{301}onore 👩‍🚒 🇩🇪", String(repeating: "長い", count: 20)]
    let lanes = try (0..<count).map { try Self.lane(names[$0 % names.count], next: $0 % 3) }
    for columns in [1, 2, 5, 12, 20, 33, 40, 79, 80, 132, 200, 250] {
      for rows in [1, 2, 3, 4, 6, 9, 12, 15, 24, 50, 70] {
        for notes in [[], ["cuecoach says something long that is wider than most windows are"]] {
          let lines = Self.page(lanes, columns, rows, notes: notes)
          #expect(lines.count <= rows, "\(columns) x \(rows)")
          #expect(lines.allSatisfy { Columns.width($0) <= columns }, "\(columns) x \(rows)")
        }
      }
    }
  }

  @Test(arguments: [
    (40, 12, 5), (40, 7, 5), (80, 24, 10), (200, 50, 25), (250, 70, 35), (16, 24, 0), (20, 6, 0),
    (17, 12, 5),
  ])
  func digitsGrowWithTheWindow(columns: Int, rows: Int, high: Int) throws {
    // "0:12" is 17 points wide and 5 high.
    let lines = Self.page([try Self.lane()], columns, rows)
    #expect(Self.digitRows(lines) == high, "\(lines.joined(separator: "\n"))")
    #expect(lines.contains { $0.contains("set 1 of 30") } || columns < 20)
    if high == 0 { #expect(lines.contains { $0.contains("0:12") }) }
  }

  @Test(arguments: [(40, 12), (80, 24)]) func aSmallWindowStillShowsEverything(
    columns: Int, rows: Int
  ) throws {
    let lines = Self.page([try Self.lane()], columns, rows)
    for start in ["Rows", "set 1 of 30  Low", "phase    █", "workout  ", "Next: Snatch"] {
      #expect(lines.contains { $0.hasPrefix(start) }, "\(start)")
    }
  }

  @Test func theChosenLaneIsAmongThoseThatHaveRoom() throws {
    let lanes = try (1...9).map { try Self.lane("lane \($0)") }
    for chosen in 0..<9 {
      let lines = Self.page(lanes, 40, 6, chosen: chosen)
      #expect(lines.contains { $0.hasPrefix("> \(chosen + 1) ") })
    }
    #expect(Self.page(lanes, 80, 24).count { $0.hasPrefix("> ") } == 9)
  }

  @Test func aLaneKeepsItsClockInANarrowWindow() throws {
    let lanes = try ["Maximiliane Charlotte von Hohenfels", "ben"].map {
      try Self.lane($0, isPaused: true)
    }
    for columns in 24...80 {
      let lines = Self.page(lanes, columns, 24)
      #expect(lines[0].hasSuffix("0:12  paused"), "\(columns): \(lines[0])")
    }
  }

  // MARK: Keys

  @Test(arguments: languages) func theStopKeyIsShownAtEveryWidth(language: String) throws {
    let phrases = try Self.catalogue(language)
    let stop = phrases.screen(.stopKey)
    for lanes in [1, 2, 9] {
      let hints = KeyHints(phrases: phrases, lanes: lanes)
      // Where all of them have room, a wider window changes nothing.
      let widest = Columns.width(try #require(hints.lines(columns: 250, atMost: 1).first))
      for columns in 20...min(widest + 1, 250) {
        for rows in [1, 2] {
          let lines = hints.lines(columns: columns, atMost: rows)
          #expect((1...rows).contains(lines.count))
          #expect(lines.contains { $0.contains(stop) }, "\(columns): \(lines)")
          #expect(lines.allSatisfy { Columns.width($0) <= columns })
        }
      }
      let lines = hints.lines(columns: 80, atMost: 2)
      let all = lines.joined(separator: "   ")
      for key in [ScreenKey.spaceKey, .nextKey, .backKey, .whereKey] {
        #expect(all.contains(phrases.screen(key)))
      }
      #expect(all.contains(phrases.screen(.allKey)) == (lanes > 1))
    }
  }

  // MARK: Texts

  @Test func repetitionsStandBesideTheirPhase() throws {
    let english = Self.page([try Self.lane(next: 1)], 80, 24)
    #expect(english.contains("set 1 of 30  Snatch, 12 reps"))
    #expect(english.contains { $0.hasPrefix("phase    open, since 1:18") })
    let german = Self.page([try Self.lane("anna", "de", next: 1)], 80, 24)
    #expect(german.contains("Satz 1 von 30  Snatch, 12 Wiederholungen"))
    #expect(german.contains { $0.hasPrefix("Phase     offen, seit 1:18") })
  }

  @Test func aNoteIsBelowTheTitleWhereThereIsRoom() throws {
    var work = Phase(.work, .fixed(.seconds(20)))
    (work.note, work.link) = ("Elbows high", "https://example.org")
    let session = try Session.begun(Workout("Rows", [work]), at: Self.start)
    let status = session.status(at: Self.start + .seconds(5))
    let lines = Self.page([ShownLane(status)], 80, 24)
    let title = try #require(lines.firstIndex { $0.contains("Work") })
    #expect(lines[title + 1] == "Elbows high  https://example.org")
    for rows in 2...24 {
      for columns in [12, 40, 80] {
        let lines = Self.page([ShownLane(status)], columns, rows)
        #expect(lines.count <= rows)
        #expect(lines.allSatisfy { Columns.width($0) <= columns })
      }
    }
  }

  @Test func anOpenPhaseIsCountedFromItsStart() throws {
    let rest = Phase(.rest, .open(.untilNext, OpenBounds(atMost: .seconds(180))))
    let row = Phase(.work, .fixed(.seconds(20)))
    var session = try Session.begun(Workout("Rests", [rest, row]), at: Self.start)
    func status(_ language: String, after time: Duration) throws -> ShownLane {
      ShownLane(session.status(phrases: try Self.catalogue(language), at: Self.start + time))
    }
    let lane = try status("en", after: .seconds(50))
    let lines = Self.page([lane], 80, 24)
    #expect(lines.contains("phase    open, since 0:50, at most 2:10 more"), "\(lines)")
    // Its length, and so the workout's, is the most.
    #expect(lines.contains { $0.hasPrefix("workout  █") && $0.hasSuffix("░ at most 2:30 more") })
    #expect(Self.page([lane], 12, 2).first == "0:50  Rest")
    // A narrow window has the time that has passed in its digits.
    #expect(Self.page([lane], 40, 12).contains("phase    at most 2:10 more"))
    #expect(Self.page([lane, lane], 80, 24)[0].hasSuffix("Rest  0:50"))
    #expect(lane.untilNextSecond == .milliseconds(1002))
    #expect(try status("en", after: .milliseconds(50_400)).untilNextSecond == .milliseconds(602))
    #expect(
      Self.page([try status("fr", after: .seconds(50))], 80, 24)
        .contains("phase   libre, depuis 0:50, encore 2:10 au plus"))
    // What follows has a length.
    _ = session.handle(.next, at: Self.start + .seconds(50))
    let next = Self.page([try status("en", after: .seconds(55))], 80, 24)
    #expect(next.contains { $0.hasPrefix("phase    █") && $0.hasSuffix("░ 0:15") }, "\(next)")
    #expect(next.contains { $0.hasPrefix("workout  █") && $0.hasSuffix("░ 0:15") })
  }

  @Test func eachLaneHasItsOwnLanguageAndTheKeysThatOfTheFirst() throws {
    let lanes = [try Self.lane("anna", "de", isPaused: true), try Self.lane("ben", "fr")]
    let lines = Self.page(lanes, 80, 24, chosen: 1)
    #expect(lines[0] == "  1 anna  Satz 1 von 30  Locker  0:12  angehalten")
    #expect(lines[1] == "> 2 ben  série 1 sur 30  Facile  0:12")
    #expect(lines.contains("Ensuite : Snatch"))
    #expect(lines.contains { $0.contains("q Ende") })
    #expect(lanes[0].placeText == "Satz 1 von 30, Locker, noch 0:12")
    #expect(
      lanes[1].summary(isKept: true)
        == "Rows: interrompue après 1:18, phases faites : 0 sur 90")
  }

  @Test func theClockIsWhatTheVoiceSays() throws {
    for milliseconds in [78_000, 78_001, 78_500, 78_999, 79_000, 89_999] {
      let lane = try Self.lane(after: .milliseconds(milliseconds))
      let left = try #require(lane.phaseLeft)
      let said = PhraseCatalogue.english.duration(left)
      let shown = "0:" + (left.secondsLeft < 10 ? "0" : "") + "\(left.secondsLeft)"
      #expect(said.hasPrefix("\(left.secondsLeft) second"))
      #expect(lane.placeText == "set 1 of 30, Low, \(shown) left")
      #expect(Self.page([lane], 12, 4).contains { $0.contains(shown) })
    }
  }

  private static let longNames = Workout(
    String(repeating: "強い Rows ", count: 50),
    [
      Phase(
        .low, .fixed(.seconds(90)), name: "\u{202e}" + String(repeating: "long way ", count: 50)),
      Phase(.high, .fixed(.seconds(90)), name: String(repeating: "高強度", count: 100)),
    ])

  @Test(arguments: [(40, 12), (80, 24), (200, 50)])
  func namesThatHaveNoRoomEndInAnEllipsis(columns: Int, rows: Int) throws {
    let session = try Session.begun(Self.longNames, at: Self.start)
    let lines = Self.page([ShownLane(session.status(at: Self.start))], columns, rows)
    #expect(lines.allSatisfy { Columns.width($0) <= columns })
    for start in ["強い Rows", "long way", "Next: 高"] {
      let line = try #require(lines.first { $0.contains(start) })
      #expect(line.contains("…"), "\(line)")
      #expect(!line.unicodeScalars.contains("\u{202e}"))
    }
  }

  @Test func aNoteThatHasNoRoomEndsInAnEllipsis() throws {
    let note = String(repeating: "so many words ", count: 100)
    let lines = Self.page([try Self.lane()], 40, 12, notes: [note])
    #expect(lines.last?.hasSuffix("…") == true, "\(lines)")
    #expect(lines.count <= 12)
  }

  @Test func whatThePersonHasToKnowIsWrappedAndNotCut() throws {
    let note = "the device is busy: another program plays on it; it is tried again all the time"
    let lines = Self.page([try Self.lane()], 40, 24, notes: [note])
    #expect(lines.suffix(3).joined(separator: " ") == note)
  }
}
