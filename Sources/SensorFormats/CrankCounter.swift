import Instants

/// A cadence from a counter of revolutions, which wraps at 65 536.
struct CrankCounter: Sendable {
  struct Count: Hashable, Sendable {
    /// Since the sensor was made or switched on.
    var revolutions: UInt16
    /// When the last one ended, in 1/1024 s of the sensor's clock, which wraps at 64 s.
    var time: UInt16

    init(revolutions: UInt16, time: UInt16) {
      self.revolutions = revolutions
      self.time = time
    }

    /// Nil where it is not whole.
    init?(_ packet: inout PacketReader) {
      guard let revolutions = packet.unsigned(2), let time = packet.unsigned(2) else { return nil }
      self.init(revolutions: UInt16(revolutions), time: UInt16(time))
    }
  }

  /// Without a revolution for so long, the crank stands.
  private static let hold = Duration.seconds(3)
  /// From a longer gap nothing is computed: the sensor's clock may have wrapped.
  private static let gap = Duration.seconds(30)
  /// Revolutions a second; a counter that is faster was reset.
  private static let limit = 10.0

  /// The count at the last revolution, and when it arrived.
  private var last: (count: Count, instant: BootInstant)?
  /// Nil where there is no second count since the start.
  private var cadence: Double?

  /// Revolutions a minute. Until there is another revolution, the last cadence is repeated for three seconds, and
  /// then it is 0. Nil for the first count, and after a gap or a reset: then it starts over.
  mutating func take(_ count: Count, at now: BootInstant) -> Double? {
    guard let last, now >= last.instant else { return start(count, at: now) }
    let revolutions = Double(count.revolutions &- last.count.revolutions)
    guard revolutions > 0 else {
      if now - last.instant >= Self.hold { cadence = 0 }
      return cadence
    }
    let time = Duration.seconds(count.time &- last.count.time) / 1024
    guard max(time, now - last.instant) <= Self.gap, revolutions <= Self.limit * time.inSeconds
    else { return start(count, at: now) }
    self.last = (count, now)
    cadence = revolutions * 60 / time.inSeconds
    return cadence
  }

  private mutating func start(_ count: Count, at now: BootInstant) -> Double? {
    last = (count, now)
    cadence = nil
    return nil
  }
}
