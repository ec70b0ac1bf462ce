import Instants

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The machine's clocks, in nanoseconds. Any thread; never blocks.
package enum MachineTime {
  /// CLOCK_BOOTTIME: runs on while the machine sleeps, and never jumps.
  package static var boot: Int64 { read(CLOCK_BOOTTIME) }
  /// CLOCK_MONOTONIC: stands still while the machine sleeps.
  package static var monotonic: Int64 { read(CLOCK_MONOTONIC) }
  /// CLOCK_REALTIME: since 1970, UTC; may be set.
  package static var wall: Int64 { read(CLOCK_REALTIME) }

  /// How long the machine has slept since it booted. Never too long, even when the thread is held up between
  /// the two readings.
  package static var asleep: Int64 {
    let total = boot
    return total - monotonic
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension BootInstant {
  /// By the machine's clock. Any thread; never blocks.
  package static var now: BootInstant { BootInstant(nanoseconds: MachineTime.boot) }
}
