import IntervalTimeline

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The machine's running clock, CLOCK_BOOTTIME: goes on through sleep and never jumps.
public enum BootClock {
  public static func now() -> BootInstant {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return BootInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
