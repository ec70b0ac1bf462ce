import IntervalTimeline
import TestSupport
import Testing

@testable import SessionStore

/// The history page by page, and what is deleted for a while only.
@Suite struct EndedSessionsTests {
  private let folder = StoreFolder()
  private static let day: Int64 = 86_400_000_000_000

  private static let course = SessionCourse([
    SessionCourse.Phase(
      label: "All out; ümlaut\u{2003}x", kind: .work, set: 1, planned: 20_000, done: 38_500,
      outcome: .done),
    SessionCourse.Phase(label: "", kind: .rest, set: 1, planned: nil, done: 0, outcome: .skipped),
    SessionCourse.Phase(
      label: "", kind: .cooldown, set: nil, planned: 60_000, done: 0, outcome: .pending),
  ])

  private static func entry(
    _ id: String, at started: Int64, lane: String = "anna", tags: [String] = [],
    preset: String = "rows"
  ) -> HistoryEntry {
    var entry = HistoryEntry(
      id: id, lane: lane, workout: "Rows", outcome: .finished, startedAt: started,
      endedAt: started + 60_000_000_000,
      summary: SessionSummary(
        phases: 4, phasesDone: 3, phasesSkipped: 1, sets: 2, setsDone: 1, setsSkipped: 1,
        elapsed: .seconds(50), pauses: .zero, pauseCount: 0), cuesPlayed: 9, cuesMissed: 0)
    entry.origin = SessionOrigin(preset: preset, tags: tags, isPersons: lane == "anna")
    entry.course = course
    return entry
  }

  @Test func pagesFollowEachOtherWithoutAGapAndEqualTimesAreKeptApart() throws {
    let store = try folder.open()
    // Three at one instant lie across the border of two pages.
    let entries =
      (0..<7).map { Self.entry("x\($0)", at: Int64($0) * Self.day) }
      + ["a", "b", "c"].map { Self.entry($0, at: 3 * Self.day) }
    _ = try store.past.add(entries.shuffled())
    var ids: [String] = []
    var before: String?
    repeat {
      let page = try #require(
        try store.past.entries(EndedSessions.Filter(), before: before, limit: 3))
      ids += page.map(\.id)
      before = page.last?.id
    } while before != nil
    #expect(ids == ["x6", "x5", "x4", "a", "b", "c", "x3", "x2", "x1", "x0"])
    #expect(try store.past.entries(EndedSessions.Filter(), before: "nobody", limit: 3) == nil)
  }

  @Test func aFilterTakesALaneAndAWholeTag() throws {
    let store = try folder.open()
    _ = try store.past.add([
      Self.entry("a", at: 1, tags: ["short", "trained"]),
      Self.entry("b", at: 2, lane: "ben", tags: ["shorter"]),
      Self.entry("c", at: 3, lane: "ben", tags: ["trained", "short"]),
    ])
    func ids(_ lane: String?, _ tag: String?) throws -> [String] {
      let filter = EndedSessions.Filter(lane: lane, tag: tag)
      #expect(
        try store.past.figures(filter).map(\.id)
          == store.past.entries(filter, before: nil, limit: 9)?.map(\.id))
      return try store.past.figures(filter).map(\.id)
    }
    #expect(try ids(nil, "short") == ["c", "a"])
    #expect(try ids("ben", nil) == ["c", "b"])
    #expect(try ids("ben", "short") == ["c"])
    #expect(try ids("ben", "hort") == [] && ids(nil, "' OR 1") == [])
  }

  @Test func figuresAreThoseOfTheEntry() throws {
    let store = try folder.open()
    _ = try store.past.add([Self.entry("a", at: 5)])
    let figures = try #require(try store.past.figures(EndedSessions.Filter()).first)
    #expect(figures.work == .milliseconds(38_500) && figures.complete == 0.75)
    #expect(figures.preset == "rows" && figures.elapsed == .seconds(50))
    #expect(try store.past.uses(limit: 9) == [.init(person: "anna", preset: "rows")])
  }

  @Test func whatIsDeletedComesBackForThirtyDaysWithAllThatItHad() throws {
    let store = try folder.open()
    let entry = Self.entry("a", at: 5, tags: ["short"])
    _ = try store.past.add([entry, Self.entry("b", at: 6)])
    #expect(try store.past.remove("a", at: 0))
    #expect(try !store.past.remove("a", at: 0) && !store.past.remove("nobody", at: 0))
    #expect(try store.past.entries().entries.map(\.id) == ["b"])
    #expect(try store.past.restore("a", at: EndedSessions.keeping - 1))
    #expect(try store.past.entry("a") == entry)
    #expect(try !store.past.restore("a", at: 1))
    // Too late; and then gone.
    #expect(try store.past.remove("a", at: 0))
    #expect(try !store.past.restore("a", at: EndedSessions.keeping))
    #expect(try store.past.remove("b", at: EndedSessions.keeping))
    #expect(try !store.past.restore("a", at: 1))
  }

  @Test func whatIsDeletedIsRescuedFromADamagedDatabase() throws {
    do {
      let store = try folder.open()
      _ = try store.past.add([Self.entry("a", at: 5), Self.entry("b", at: 6)])
      #expect(try store.past.remove("a", at: 7))
      #expect(try store.past.remove("b", at: 7))
    }
    try folder.execute("UPDATE removed SET data = x'00' WHERE id = 'b'")
    try folder.execute("DROP TABLE plan")
    let store = try folder.open()
    #expect(store.notice != nil)
    #expect(try store.past.restore("a", at: 8) && !store.past.restore("b", at: 8))
    #expect(try store.past.entries().entries == [Self.entry("a", at: 5)])
  }

  /// The columns came with this version: a database of an earlier one has none.
  @Test func aDatabaseOfAnEarlierVersionIsReadAsItIs() throws {
    do { _ = try folder.open().past.add([try StoredSession.sample("old").ended]) }
    for column in ["preset", "tags", "persons", "work", "rest", "course"] {
      try folder.execute("ALTER TABLE history DROP COLUMN \(column)")
    }
    let old = try StoreContents.untouched(folder.path)
    #expect(try old.history == [StoredSession.sample("old").ended] && old.damaged == 0)
    let store = try folder.open()
    #expect(try store.past.figures(EndedSessions.Filter(tag: "short")) == [])
    #expect(try store.past.figures(EndedSessions.Filter()).map(\.work) == [nil])
    #expect(try store.past.uses(limit: 9) == [])
    _ = try store.past.add([Self.entry("new", at: 5, tags: ["short"])])
    #expect(try store.past.entries().entries.map(\.id) == ["old", "new"])
    #expect(try store.past.entries().damaged == 0)
  }

  @Test func aRowThatWasAlteredIsDamaged() throws {
    _ = try folder.open().past.add([Self.entry("a", at: 5, tags: ["short"])])
    for change in ["preset = 'x'", "tags = ' x '", "persons = 0", "course = ''"] {
      try folder.execute("UPDATE history SET \(change)")
      #expect(try folder.open().past.entries().damaged == 1, "\(change)")
      _ = try folder.open().past.add([Self.entry("a", at: 5, tags: ["short"])])
      #expect(try folder.open().past.entries().damaged == 0)
    }
  }

  @Test func aCourseIsATextAndNoOtherTextIsOne() throws {
    #expect(SessionCourse(Self.course.text) == Self.course)
    #expect(Self.course.work == .milliseconds(38_500) && Self.course.rest == .zero)
    for wrong in [
      "", "a", "a\nwork 1 - - 0 0", "a\nwork 0 - - 0 3", "a\nwork 0 - - -1 0", "a\nwok 0 - - 0 0",
      "a\nwork 0 x - 0 0", "a\nwork 0 - 9223372036854775807 0 0", "a\u{1b}\nwork 0 - - 0 0",
      "a\nwork 0 - - 0", "a\nwork 0 - - 0 0\n",
    ] {
      #expect(SessionCourse(wrong) == nil, "\(wrong)")
    }
  }

  @Test func aCourseIsTakenFromTheRecordOfASession() throws {
    let session = try StoredSession.sample("a", at: 24_500_000_000)
    let course = try #require(
      SessionCourse(session.record, in: Timeline(session.workout)))
    #expect(course.phases.map(\.label).prefix(2) == ["All out", ""])
    #expect(course.phases.map(\.planned).prefix(3) == [20_500, nil, nil])
    #expect(course.phases.map(\.done).prefix(3) == [20_500, 3_000, 0])
    #expect(course.phases.map(\.outcome).prefix(2) == [.done, .pending])
    #expect(course.work == .milliseconds(20_500))
  }

  @Test func anExportedHistoryHasIt() throws {
    let entry = Self.entry("a", at: 5, tags: ["short", "trained"])
    #expect(try HistoryFile.entries(in: HistoryFile.bytes(of: [entry])) == [entry])
    let text = String(decoding: HistoryFile.bytes(of: [entry]), as: UTF8.self)
    for (old, new, what) in [
      (#""tags":" short trained ""#, #""tags":"Not A Tag""#, "wrong \"tags\""),
      (#""preset":"rows""#, #""preset":"\u0007""#, "wrong \"preset\""),
      ("work 0 1 20000", "work 7 1 20000", "wrong \"course\""),
    ] {
      #expect(text.contains(old))
      let wrong = text.split(separator: old, omittingEmptySubsequences: false).joined(
        separator: new)
      let error = failure(HistoryFileError.self) {
        _ = try HistoryFile.entries(in: Array(wrong.utf8))
      }
      #expect(error?.problem == what)
    }
  }
}
