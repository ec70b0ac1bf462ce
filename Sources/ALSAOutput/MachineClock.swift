import Glibc

/// The machine's clocks, in nanoseconds.
enum MachineClock {
  /// CLOCK_BOOTTIME.
  static func now() -> Int64 { time(CLOCK_BOOTTIME) }

  /// How long the machine has slept since it booted: CLOCK_BOOTTIME less CLOCK_MONOTONIC. Never more
  /// than the truth, also when the thread is held up between the two.
  static func asleep() -> Int64 {
    let total = now()
    return total - time(CLOCK_MONOTONIC)
  }

  private static func time(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
