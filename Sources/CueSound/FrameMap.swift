/// A straight line between instants and frames: which frame of the output is heard when.
public struct FrameMap: BitwiseCopyable, Hashable, Sendable {
  /// A frame and the instant at which it is heard, in nanoseconds of CLOCK_BOOTTIME.
  public var frame: Int64
  public var nanoseconds: Int64
  /// Frames a second as the running clock counts them: 48 000 on a card without drift.
  public var rate: Double

  public init(frame: Int64, nanoseconds: Int64, rate: Double) {
    self.frame = frame
    self.nanoseconds = nanoseconds
    self.rate = rate
  }

  /// The frame nearest to that instant.
  public func frame(at instant: Int64) -> Int64 {
    frame + Int64((Double(instant - nanoseconds) * rate / 1e9).rounded())
  }

  /// The instant at which that frame is heard, in nanoseconds.
  public func nanoseconds(of frame: Int64) -> Int64 {
    nanoseconds + Int64((Double(frame - self.frame) * 1e9 / rate).rounded())
  }
}
