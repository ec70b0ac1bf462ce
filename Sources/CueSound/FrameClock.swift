/// Learns which frame a device plays when, from readings of its pointer.
///
/// A pointer moves in steps of unknown length, so a reading says two things for certain: the truth
/// had reached the frame by the reading's end, and at its beginning was less than a step past it.
/// Every line that keeps all these bounds is possible. The clock weighs them: by how well a step
/// as short as the line demands explains so many readings, by how usual the line's drift is, and by
/// the instant at which the device was started (`LineEstimate`), and takes the mean of what remains.
///
/// A reading taken just as the pointer moves is worth the most: its step is next to nothing. Readings
/// at any instants do too, and are worth less the longer the steps are.
public struct FrameClock: ~Copyable {
  /// What a device said of itself.
  public struct Reading: BitwiseCopyable, Hashable, Sendable {
    /// The frame that it shows as being heard.
    public var frame: Int64
    /// It showed that somewhere between these instants, nanoseconds.
    public var earliest: Int64
    public var latest: Int64

    public init(frame: Int64, earliest: Int64, latest: Int64) {
      self.frame = frame
      self.earliest = earliest
      self.latest = latest
    }
  }

  /// The steepest drift believed, parts per million.
  public static let greatestDrift = 300.0

  public let rate: Int
  /// The best knowledge of the moment.
  public private(set) var map: FrameMap
  /// True once the readings alone, those of the first second not counted, tell where the device is
  /// and how fast it runs.
  public private(set) var isLocked = false
  /// How far off `map` may be at the last reading: three standard deviations, nanoseconds; `.max`
  /// before the readings tell.
  public private(set) var uncertainty: Int64 = .max
  /// The same of `drift`, parts per million.
  public private(set) var driftUncertainty: Double
  /// How far the pointer moves at a time, as it seems, nanoseconds.
  public private(set) var step: Int64 = .max

  private var readings: ReadingWindow
  private var drifts: (mean: Double, deviation: Double)
  private var start: Reading?
  private var settlesAt: Int64 = 0
  private var fitsAt = Int64.min
  private var strays = 0

  /// A drift of no card that is known, and how usual others are; parts per million.
  private static let usualDrift = (mean: 0.0, deviation: 80.0)
  /// A card differs from itself by so much: other days are warmer.
  private static let rememberedDeviation = 4.0
  /// Some outputs tell wild positions when they have just been started.
  private static let settling: Int64 = 1_000_000_000
  /// So many readings after that are believed more than those before.
  private static let settledCount = 8
  /// Readings further from the line are strays, and so many in a row on one side are a jump.
  private static let strayDistance: Int64 = 250_000
  private static let jumpCount = 5
  /// While all readings disagree, the newest `agreeingCount` are kept alone if they agree within
  /// `agreement` nanoseconds: a sound server takes its time until it knows its own delay.
  private static let agreeingCount = 12
  private static let agreement: Int64 = 500_000
  /// Beyond the bracket around its call, frames.
  private static let startDeviation = 0.5

  /// - Parameter drift: what is remembered of this card, parts per million.
  public init(rate: Int = SampleRate.standard, drift: Double? = nil) {
    self.rate = rate
    readings = ReadingWindow()
    // A memory is a file, which may say anything.
    let remembered = drift.flatMap { abs($0) <= Self.greatestDrift ? $0 : nil }
    drifts = remembered.map { ($0, Self.rememberedDeviation) } ?? Self.usualDrift
    driftUncertainty = 3 * drifts.deviation
    map = FrameMap(
      frame: 0, nanoseconds: 0, rate: Double(rate) * (1 + drifts.mean * 1e-6))
  }

  /// True while the newest readings contradict the map or each other.
  public var isDoubtful: Bool { strays != 0 || !isLocked && step > Self.agreement }

  /// The drift as far as it is known, parts per million.
  public var drift: Double { (map.rate / Double(rate) - 1) * 1e6 }

  /// Forgets the readings and keeps the drift.
  ///
  /// - Parameters:
  ///   - start: the frame that began to be heard, and between when and when.
  ///   - isExact: false where something behind the device begins when it likes; then the start
  ///     counts only until there are readings.
  ///   - settles: the device has just been started; what it says within the first second counts
  ///     only as long as nothing later contradicts it.
  public mutating func restart(_ start: Reading, isExact: Bool = true, settles: Bool = true) {
    if isLocked { drifts = (drift, max(Self.rememberedDeviation, driftUncertainty / 3)) }
    readings.removeAll()
    self.start = isExact ? start : nil
    settlesAt = start.earliest + (settles ? Self.settling : 0)
    strays = 0
    isLocked = false
    uncertainty = .max
    step = .max
    map.frame = start.frame
    map.nanoseconds = start.earliest + (start.latest - start.earliest) / 2
    fitsAt = .min
  }

  /// Takes in a reading. Readings come in the order of their instants.
  public mutating func observe(_ reading: Reading) {
    if isStray(reading) {
      guard abs(strays) >= Self.jumpCount else { return }
      // It does not wander, it has jumped: what it says now is all there is.
      let half = step / 2
      restart(
        Reading(
          frame: reading.frame, earliest: reading.earliest - half, latest: reading.latest - half),
        isExact: false, settles: false)
    } else {
      strays = 0
    }
    readings.append(reading)
    // Often while it learns, seldom when there is little new to learn.
    let pause: Int64 = readings.span < 5_000_000_000 ? 20_000_000 : 400_000_000
    guard reading.latest >= fitsAt else { return }
    fitsAt = reading.latest + pause
    fit()
  }

  /// True for a reading that the line of a locked clock cannot explain.
  private mutating func isStray(_ reading: Reading) -> Bool {
    guard isLocked else { return false }
    let tolerance = max(Self.strayDistance, step / 2)
    let instant = map.nanoseconds(of: reading.frame)
    if instant > reading.latest + tolerance {
      strays = max(0, strays) + 1
    } else if instant < reading.earliest - step - tolerance {
      strays = min(0, strays) - 1
    } else {
      return false
    }
    return true
  }

  // MARK: The fit

  private mutating func fit() {
    let settled = readings.count(from: settlesAt)
    guard readings.count >= (start == nil ? 4 : 12) else { return }
    var estimate = estimatedLine()
    if settled >= Self.settledCount, settled < readings.count {
      // An honest device's first second fits in with the rest.
      let rest = readings.width(
        from: settlesAt, drift: estimate.best.drift, rate: framesPerNanosecond)
      if Self.chance(of: max(1, rest) / max(1, estimate.best.width), among: settled) < 1e-4 {
        readings.removeFirst(readings.count - settled)
        estimate = estimatedLine()
      }
    }
    if hasComeToAgree(estimate) { estimate = estimatedLine() }
    if start != nil, estimate.best.startTrust < 0.02 {
      // Whoever contradicts himself is not believed before he has settled.
      let isHonest = estimate.best.step < Double(rate) * 0.0005
      guard settled >= Self.settledCount || isHonest else { return }
      start = nil
      estimate = estimatedLine()
    }
    accept(estimate, settled: settled)
  }

  private mutating func accept(_ estimate: LineEstimate, settled: Int) {
    let newest = readings.newest
    let speed = framesPerNanosecond + estimate.drift
    map = FrameMap(
      frame: newest.frame, nanoseconds: newest.latest - Int64((estimate.offset / speed).rounded()),
      rate: speed * 1e9)
    step = Int64(estimate.best.step / speed)
    uncertainty = Int64(3 * estimate.deviation / speed)
    driftUncertainty = 3 * estimate.driftDeviation / framesPerNanosecond * 1e6
    isLocked =
      settled >= 12 && newest.latest - settlesAt >= 1_000_000_000 && uncertainty < 1_000_000
  }

  /// Lets go of readings that the newest do not agree with. True when it has.
  private mutating func hasComeToAgree(_ estimate: LineEstimate) -> Bool {
    let most = Double(Self.agreement) * framesPerNanosecond
    guard !isLocked, readings.count > Self.agreeingCount, estimate.best.width > 4 * most else {
      return false
    }
    let older = readings.count - Self.agreeingCount
    let width = readings.width(
      from: readings[older].earliest, drift: drifts.mean * 1e-6 * framesPerNanosecond,
      rate: framesPerNanosecond)
    guard width < most else { return false }
    readings.removeFirst(older)
    return true
  }

  /// How probable it is that so many readings, uniform within a step, fill no more of it.
  private static func chance(of part: Double, among count: Int) -> Double {
    var power = 1.0
    for _ in 1..<count { power *= part }
    return power * (Double(count) - Double(count - 1) * part)
  }

  private var framesPerNanosecond: Double { Double(rate) * 1e-9 }

  private mutating func estimatedLine() -> LineEstimate {
    readings.prepare(rate: framesPerNanosecond)
    let unit = framesPerNanosecond * 1e-6
    var anchor: LineEstimate.Start?
    if let start {
      let newest = readings.newest
      let time = Double(start.earliest - newest.latest) + Double(start.latest - start.earliest) / 2
      let bracket = Double(start.latest - start.earliest) * framesPerNanosecond
      anchor = LineEstimate.Start(
        time: time, lead: Double(start.frame - newest.frame) - time * framesPerNanosecond,
        variance: bracket * bracket / 12 + Self.startDeviation * Self.startDeviation,
        wrongRange: Double(rate) / 50)
    }
    return LineEstimate(
      readings, start: anchor,
      prior: .init(
        mean: drifts.mean * unit, deviation: drifts.deviation * unit,
        broadDeviation: Self.usualDrift.deviation * unit, limit: Self.greatestDrift * unit))
  }
}
