/// The rate at which everything is mixed and played; sound of another rate is converted when it is
/// read.
public enum SampleRate {
  /// 48 000 frames a second: what an output, a sound pack and a speech library have unless another is given.
  public static var standard: Int { 48_000 }

  /// The rates at which sound can be mixed: 1 000…768 000 frames a second.
  public static var permitted: ClosedRange<Int> { 1_000...768_000 }

  /// How many whole frames a span lasts at `rate` frames a second.
  public static func frames(in span: Duration, at rate: Int) -> Frames {
    // In parts: the product of long spans would overflow.
    let (seconds, rest) = span.wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Frames(seconds * Int64(rate) + rest * Int64(rate) / 1_000_000_000)
  }

  /// How long `frames` last at `rate` frames a second, rounded up.
  public static func length(of frames: Frames, at rate: Int) -> Duration {
    let (seconds, rest) = frames.value.quotientAndRemainder(dividingBy: Int64(rate))
    // Division is towards zero, which is upwards for a negative rest.
    let roundingUp = rest > 0 ? Int64(rate) - 1 : 0
    return .nanoseconds(
      seconds * 1_000_000_000 + (rest * 1_000_000_000 + roundingUp) / Int64(rate))
  }
}
