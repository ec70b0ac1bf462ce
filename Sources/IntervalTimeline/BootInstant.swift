/// An instant on the running clock: nanoseconds of CLOCK_BOOTTIME.
///
/// The clock runs on while the machine sleeps and never jumps; the core is handed instants and
/// never asks for one.
public struct BootInstant: InstantProtocol, Hashable, Codable, Sendable {
  /// Nanoseconds since the machine booted.
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Within a hundred years of the boot, before it included: far from where sums overflow.
  var isSane: Bool { nanoseconds.magnitude < 100 * 366 * 86_400 * 1_000_000_000 }

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
  /// The duration in whole nanoseconds, towards zero. Exact for every length a preset can state.
  public var wholeNanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }

  /// What is left, in whole seconds as a person counts them: one that has begun counts. A countdown
  /// so shows 3 when "three" is said, and 0 at the end alone. Every clock and text has it from here.
  public var secondsLeft: Int64 {
    max(0, components.seconds + (components.attoseconds > 0 ? 1 : 0))
  }

  /// What has passed, in full seconds; with what is left it makes up a whole length.
  public var secondsPassed: Int64 { max(0, components.seconds) }

  /// The duration in whole milliseconds, towards zero.
  public var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
