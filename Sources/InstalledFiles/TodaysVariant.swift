import Glibc
import Presets

extension WorkoutVariant {
  /// What a preset leaves to a run of today, by the local date: its year, month and day are the seed of a preset
  /// that has none.
  public static func today(seed: UInt64? = nil, group: Int? = nil) -> WorkoutVariant {
    var now = time(nil)
    var date = tm()
    localtime_r(&now, &date)
    let year = UInt64(max(0, date.tm_year + 1900))
    let day = year * 10_000 + UInt64(date.tm_mon + 1) * 100 + UInt64(date.tm_mday)
    return WorkoutVariant(seed: seed, day: day, group: group)
  }
}
