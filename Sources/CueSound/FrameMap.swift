/// A straight line between instants and frames: which frame of the output is heard when.
public struct FrameMap: BitwiseCopyable, Hashable, Sendable {
  /// A frame and the instant at which it is heard.
  public var frame: Frames
  /// When `frame` is heard.
  public var instant: SoundInstant
  /// Frames a second as the running clock counts them: 48 000 on a card without drift.
  public var rate: Double

  /// A line through one point. `rate` has to be above zero.
  public init(frame: Frames, instant: SoundInstant, rate: Double) {
    self.frame = frame
    self.instant = instant
    self.rate = rate
  }

  /// The frame nearest to that instant.
  public func frame(at instant: SoundInstant) -> Frames {
    let span = Double(instant.nanoseconds - self.instant.nanoseconds)
    return Frames(frame.value + Int64((span * rate / 1e9).rounded()))
  }

  /// The instant at which that frame is heard.
  public func instant(of frame: Frames) -> SoundInstant {
    let count = Double(frame.value - self.frame.value)
    return SoundInstant(
      nanoseconds: instant.nanoseconds + Int64((count * 1e9 / rate).rounded()))
  }
}
