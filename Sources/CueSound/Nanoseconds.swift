/// A span of time as the sound side counts it.
///
/// The engine and all settings have `Duration`, whose 128 bits the audio thread has no use for.
public struct Nanoseconds: BitwiseCopyable, Hashable, Comparable, Sendable {
  /// Nanoseconds; negative for a span backwards.
  public var value: Int64

  /// A span of this many nanoseconds.
  public init(_ value: Int64) { self.value = value }

  /// In whole nanoseconds, towards zero.
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    value = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// `count` times 1000 ns. Traps beyond 292 years.
  public static func microseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000) }
  /// `count` times 1 000 000 ns. Traps beyond 292 years.
  public static func milliseconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000_000) }
  /// `count` times 1 000 000 000 ns. Traps beyond 292 years.
  public static func seconds(_ count: Int64) -> Nanoseconds { Nanoseconds(count * 1_000_000_000) }

  /// No time at all.
  public static var zero: Nanoseconds { Nanoseconds(0) }
  /// Longer than anything lasts; as a wait, until something else ends it.
  public static var max: Nanoseconds { Nanoseconds(Int64.max) }

  /// The span in seconds, to the nanosecond for spans of up to a hundred days.
  public var seconds: Double { Double(value) / 1e9 }
  public var magnitude: Nanoseconds { Nanoseconds(abs(value)) }

  public static func < (one: Nanoseconds, other: Nanoseconds) -> Bool { one.value < other.value }

  public static func + (one: Nanoseconds, other: Nanoseconds) -> Nanoseconds {
    Nanoseconds(one.value + other.value)
  }
  public static func - (one: Nanoseconds, other: Nanoseconds) -> Nanoseconds {
    Nanoseconds(one.value - other.value)
  }
  public static func * (one: Nanoseconds, factor: Int64) -> Nanoseconds {
    Nanoseconds(one.value * factor)
  }
  /// Towards zero.
  public static func / (one: Nanoseconds, divisor: Int64) -> Nanoseconds {
    Nanoseconds(one.value / divisor)
  }
}

extension Duration {
  /// The same span, without rounding.
  public init(_ span: Nanoseconds) { self = .nanoseconds(span.value) }
}
