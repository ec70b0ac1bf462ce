/// A wall-clock time in a time zone.
package struct WallTime {
  /// The offset from UTC in seconds, at a time in seconds since 1970.
  package typealias Zone = (Int64) -> Int64

  private let nanoseconds: Int64
  private let offset: Int64

  /// - Parameter nanoseconds: since 1970.
  package init(_ nanoseconds: Int64, in zone: Zone) {
    self.nanoseconds = nanoseconds
    offset = zone(nanoseconds.quotient(by: 1_000_000_000).whole)
  }

  private var local: Int64 { nanoseconds.quotient(by: 1_000_000_000).whole + offset }

  package var day: Day { Day(local: local) }

  /// "2026-11-21 09:51".
  package var minuteText: String { "\(day.text) \(clock.minutes)" }

  /// "09:51:40".
  package var timeText: String { "\(clock.minutes):\(clock.seconds)" }

  /// "2026-11-21 09:51:40".
  package var secondText: String { "\(minuteText):\(clock.seconds)" }

  /// RFC 3339 in UTC with milliseconds, whatever the zone.
  package var utcText: String {
    let utc = WallTime(nanoseconds) { _ in 0 }
    let milliseconds = nanoseconds.quotient(by: 1_000_000_000).rest / 1_000_000
    return
      "\(utc.day.text)T\(utc.clock.minutes):\(utc.clock.seconds).\(milliseconds.padded(to: 3))Z"
  }

  /// ISO 8601 with the zone's offset: "2026-11-21T09:51:40+01:00".
  package var offsetText: String {
    let minutes = offset.magnitude / 60
    let zone = "\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
    return "\(day.text)T\(clock.minutes):\(clock.seconds)\(offset < 0 ? "-" : "+")\(zone)"
  }

  private var clock: (minutes: String, seconds: String) {
    let second = local.quotient(by: 86_400).rest
    return (
      "\((second / 3600).padded(to: 2)):\((second / 60 % 60).padded(to: 2))",
      (second % 60).padded(to: 2)
    )
  }
}
