import Foundation
import IntervalTimeline
import TestSupport
import Testing

@testable import cuecoach

/// The calendar and wall-clock times.
@Suite struct DayTests {
  @Test(arguments: [
    (0, "1970-01-01"), (-1, "1969-12-31"), (11_016, "2000-02-29"), (11_017, "2000-03-01"),
    (20_513, "2026-03-01"), (20_512, "2026-02-28"), (20_818, "2026-12-31"), (20_819, "2027-01-01"),
    (-25_509, "1900-02-28"), (-25_508, "1900-03-01"), (-106_752, "1677-09-21"),
    (106_751, "2262-04-11"),
  ])
  func dayIsThatOfTheCalendar(number: Int64, text: String) {
    #expect(Day(number: number).text == text)
    #expect(Day(text)?.number == number)
  }

  @Test(arguments: ["2026-02-29", "2026-13-01", "2026-00-10", "26-01-01", "2026-1-1", "", "a-b-c"])
  func whatIsNoDayOfTheCalendarIsNone(text: String) {
    #expect(Day(text) == nil)
  }

  @Test func everyDayOfFourHundredYearsIsTheSystemsOwn() throws {
    for number in Int64(0)..<146_097 {
      var time = time_t(number * 86_400)
      var date = tm()
      gmtime_r(&time, &date)
      let text = Day(number: number).text
      let numbers = text.split(separator: "-").compactMap { Int32($0) }
      guard numbers == [date.tm_year + 1900, date.tm_mon + 1, date.tm_mday] else {
        throw Unexpected("\(number) is \(text)")
      }
    }
  }

  @Test func weekBeginsOnMonday() {
    // 2026-11-16 is a Monday.
    let monday = Day(number: 20_773)
    #expect(monday.text == "2026-11-16")
    for day in 0..<7 { #expect(Day(number: monday.number + Int64(day)).monday == monday) }
    #expect(Day(number: monday.number - 1).monday.text == "2026-11-09")
    #expect(Day(number: 0).monday.text == "1969-12-29")
  }

  @Test func instantBeforeOneOClockIsOnTheDayOfItsPlace() {
    // 2026-11-21 23:30:05.0079 UTC.
    let instant: Int64 = 1_795_303_805_007_900_000
    let utc = WallTime(instant) { _ in 0 }
    #expect(utc.secondText == "2026-11-21 23:30:05")
    #expect(utc.utcText == "2026-11-21T23:30:05.007Z")
    let east = WallTime(instant) { _ in 3600 }
    #expect(east.minuteText == "2026-11-22 00:30")
    #expect(east.day == Day(number: 20_779))
    #expect(east.utcText == utc.utcText)
    let west = WallTime(instant) { _ in -86_400 }
    #expect(west.minuteText == "2026-11-20 23:30")
  }

  @Test func instantBefore1970IsRoundedDown() {
    #expect(WallTime(-1) { _ in 0 }.utcText == "1969-12-31T23:59:59.999Z")
    #expect(WallTime(.min) { _ in 0 }.utcText == "1677-09-21T00:12:43.145Z")
    #expect(WallTime(.max) { _ in 0 }.utcText == "2262-04-11T23:47:16.854Z")
  }
}
