/// A day of the calendar. The caller applies the time zone.
package struct Day: Hashable, Comparable {
  /// Days since 1970-01-01, a Thursday.
  package let number: Int64

  package init(number: Int64) { self.number = number }

  /// - Parameter local: seconds since 1970 with the time zone's offset already added.
  package init(local seconds: Int64) { number = seconds.quotient(by: 86_400).whole }

  /// The first day of its week (ISO 8601).
  package var monday: Day { Day(number: number - (number + 3).quotient(by: 7).rest) }

  /// "2026-11-21", in the Gregorian calendar.
  package var text: String {
    // Years from March on, so that the leap day comes last; in eras of 400 years
    // (howardhinnant.github.io/date_algorithms.html, civil_from_days).
    let (era, day) = (number + 719_468).quotient(by: 146_097)
    let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
    return [
      year.padded(to: 4), (month < 10 ? month + 3 : month - 9).padded(to: 2),
      dayOfMonth.padded(to: 2),
    ].joined(separator: "-")
  }

  /// Parses the format of `text`; nil for anything else. Years 1 to 9999.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2],
      let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2]),
      (1...12).contains(month)
    else { return nil }
    // The inverse of `text` (days_from_civil).
    let march = month > 2 ? year : year - 1
    let (era, yearOfEra) = march.quotient(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    number =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    guard self.text == text else { return nil }
  }

  package static func < (lhs: Day, rhs: Day) -> Bool { lhs.number < rhs.number }
}

extension Int64 {
  /// Rounds down, so that the remainder is never negative.
  package func quotient(by divisor: Int64) -> (whole: Int64, rest: Int64) {
    let (whole, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (whole - 1, rest + divisor) : (whole, rest)
  }
}
