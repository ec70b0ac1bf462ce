import IntervalTimeline
import SystemIO

/// The machine's running clock, CLOCK_BOOTTIME: runs on while the machine sleeps, and never jumps.
public enum BootClock {
  /// The instant of the call. Any thread; never blocks.
  public static func now() -> BootInstant { BootInstant(nanoseconds: MachineTime.boot) }

  /// How long the machine has slept since it booted: what CLOCK_MONOTONIC does not count.
  public static func slept() -> Duration { .nanoseconds(MachineTime.asleep) }
}
