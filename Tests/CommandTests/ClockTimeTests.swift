import IntervalTimeline
import Testing

@testable import cuecoach

@Suite struct ClockTimeTests {
  /// Central Europe in 2026: summer time from 29 March to 25 October, 1:00 UTC.
  private static func berlin(_ seconds: Int64) -> Int64 {
    (1_774_746_000..<1_792_890_000).contains(seconds) ? 7200 : 3600
  }

  /// Seconds since 1970 of a time in UTC.
  private static func utc(_ day: String, _ time: String) throws -> Int64 {
    let day = try #require(Day(day))
    return day.number * 86_400 + (try #require(ClockTime(time))).seconds
  }

  @Test(arguments: [
    ("18:00", 64_800), ("0:00", 0), ("00:00", 0), ("23:59:59", 86_399), ("6:30", 23_400),
    ("06:30:05", 23_405),
  ])
  func isRead(text: String, seconds: Int64) throws {
    #expect(try #require(ClockTime(text)).seconds == seconds)
  }

  @Test(arguments: [
    "", "18", "24:00", "18:60", "18:00:60", "18:0", "180:00", "18:00:00:00", "-1:00", "+1:00",
    " 18:00", "18:00 ", "18.00", "٦:٣٠", ":30", "6 pm",
  ])
  func anythingElseIsNot(text: String) { #expect(ClockTime(text) == nil) }

  /// Now and the result in UTC; the time is that of Berlin.
  @Test(arguments: [
    ("2026-01-10", "10:00", "18:00", "2026-01-10", "17:00"),
    ("2026-01-10", "17:00", "18:00", "2026-01-10", "17:00"),
    ("2026-01-10", "17:00:01", "18:00", "2026-01-11", "17:00"),
    ("2026-01-10", "23:30", "0:15", "2026-01-11", "23:15"),
    ("2026-12-31", "23:30", "0:15", "2027-01-01", "23:15"),
    // Over a change to summer time, and back.
    ("2026-03-28", "17:30", "18:00", "2026-03-29", "16:00"),
    ("2026-10-24", "16:30", "18:00", "2026-10-25", "17:00"),
    // 2:30 is left out on 29 March.
    ("2026-03-28", "12:00", "2:30", "2026-03-30", "00:30"),
    ("2026-03-29", "00:59", "2:30", "2026-03-30", "00:30"),
    ("2026-03-29", "00:59", "3:00", "2026-03-29", "01:00"),
    // 2:30 comes twice on 25 October.
    ("2026-10-24", "12:00", "2:30", "2026-10-25", "00:30"),
    ("2026-10-25", "00:45", "2:30", "2026-10-25", "01:30"),
    ("2026-10-25", "01:45", "2:30", "2026-10-26", "01:30"),
  ])
  func comesNext(
    day: String, now: String, time: String, nextDay: String, next: String
  ) throws {
    let now = try Self.utc(day, now) * 1_000_000_000
    let found = try #require(ClockTime(time)).next(after: now, in: Self.berlin)
    let expected = try Self.utc(nextDay, next) * 1_000_000_000
    #expect(found == expected)
    // A moment later than the second it is the next one.
    if found == now {
      let later = try #require(ClockTime(time)).next(after: now + 1, in: Self.berlin)
      #expect(later > now)
    }
  }

  /// Half an hour off, and a change of half an hour.
  @Test func aZoneMayBeAnyNumberOfMinutesOff() throws {
    let zone: WallTime.Zone = { $0 < 1_000_000 ? 37_800 : 39_600 }
    let time = try #require(ClockTime("12:00"))
    for now in stride(from: 900_000 as Int64, to: 1_100_000, by: 977) {
      let next = time.next(after: now * 1_000_000_000, in: zone) / 1_000_000_000
      #expect(next >= now && next <= now + 86_400 + 1800)
      #expect((next + zone(next)) % 86_400 == 43_200)
    }
  }
}
