import ControlProtocol
import IntervalTimeline
import Testing

@testable import SessionStore
@testable import cuecoach

/// A year of the history, and what people like.
@Suite struct HistorySummaryTests {
  private static func figures(
    _ id: String, _ day: String, preset: String = "", outcome: HistoryEntry.Outcome = .finished,
    work: Duration? = .seconds(60), complete: Double = 1
  ) throws -> EndedSessions.Figures {
    let start = try #require(Day(day)).number * 86_400 + 12 * 3600
    return EndedSessions.Figures(
      id: id, preset: preset, outcome: outcome, startedAt: start * 1_000_000_000,
      elapsed: .seconds(90), work: work, complete: complete)
  }

  private static func answer(
    _ figures: [EndedSessions.Figures], year: Int? = nil, now: String, zone: Int64 = 0
  ) throws -> ControlAnswer {
    let wall = try #require(Day(now)).number * 86_400_000_000_000
    var answer = ControlAnswer(.number(1))
    HistorySummary(figures, year: year, now: wall, in: { _ in zone }).write(to: &answer)
    return answer
  }

  @Test func daysAndWeeksAreThoseOfTheYear() throws {
    let figures = try [
      Self.figures("a", "2026-11-27"), Self.figures("b", "2026-11-27", work: nil),
      Self.figures("c", "2026-11-25", outcome: .stopped),
      Self.figures("d", "2026-11-24", outcome: .missed), Self.figures("e", "2025-12-31"),
      Self.figures("f", "2025-12-28"),
    ]
    let answer = try Self.answer(figures, now: "2026-11-27")
    #expect(
      answer.days == [
        PeriodSum(date: "2026-11-25", workouts: 1, work: 60),
        PeriodSum(date: "2026-11-27", workouts: 2, work: 60),
      ])
    #expect(answer.weeks == [PeriodSum(date: "2026-11-23", workouts: 3, work: 120)])
    let before = try Self.answer(figures, year: 2025, now: "2026-11-27")
    #expect(before.days?.map(\.date) == ["2025-12-28", "2025-12-31"])
    // A week belongs to the year of its Monday.
    #expect(before.weeks?.map(\.date) == ["2025-12-22", "2025-12-29"])
  }

  @Test func aDayIsThatOfTheLocalClock() throws {
    let figures = [try Self.figures("a", "2026-12-31")]
    let answer = try Self.answer(figures, year: 2027, now: "2027-01-05", zone: 13 * 3600)
    #expect(answer.days?.map(\.date) == ["2027-01-01"])
    #expect(answer.weeks == [])
  }

  @Test func aStreakIsWeeksInARow() throws {
    func streak(_ days: [String], now: String) throws -> Streak? {
      try Self.answer(days.map { try Self.figures($0, $0) }, now: now).streak
    }
    let days = ["2026-11-16", "2026-11-10", "2026-11-02", "2026-09-07", "2026-08-31"]
    #expect(try streak(days, now: "2026-11-27") == Streak(now: 3, best: 3))
    #expect(try streak(days, now: "2026-12-01") == Streak(now: 0, best: 3))
    #expect(try streak(days + ["2026-11-27"], now: "2026-11-27") == Streak(now: 4, best: 4))
    #expect(try streak([], now: "2026-11-27") == Streak(now: 0, best: 0))
    let abandoned = [try Self.figures("a", "2026-11-27", outcome: .abandoned)]
    #expect(try Self.answer(abandoned, now: "2026-11-27").streak == Streak(now: 0, best: 0))
  }

  @Test func theBestOfAPresetIsTheMostCompleteThenTheLongestThenTheLatest() throws {
    let figures = try [
      Self.figures("a", "2026-11-27", preset: "rows", complete: 0.5),
      Self.figures("b", "2026-11-26", preset: "rows", work: .seconds(30)),
      Self.figures("c", "2026-11-25", preset: "rows", work: .seconds(90)),
      Self.figures("d", "2026-11-24", preset: "rows", work: .seconds(90)),
      Self.figures("e", "2026-11-23", preset: "emom", work: nil),
      Self.figures("f", "2026-11-22"),
    ]
    #expect(
      try Self.answer(figures, now: "2026-11-27").best == [
        BestSession(preset: "emom", id: "e", complete: 1, work: nil),
        BestSession(preset: "rows", id: "c", complete: 1, work: 90),
      ])
  }

  @Test func aSessionSaysWhetherItsNameIsSomebodys() {
    var entry = PastSession.entry("a", at: 0)
    #expect(HistoryItem(entry, in: { _ in 0 }).person == nil)
    entry.origin.isPersons = true
    #expect(HistoryItem(entry, in: { _ in 0 }).person == true)
  }

  @Test func peopleAreThoseWhoTrainedLastAndThoseWhoLikeSomething() throws {
    let uses = [("ben", "rows"), ("", "emom"), ("ben", "tabata"), ("anna", ""), ("ben", "emom")]
      .map { EndedSessions.Use(person: $0, preset: $1) }
    var favourites: Favourites = [:]
    try favourites.set("rows", of: "cleo", true)
    try favourites.set("emom", of: "cleo", true)
    try favourites.set("rows", of: "cleo", true)
    try favourites.set("hiit", of: "", true)
    #expect(
      People(uses, favourites).entries == [
        PersonEntry(name: "ben", recent: ["rows", "tabata", "emom"]),
        PersonEntry(name: "", favourites: ["hiit"], recent: ["emom"]),
        PersonEntry(name: "anna"), PersonEntry(name: "cleo", favourites: ["rows", "emom"]),
      ])
    try favourites.set("hiit", of: "", false)
    #expect(favourites.keys.sorted() == ["cleo"])
    let many = (0..<99).flatMap { person in
      (0..<20).map { EndedSessions.Use(person: "p\(person)", preset: "w\($0)") }
    }
    let people = People(many, [:]).entries
    #expect(people.count == 50 && people.allSatisfy { $0.recent.count == 12 })
  }

  @Test func favouritesHaveAnEnd() throws {
    var favourites: Favourites = [:]
    for number in 0..<People.maxFavourites { try favourites.set("w\(number)", of: "a", true) }
    #expect(throws: ControlError.self) { try favourites.set("one more", of: "a", true) }
    // One that is there already moves to the front.
    try favourites.set("w7", of: "a", true)
    #expect(favourites["a"]?.count == People.maxFavourites && favourites["a"]?.first == "w7")
    for number in 1..<People.maxCount { try favourites.set("w", of: "p\(number)", true) }
    #expect(throws: ControlError.self) { try favourites.set("w", of: "another", true) }
  }
}
