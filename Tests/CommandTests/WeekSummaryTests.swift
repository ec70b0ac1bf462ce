import IntervalTimeline
import SessionStore
import Testing

@testable import cuecoach

/// The history by week.
@Suite struct WeekSummaryTests {
  /// Monday, 2026-11-16, 00:00 UTC.
  private static let monday: Int64 = 20_773 * PastSession.day
  private static let hour = PastSession.day / 24
  private static let minute = hour / 60

  private func entry(_ started: Int64, _ outcome: HistoryEntry.Outcome = .finished) -> HistoryEntry
  {
    PastSession.entry("\(started)", at: started, outcome: outcome)
  }

  /// A summary on Wednesday at noon, UTC.
  private func summary(_ entries: [HistoryEntry]) -> WeekSummary {
    WeekSummary(entries, now: Self.monday + 60 * Self.hour) { _ in 0 }
  }

  @Test func sessionsAndLengthsOfAWeekAreAddedUp() {
    let summary = summary([
      entry(Self.monday), entry(Self.monday + 7 * PastSession.day - 1),
      entry(Self.monday - 1, .abandoned),
    ])
    #expect(summary.weeks.map(\.monday.text) == ["2026-11-16", "2026-11-09"])
    #expect(summary.weeks.map(\.sessions) == [2, 1])
    #expect(summary.weeks.map(\.length) == [.seconds(3600), .seconds(1800)])
  }

  @Test func weeksWithoutSessionsAreNone() {
    let summary = summary([entry(Self.monday - 70 * PastSession.day), entry(Self.monday)])
    #expect(summary.weeks.map(\.monday.text) == ["2026-11-16", "2026-09-07"])
    #expect(summary.streak == 1)
  }

  @Test func sessionIsInTheWeekOfItsPlace() {
    // Sunday, 23:30 UTC, which is Monday in a zone that is an hour ahead.
    let instant = Self.monday - Self.hour / 2
    let change = instant / 1_000_000_000
    let ahead = WeekSummary([entry(instant)], now: instant) { $0 >= change ? 3600 : 0 }
    #expect(ahead.weeks.map(\.monday.text) == ["2026-11-16"])
    let notYet = WeekSummary([entry(instant - 1)], now: instant) { $0 >= change ? 3600 : 0 }
    #expect(notYet.weeks.map(\.monday.text) == ["2026-11-09"])
  }

  @Test func clockThatIsSetBackInAutumnMovesNoSessionToAnotherWeek() {
    // Summer time ends on Sunday, 2026-10-25, at 01:00 UTC.
    let october19 = Self.monday - 28 * PastSession.day
    let change = (october19 + 6 * PastSession.day + Self.hour) / 1_000_000_000
    let earlyOnMonday = october19 - 90 * Self.minute
    let lateOnSunday = october19 + 7 * PastSession.day - 90 * Self.minute
    let summary = WeekSummary([entry(lateOnSunday), entry(earlyOnMonday)], now: lateOnSunday) {
      $0 >= change ? 3600 : 7200
    }
    #expect(summary.weeks.map(\.monday.text) == ["2026-10-19"])
    #expect(summary.weeks.map(\.sessions) == [2])
    #expect(summary.streak == 1)
  }

  @Test func streakIsWeeksInARowUpToThisOne() {
    let starts = [0, 7, 14, 28].map { Self.monday - $0 * PastSession.day + Self.hour }
    #expect(summary(starts.map { entry($0) }).streak == 3)
  }

  @Test func weekThatIsNotOverBreaksNoStreak() {
    let starts = [7, 14].map { Self.monday - $0 * PastSession.day }
    #expect(summary(starts.map { entry($0) }).streak == 2)
    #expect(summary([entry(Self.monday - 14 * PastSession.day)]).streak == 0)
  }

  @Test(arguments: zip(HistoryEntry.Outcome.allCases, [1, 1, 0, 1]))
  func abandonedSessionIsNoneOfAStreak(outcome: HistoryEntry.Outcome, streak: Int) {
    #expect(summary([entry(Self.monday, outcome)]).streak == streak)
  }

  @Test func sessionOfTheFutureIsNoneOfAStreak() {
    let starts = [0, 7, 14].map { Self.monday + $0 * PastSession.day }
    #expect(summary(starts.map { entry($0) }).streak == 1)
  }

  @Test func historyOfNothingIsNoWeeks() {
    let summary = summary([])
    #expect(summary.weeks.isEmpty)
    #expect(summary.streak == 0)
  }

  @Test(arguments: [
    (0.0, ""), (0.0001, "▏"), (0.125, "▌"), (0.25, "█"), (0.5, "██"), (0.97, "███▉"), (1.0, "████"),
    (2.0, "████"),
  ])
  func barIsToAnEighthOfAColumnAndNeverNothingForSomething(share: Double, text: String) {
    #expect(Bar.text(share, columns: 4) == text)
  }
}
