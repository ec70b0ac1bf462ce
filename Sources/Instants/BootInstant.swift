/// An instant on the running clock: nanoseconds of CLOCK_BOOTTIME.
///
/// The clock keeps running while the machine sleeps, and never jumps. The timeline, the engine and the sound receive
/// instants as arguments and never read a clock.
@frozen
public struct BootInstant: InstantProtocol, BitwiseCopyable, Hashable, Codable, Sendable {
  /// Nanoseconds since the machine booted.
  public let nanoseconds: Int64

  /// The machine's boot: before everything that happens.
  package static var boot: BootInstant { BootInstant(nanoseconds: 0) }
  /// After everything that happens.
  package static var never: BootInstant { BootInstant(nanoseconds: .max) }

  /// - Parameter nanoseconds: of CLOCK_BOOTTIME, since the machine booted.
  @inlinable
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

  @inlinable
  public func advanced(by duration: Duration) -> BootInstant {
    BootInstant(nanoseconds: nanoseconds + duration.wholeNanoseconds)
  }

  @inlinable
  public func duration(to other: BootInstant) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }

  @inlinable
  public static func < (lhs: BootInstant, rhs: BootInstant) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  @inlinable
  public static func + (lhs: BootInstant, rhs: Duration) -> BootInstant { lhs.advanced(by: rhs) }
  @inlinable
  public static func - (lhs: BootInstant, rhs: Duration) -> BootInstant {
    lhs.advanced(by: .zero - rhs)
  }
  @inlinable
  public static func - (lhs: BootInstant, rhs: BootInstant) -> Duration { rhs.duration(to: lhs) }
  @inlinable
  public static func += (instant: inout BootInstant, duration: Duration) {
    instant = instant.advanced(by: duration)
  }
}
