#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The wall clock, for display only: nothing is scheduled on it.
package enum WallClock {
  /// RFC 3339 in UTC with milliseconds.
  package static func now() -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var date = tm()
    gmtime_r(&time.tv_sec, &date)
    func padded(_ value: Int, _ width: Int) -> String {
      let digits = "\(value)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let day = [Int(date.tm_year) + 1900, Int(date.tm_mon) + 1, Int(date.tm_mday)]
      .map { padded($0, 2) }.joined(separator: "-")
    let clock = [date.tm_hour, date.tm_min, date.tm_sec]
      .map { padded(Int($0), 2) }.joined(separator: ":")
    return "\(day)T\(clock).\(padded(time.tv_nsec / 1_000_000, 3))Z"
  }
}
