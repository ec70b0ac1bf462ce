import CueSound
import IntervalTimeline

// Sessions and sound use the same clock, CLOCK_BOOTTIME. Here alone their instants are converted.

extension BootInstant {
  /// The same instant for the schedule: both types count nanoseconds of CLOCK_BOOTTIME.
  public init(_ instant: SoundInstant) { self.init(nanoseconds: instant.nanoseconds) }
}

extension SoundInstant {
  /// The same instant for sound: both types count nanoseconds of CLOCK_BOOTTIME.
  public init(_ instant: BootInstant) { self.init(nanoseconds: instant.nanoseconds) }
}
