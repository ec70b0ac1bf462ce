/// An instant on the running clock: nanoseconds of CLOCK_BOOTTIME.
///
/// The clock keeps running while the machine sleeps, and never jumps. The core receives instants as
/// arguments and never reads a clock.
public struct BootInstant: InstantProtocol, Hashable, Codable, Sendable {
  /// Nanoseconds since the machine booted.
  public let nanoseconds: Int64

  /// - Parameter nanoseconds: of CLOCK_BOOTTIME, since the machine booted.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Within a hundred years before or after the boot, so that sums cannot overflow.
  package var isSane: Bool { nanoseconds.magnitude < 100 * 366 * 86_400 * 1_000_000_000 }

  public init(from decoder: any Decoder) throws {
    nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }

  public func advanced(by duration: Duration) -> BootInstant {
    BootInstant(nanoseconds: nanoseconds + duration.wholeNanoseconds)
  }

  public func duration(to other: BootInstant) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }

  public static func < (lhs: BootInstant, rhs: BootInstant) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  public static func + (lhs: BootInstant, rhs: Duration) -> BootInstant { lhs.advanced(by: rhs) }
  public static func - (lhs: BootInstant, rhs: Duration) -> BootInstant {
    lhs.advanced(by: .zero - rhs)
  }
  public static func - (lhs: BootInstant, rhs: BootInstant) -> Duration { rhs.duration(to: lhs) }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded towards zero. Exact for every length that a preset
  /// can state.
  package var wholeNanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }

  /// Remaining time in whole seconds, rounded up: a countdown shows 3 when "three" is said, and 0
  /// only at the end. Every display and text uses this value.
  package var secondsLeft: Int64 {
    max(0, components.seconds + (components.attoseconds > 0 ? 1 : 0))
  }

  /// Elapsed time in whole seconds, rounded down; together with `secondsLeft` it gives the whole
  /// length.
  package var secondsPassed: Int64 { max(0, components.seconds) }

  /// The duration in whole milliseconds, rounded towards zero.
  package var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
