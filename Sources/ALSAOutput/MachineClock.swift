import CueSound
import Glibc

/// The machine's clocks.
enum MachineClock {
  /// CLOCK_BOOTTIME.
  static func now() -> SoundInstant { SoundInstant(nanoseconds: time(CLOCK_BOOTTIME)) }

  /// How long the machine has slept since it booted: CLOCK_BOOTTIME less CLOCK_MONOTONIC. Never too
  /// long, even when the thread is held up between the two readings.
  static func asleep() -> Nanoseconds {
    let total = time(CLOCK_BOOTTIME)
    return Nanoseconds(total - time(CLOCK_MONOTONIC))
  }

  /// Nanoseconds.
  private static func time(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
