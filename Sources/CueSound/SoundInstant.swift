/// An instant on the running clock, CLOCK_BOOTTIME, on which cues are due and sound is heard.
public struct SoundInstant: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// Since the machine booted.
  public var nanoseconds: Int64

  /// - Parameter nanoseconds: since the machine booted.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The machine's boot: before everything that happens.
  public static var boot: SoundInstant { SoundInstant(nanoseconds: 0) }
  /// After everything that happens.
  public static var max: SoundInstant { SoundInstant(nanoseconds: .max) }

  public static func < (one: SoundInstant, other: SoundInstant) -> Bool {
    one.nanoseconds < other.nanoseconds
  }

  public static func + (instant: SoundInstant, span: Nanoseconds) -> SoundInstant {
    SoundInstant(nanoseconds: instant.nanoseconds + span.value)
  }
  public static func - (instant: SoundInstant, span: Nanoseconds) -> SoundInstant {
    SoundInstant(nanoseconds: instant.nanoseconds - span.value)
  }
  public static func - (one: SoundInstant, other: SoundInstant) -> Nanoseconds {
    Nanoseconds(one.nanoseconds - other.nanoseconds)
  }
  public static func += (instant: inout SoundInstant, span: Nanoseconds) {
    instant.nanoseconds += span.value
  }
}
