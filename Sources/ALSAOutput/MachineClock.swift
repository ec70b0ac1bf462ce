import CueSound
import SystemIO

/// The machine's clocks in the units of sound.
enum MachineClock {
  /// CLOCK_BOOTTIME.
  static func now() -> SoundInstant { SoundInstant(nanoseconds: MachineTime.boot) }

  /// How long the machine has slept since it booted.
  static func asleep() -> Nanoseconds { Nanoseconds(MachineTime.asleep) }
}
