import SystemIO

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The wall clock, for display only: nothing is scheduled on it.
package enum WallClock {
  /// RFC 3339 in UTC with milliseconds.
  package static func now() -> String {
    let now = MachineTime.wall
    var seconds = time_t(now / 1_000_000_000)
    var date = tm()
    gmtime_r(&seconds, &date)
    func padded(_ value: Int, _ width: Int) -> String {
      let digits = "\(value)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = [Int(date.tm_year) + 1900, Int(date.tm_mon) + 1, Int(date.tm_mday)]
      .map { padded($0, 2) }.joined(separator: "-")
    let clock = [date.tm_hour, date.tm_min, date.tm_sec]
      .map { padded(Int($0), 2) }.joined(separator: ":")
    return "\(day)T\(clock).\(padded(Int(now / 1_000_000 % 1000), 3))Z"
  }
}
