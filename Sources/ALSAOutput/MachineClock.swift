import CueSound
import SystemIO

/// The machine's clocks in the units of sound.
enum MachineClock {
  /// CLOCK_BOOTTIME.
  static func now() -> BootInstant { BootInstant(nanoseconds: MachineTime.boot) }

  /// How long the machine has slept since it booted.
  static func asleep() -> Duration { .nanoseconds(MachineTime.asleep) }
}
