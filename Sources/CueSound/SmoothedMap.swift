/// Follows a clock whose word wanders, slowly, so that what lies between two cues stays right.
///
/// A sound server tells its position through a filter of its own, which swings by milliseconds while
/// the sound itself is steady. A loop of second order with a time constant of minutes follows it,
/// as PipeWire's and JACK's do; only what is too far off to be a swing is followed at once.
public struct SmoothedMap: BitwiseCopyable, Hashable, Sendable {
  public private(set) var map: FrameMap
  private let nominal: Double
  /// Against the nominal rate.
  private var drift = 0.0
  private var at: Int64

  /// Seconds; the shorter one for what no swing explains.
  private static let timeConstants = (swing: 200.0, drift: 50.0)
  /// Nanoseconds.
  private static let greatestSwing: Int64 = 8_000_000
  private static let farOff: Int64 = 10_000_000

  /// Begins with what is known at `now`, at the nominal rate.
  public init(_ map: FrameMap, rate: Int, at now: Int64) {
    nominal = Double(rate)
    at = now
    self.map = FrameMap(
      frame: map.frame(at: now), nanoseconds: map.nanoseconds(of: map.frame(at: now)), rate: nominal
    )
  }

  /// Takes in what the clock says now.
  public mutating func follow(_ told: FrameMap, at now: Int64) {
    let frame = map.frame(at: now)
    let error = told.nanoseconds(of: frame) - map.nanoseconds(of: frame)
    if abs(error) > Self.farOff {
      map.frame = frame
      map.nanoseconds = told.nanoseconds(of: frame)
      at = now
      return
    }
    let seconds = Double(now - at) / 1e9
    at = now
    let timeConstant =
      abs(error) > Self.greatestSwing ? Self.timeConstants.drift : Self.timeConstants.swing
    // Late means that the frames pass more slowly than was thought.
    drift -= Double(error) / 1e9 * seconds / (4 * timeConstant * timeConstant)
    let correction = min(1, seconds / timeConstant) * Double(error)
    map = FrameMap(
      frame: frame, nanoseconds: map.nanoseconds(of: frame) + Int64(correction.rounded()),
      rate: nominal * (1 + drift))
  }
}
