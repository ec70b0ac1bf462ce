/// Learns which frame a device plays when, from observations of its pointer.
///
/// A line is fitted through up to 30 s of observations. A pointer that moves in steps is never
/// ahead of the truth, so for such a device the line is laid along the upper edge of the points
/// instead of through their middle. Until enough has been seen the nominal rate is assumed.
public struct FrameClock: ~Copyable {
  /// The steepest drift believed, parts per million.
  public static let greatestDrift = 300.0

  private struct Observation: BitwiseCopyable {
    var frame: Int64
    var nanoseconds: Int64
  }

  public let rate: Int
  /// The best knowledge of the moment.
  public private(set) var map: FrameMap
  /// True once the fit rests on at least 12 observations over at least 1 s.
  public private(set) var isLocked = false
  /// Half the spread of the observations around the fit, nanoseconds; how sure it is.
  public private(set) var uncertainty: Int64 = .max

  private let observations: UnsafeMutablePointer<Observation>
  private static var capacity: Int { 300 }
  private var count = 0
  private var next = 0
  private var outliers = 0

  /// - Parameter drift: what is known of this card's drift, parts per million.
  public init(rate: Int = 48_000, drift: Double = 0) {
    self.rate = rate
    map = FrameMap(frame: 0, nanoseconds: 0, rate: Double(rate) * (1 + drift * 1e-6))
    observations = .allocate(capacity: Self.capacity)
  }

  deinit { observations.deallocate() }

  /// The drift as fitted, parts per million.
  public var drift: Double { (map.rate / Double(rate) - 1) * 1e6 }

  /// Forgets the observations and keeps the drift: `frame` is taken to be heard at `nanoseconds`.
  public mutating func restart(frame: Int64, nanoseconds: Int64) {
    map.frame = frame
    map.nanoseconds = nanoseconds
    count = 0
    next = 0
    outliers = 0
    isLocked = false
    uncertainty = .max
  }

  /// `frame` was being heard at `nanoseconds`, as far as the device tells.
  public mutating func observe(frame: Int64, nanoseconds: Int64) {
    if isLocked, abs(map.nanoseconds(of: frame) - nanoseconds) > 5_000_000 {
      outliers += 1
      // One liar is ignored; a device that keeps saying so has jumped.
      guard outliers >= 3 else { return }
      restart(frame: frame, nanoseconds: nanoseconds)
    }
    outliers = 0
    observations[next] = Observation(frame: frame, nanoseconds: nanoseconds)
    next = (next + 1) % Self.capacity
    count = min(count + 1, Self.capacity)
    fit()
  }

  private mutating func fit() {
    let newest = observations[(next + Self.capacity - 1) % Self.capacity]
    // Sums of distances from the newest observation stay small enough for exact doubles.
    var meanTime = 0.0
    var meanLag = 0.0
    var oldest = newest.nanoseconds
    for index in 0..<count {
      let time = Double(observations[index].nanoseconds - newest.nanoseconds)
      meanTime += time
      meanLag += Double(observations[index].frame - newest.frame) - time * map.rate * 1e-9
      oldest = min(oldest, observations[index].nanoseconds)
    }
    meanTime /= Double(count)
    meanLag /= Double(count)
    let span = newest.nanoseconds - oldest

    var slope = 0.0
    if count >= 12, span >= 1_000_000_000 {
      var covariance = 0.0
      var variance = 0.0
      for index in 0..<count {
        let time = Double(observations[index].nanoseconds - newest.nanoseconds)
        let lag = Double(observations[index].frame - newest.frame) - time * map.rate * 1e-9
        covariance += (time - meanTime) * (lag - meanLag)
        variance += (time - meanTime) * (time - meanTime)
      }
      slope = covariance / variance
    }
    let nominal = Double(rate) * 1e-9
    let fastest = nominal * (1 + Self.greatestDrift * 1e-6)
    let slowest = nominal * (1 - Self.greatestDrift * 1e-6)
    let perNanosecond = min(fastest, max(slowest, map.rate * 1e-9 + slope))

    var highest = -Double.infinity
    var lowest = Double.infinity
    var middle = 0.0
    for index in 0..<count {
      let time = Double(observations[index].nanoseconds - newest.nanoseconds)
      let lag = Double(observations[index].frame - newest.frame) - time * perNanosecond
      highest = max(highest, lag)
      lowest = min(lowest, lag)
      middle += lag / Double(count)
    }
    let isStepped = highest - lowest > Double(rate) * 0.0004
    let offset = isStepped ? highest : middle
    // Move the line's origin in time, not in frames: frames are whole.
    map = FrameMap(
      frame: newest.frame,
      nanoseconds: newest.nanoseconds - Int64((offset / perNanosecond).rounded()),
      rate: perNanosecond * 1e9)
    uncertainty = Int64((highest - lowest) / 2 / perNanosecond)
    isLocked = count >= 12 && span >= 1_000_000_000
  }
}
