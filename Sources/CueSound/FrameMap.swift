/// A straight line between instants and frames: which frame of the output is heard when.
public struct FrameMap: BitwiseCopyable, Hashable, Sendable {
  /// A frame and the instant at which it is heard.
  public internal(set) var frame: Frames
  /// When `frame` is heard.
  public internal(set) var instant: BootInstant
  /// Frames a second as the running clock counts them: 48 000 on a card without drift.
  public internal(set) var rate: Double

  /// More than a century of frames, and of nanoseconds: sums of two cannot overflow.
  static var maxFrame: Int64 { 1 << 52 }
  private static var maxInstant: Int64 { 1 << 62 }

  /// A line through one point.
  ///
  /// - Precondition: `rate` is between 1 and 10 000 000, `frame` within 2⁵² of zero, and `instant` within 146 years
  ///   of the boot. Anything else ends the program with a sentence.
  public init(frame: Frames, instant: BootInstant, rate: Double) {
    // Also false for what is no number.
    guard (1...10_000_000).contains(rate) else {
      fatalError("a FrameMap of \(rate) frames a second, expected 1 to 10000000")
    }
    guard frame.value.magnitude <= Self.maxFrame,
      instant.nanoseconds.magnitude < Self.maxInstant
    else {
      fatalError(
        "a FrameMap through frame \(frame.value) at \(instant.nanoseconds) ns, expected both within a century of "
          + "zero")
    }
    self.frame = frame
    self.instant = instant
    self.rate = rate
  }

  /// The frame nearest to that instant.
  public func frame(at instant: BootInstant) -> Frames {
    let span = Self.distance(from: self.instant.nanoseconds, to: instant.nanoseconds)
    return Frames(frame.value + Self.whole(span * rate / 1e9))
  }

  /// The instant at which that frame is heard.
  public func instant(of frame: Frames) -> BootInstant {
    let count = Self.distance(from: self.frame.value, to: frame.value)
    return BootInstant(nanoseconds: instant.nanoseconds + Self.whole(count * 1e9 / rate))
  }

  private static func distance(from one: Int64, to other: Int64) -> Double {
    let (distance, overflows) = other.subtractingReportingOverflow(one)
    return overflows ? Double(other) - Double(one) : Double(distance)
  }

  /// To the nearest, and at most as much as can be added to a frame or an instant.
  private static func whole(_ value: Double) -> Int64 {
    Int64(max(-4e18, min(4e18, value)).rounded())
  }
}
