import CueSound
import IntervalTimeline

// The session's instants and the sound's are the same clock's: this is where the one become the other.

extension BootInstant {
  public init(_ instant: SoundInstant) { self.init(nanoseconds: instant.nanoseconds) }
}

extension SoundInstant {
  public init(_ instant: BootInstant) { self.init(nanoseconds: instant.nanoseconds) }
}
