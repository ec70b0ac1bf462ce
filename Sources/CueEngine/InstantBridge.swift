import CueSound
import IntervalTimeline

// Sessions and sound use the same clock, CLOCK_BOOTTIME. Here alone their instants are converted.

extension BootInstant {
  public init(_ instant: SoundInstant) { self.init(nanoseconds: instant.nanoseconds) }
}

extension SoundInstant {
  public init(_ instant: BootInstant) { self.init(nanoseconds: instant.nanoseconds) }
}
