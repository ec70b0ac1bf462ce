import Instants
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
    let day = [Int(date.tm_year) + 1900, Int(date.tm_mon) + 1, Int(date.tm_mday)]
      .map { $0.padded(to: 2) }.joined(separator: "-")
    let clock = [date.tm_hour, date.tm_min, date.tm_sec]
      .map { $0.padded(to: 2) }.joined(separator: ":")
    return "\(day)T\(clock).\((now / 1_000_000 % 1000).padded(to: 3))Z"
  }
}
