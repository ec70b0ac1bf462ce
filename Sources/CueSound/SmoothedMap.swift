/// Follows a clock whose readings wander, and does so slowly, so that neighbouring cues keep their
/// distance.
///
/// A sound server reports its position through a filter of its own, which swings by milliseconds
/// while the sound itself is steady. A second-order loop with a time constant of minutes follows it,
/// as in PipeWire and JACK; an error too large for a swing is followed at once.
package struct SmoothedMap: BitwiseCopyable, Hashable, Sendable {
  package private(set) var map: FrameMap
  private let nominal: Double
  /// Against the nominal rate.
  private var drift = 0.0
  private var at: BootInstant

  /// Seconds; the shorter one for an error larger than a swing.
  private static let timeConstants = (swing: 200.0, drift: 50.0)
  private static let maxSwing: Duration = .milliseconds(8)
  private static let farOff: Duration = .milliseconds(10)

  /// Begins with the clock's map at `now`, at the nominal rate.
  package init(_ map: FrameMap, rate: Int, at now: BootInstant) {
    nominal = Double(rate)
    at = now
    let frame = map.frame(at: now)
    self.map = FrameMap(frame: frame, instant: map.instant(of: frame), rate: nominal)
  }

  /// Follows the clock's map at `now`.
  package mutating func follow(_ clock: FrameMap, at now: BootInstant) {
    let frame = map.frame(at: now)
    let error = clock.instant(of: frame) - map.instant(of: frame)
    if error.magnitude > Self.farOff {
      map.frame = frame
      map.instant = clock.instant(of: frame)
      at = now
      return
    }
    let seconds = (now - at).inSeconds
    at = now
    let timeConstant =
      error.magnitude > Self.maxSwing ? Self.timeConstants.drift : Self.timeConstants.swing
    // Late means that the frames pass more slowly than was thought.
    drift -= error.inSeconds * seconds / (4 * timeConstant * timeConstant)
    let correction = min(1, seconds / timeConstant) * Double(error.wholeNanoseconds)
    map = FrameMap(
      frame: frame, instant: map.instant(of: frame) + .nanoseconds(Int64(correction.rounded())),
      rate: nominal * (1 + drift))
  }
}
