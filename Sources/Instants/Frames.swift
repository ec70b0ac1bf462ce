/// A number of sample frames: a count, or a position counted from the first frame of an output.
///
/// Positions become instants in `FrameMap`, counts become spans of time in `SampleRate`, and nowhere
/// else.
public struct Frames: BitwiseCopyable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// Frames; negative for a distance backwards.
  public var value: Int64

  /// A count or a position, as it is.
  public init(_ value: Int64) { self.value = value }
  /// A count of samples or of a collection's elements, which are one a frame.
  public init(_ count: Int) { value = Int64(count) }
  public init(integerLiteral value: Int64) { self.value = value }

  /// Later than any frame of an output.
  public static var max: Frames { Frames(Int64.max) }

  public var magnitude: Frames { Frames(abs(value)) }

  public static func < (one: Frames, other: Frames) -> Bool { one.value < other.value }

  public static func + (one: Frames, other: Frames) -> Frames { Frames(one.value + other.value) }
  public static func - (one: Frames, other: Frames) -> Frames { Frames(one.value - other.value) }
  public static func += (one: inout Frames, other: Frames) { one.value += other.value }
  public static func -= (one: inout Frames, other: Frames) { one.value -= other.value }
}

extension Int {
  /// The number of frames, for an index or a buffer's length.
  public init(_ frames: Frames) { self = Int(frames.value) }
}
