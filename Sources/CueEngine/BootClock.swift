import IntervalTimeline

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The machine's running clock, CLOCK_BOOTTIME: runs on while the machine sleeps, and never jumps.
public enum BootClock {
  /// The instant of the call. Any thread; never blocks.
  public static func now() -> BootInstant {
    BootInstant(nanoseconds: read(CLOCK_BOOTTIME))
  }

  /// How long the machine has slept since it booted: what CLOCK_MONOTONIC does not count.
  public static func slept() -> Duration {
    .nanoseconds(read(CLOCK_BOOTTIME) - read(CLOCK_MONOTONIC))
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
