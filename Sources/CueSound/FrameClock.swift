/// Learns which frame a device plays when, from readings of its pointer.
///
/// A pointer moves in steps of unknown length, so a reading gives two bounds: the device had reached the
/// frame by the reading's end, and at its beginning was less than a step past it.
/// Every line within all these bounds is possible. The clock weighs each line by how well the shortest
/// step that it allows explains the readings, by how usual its drift is, and by how well it agrees with
/// the instant at which the device was started (`LineEstimate`). It takes the weighted mean.
///
/// A reading taken just as the pointer moves is the most exact: its step is almost zero. Readings at other
/// instants are less exact, the longer the steps are.
package struct FrameClock: ~Copyable {
  /// A position that the device reported.
  package struct Reading: BitwiseCopyable, Hashable, Sendable {
    /// The frame that is heard, as the device's pointer shows it.
    package var frame: Frames
    /// The pointer was read between these instants.
    package var earliest: BootInstant
    package var latest: BootInstant

    var middle: BootInstant { earliest + (latest - earliest) / 2 }
  }

  /// No card drifts by more, parts per million.
  package static let maxDrift = 300.0

  package let rate: Int
  /// The best knowledge of the moment.
  package private(set) var map: FrameMap
  /// True once the readings after the first second suffice to say where the device is and how fast it
  /// runs.
  package private(set) var isLocked = false
  /// How far off `map` may be at the last reading: three standard deviations; `.unlimited` before the readings
  /// suffice.
  package private(set) var uncertainty = Duration.unlimited
  /// How far off `drift` may be: three standard deviations, parts per million.
  package private(set) var driftUncertainty: Double
  /// How far the pointer seems to move at a time; `.unlimited` before the readings suffice.
  package private(set) var step = Duration.unlimited

  /// How far the device's position is ahead of what is heard: what it fetched when it was started, and does
  /// not report as its delay.
  package private(set) var lead: Frames = 0

  private var readings: ReadingWindow
  /// What was known of the drift before these readings, parts per million.
  private var priorDrift: (mean: Double, deviation: Double)
  /// The frame that began to be heard, and between when and when; nil once it is not trusted.
  private var start: Reading?
  /// The start, while only readings that may be wrong themselves are ahead of it.
  private var doubtedStart: Reading?
  /// From when on the device's readings can be trusted.
  private var settlesAt = BootInstant.boot
  /// When the line is fitted next.
  private var fitsAt = BootInstant.boot
  /// Strays in a row: positive for a device ahead of the line, negative for one that lags.
  private var strays = 0

  /// The drift of a card that has not been met before, parts per million.
  private static let usualDrift = (mean: 0.0, deviation: 80.0)
  /// How much a card's drift varies from day to day, with the temperature.
  private static let rememberedDeviation = 4.0
  /// Some outputs report wrong positions when they have just been started.
  private static let settling: Duration = .seconds(1)
  /// After this many readings beyond it, the earlier ones are dropped if they do not fit.
  private static let settledCount = 8
  /// Readings further from the line are strays; this many in a row on one side are a jump.
  private static let strayDistance: Duration = .microseconds(250)
  private static let jumpCount = 5
  /// While the readings disagree, only the newest `agreeingCount` are kept if these agree within
  /// `agreement`: a sound server takes a while to learn its own delay.
  private static let agreeingCount = 12
  private static let agreement: Duration = .microseconds(500)
  /// The standard deviation of the start beyond the bracket around the call that made it, frames.
  private static let startDeviation = 0.5
  /// No device fetches more when it is started.
  private static let maxLead: Duration = .milliseconds(40)

  /// - Parameter drift: what is remembered of this card, parts per million.
  package init(rate: Int = SampleRate.standard, drift: Double? = nil) {
    self.rate = rate
    readings = ReadingWindow()
    // It comes from a file, which may hold anything.
    let remembered = drift.flatMap { abs($0) <= Self.maxDrift ? $0 : nil }
    priorDrift = remembered.map { ($0, Self.rememberedDeviation) } ?? Self.usualDrift
    driftUncertainty = 3 * priorDrift.deviation
    map = FrameMap(
      frame: 0, instant: .boot, rate: Double(rate) * (1 + priorDrift.mean * 1e-6))
  }

  /// True while the newest readings contradict the map or each other.
  package var isDoubtful: Bool { strays != 0 || !isLocked && step > Self.agreement }

  /// The best estimate of the drift, parts per million.
  package var drift: Double { (map.rate / Double(rate) - 1) * 1e6 }

  /// Forgets the readings and keeps the drift.
  ///
  /// - Parameters:
  ///   - start: the frame that began to be heard, and between when and when.
  ///   - isExact: false where something after the device begins at a time of its own; then the start
  ///     counts only until there are readings.
  ///   - settles: the device has just been started; what it says within the first second counts
  ///     only as long as nothing later contradicts it. Otherwise it goes on, with the same `lead`.
  package mutating func restart(_ start: Reading, isExact: Bool = true, settles: Bool = true) {
    if isLocked { priorDrift = (drift, max(Self.rememberedDeviation, driftUncertainty / 3)) }
    readings.removeAll()
    if settles { lead = 0 }
    self.start = isExact ? start : nil
    doubtedStart = nil
    settlesAt = start.earliest + (settles ? Self.settling : .zero)
    strays = 0
    isLocked = false
    uncertainty = .unlimited
    step = .unlimited
    map.frame = start.frame
    map.instant = start.middle
    fitsAt = .boot
  }

  /// Learns from a reading. Readings come in the order of their instants.
  package mutating func observe(_ reading: Reading) {
    var reading = reading
    reading.frame -= lead
    if countsAsStray(reading) {
      guard abs(strays) >= Self.jumpCount else { return }
      // The device has jumped: older readings say nothing any more. On average, the pointer reached
      // its frame half a step ago.
      let half = step / 2
      restart(
        Reading(
          frame: reading.frame, earliest: reading.earliest - half, latest: reading.latest - half),
        isExact: false, settles: false)
    } else {
      strays = 0
    }
    readings.append(reading)
    // Often while it learns, seldom once there is little new to learn.
    let pause: Duration = .milliseconds(readings.span < .seconds(5) ? 20 : 400)
    guard reading.latest >= fitsAt else { return }
    fitsAt = reading.latest + pause
    fit()
  }

  /// True for a reading that the line of a locked clock cannot explain. Counts it.
  private mutating func countsAsStray(_ reading: Reading) -> Bool {
    guard isLocked else { return false }
    let tolerance = max(Self.strayDistance, step / 2)
    let instant = map.instant(of: reading.frame)
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
    if doubtedStart != nil, settled >= Self.settledCount { believeStartAgain() }
    guard readings.count >= (start == nil ? 4 : 12) else { return }
    var estimate = estimatedLine()
    if isBeginningWrong(estimate, settled: settled) {
      readings.removeFirst(readings.count - settled)
      estimate = estimatedLine()
    }
    if dropsContradicted(estimate) { estimate = estimatedLine() }
    if start != nil, isDistrusted(estimate) {
      // Either the start was reported wrongly or the readings are wrong. Readings that contradict each
      // other before the device has settled prove nothing against the start.
      let areConsistent = estimate.best.step < Double(rate) * 0.0005
      guard settled >= Self.settledCount || areConsistent else { return }
      estimate = lineAgreeingWithStart(settled: settled) ?? lineWithoutStart(settled: settled)
    }
    accept(estimate, settled: settled)
  }

  /// Now the device has settled, and its readings show whether the start was right.
  private mutating func believeStartAgain() {
    start = doubtedStart
    doubtedStart = nil
    readings.moveBack(by: 0 - lead)
    lead = 0
  }

  /// The line of the settled readings and the start, if these agree: then the earlier ones were wrong.
  private mutating func lineAgreeingWithStart(settled: Int) -> LineEstimate? {
    let early = readings.count - settled
    guard settled >= Self.settledCount, early > 0 else { return nil }
    readings.removeFirst(early)
    let estimate = estimatedLine()
    if !isDistrusted(estimate) { return estimate }
    readings.putBack(early)
    return nil
  }

  /// The line of the readings, once they contradict the start.
  ///
  /// Nothing is heard before the device was started. So a device that lags was started late, and its readings
  /// are right; one that is ahead has fetched frames that it does not play yet, and its start is right.
  private mutating func lineWithoutStart(settled: Int) -> LineEstimate {
    let begun = start
    start = nil
    let estimate = estimatedLine()
    guard let begun else { return estimate }
    let map = line(of: estimate)
    let ahead = map.frame(at: begun.middle) - begun.frame
    guard map.frame(at: begun.earliest) > begun.frame,
      SampleRate.length(of: ahead, at: rate) <= Self.maxLead
    else { return estimate }
    if settled < Self.settledCount { doubtedStart = begun }
    lead += ahead
    readings.moveBack(by: ahead)
    return estimatedLine()
  }

  /// True when the line makes it improbable that the start was reported rightly.
  private func isDistrusted(_ estimate: LineEstimate) -> Bool { estimate.best.startTrust < 0.02 }

  /// True when the settled readings fill so small a part of the step that all readings need that the
  /// earlier ones must be wrong.
  private func isBeginningWrong(_ estimate: LineEstimate, settled: Int) -> Bool {
    guard settled >= Self.settledCount, settled < readings.count else { return false }
    let width = readings.width(
      from: settlesAt, drift: estimate.best.drift, rate: framesPerNanosecond)
    return Self.chance(of: max(1, width) / max(1, estimate.best.width), among: settled) < 1e-4
  }

  private func line(of estimate: LineEstimate) -> FrameMap {
    let newest = readings.newest
    let speed = framesPerNanosecond + estimate.drift
    return FrameMap(
      frame: newest.frame,
      instant: newest.latest - .nanoseconds(Int64((estimate.offset / speed).rounded())),
      rate: speed * 1e9)
  }

  private mutating func accept(_ estimate: LineEstimate, settled: Int) {
    map = line(of: estimate)
    let newest = readings.newest
    let speed = framesPerNanosecond + estimate.drift
    step = .nanoseconds(Int64(estimate.best.step / speed))
    uncertainty = .nanoseconds(Int64(3 * estimate.deviation / speed))
    driftUncertainty = 3 * estimate.driftDeviation / framesPerNanosecond * 1e6
    isLocked =
      settled >= 12 && newest.latest - settlesAt >= .seconds(1) && uncertainty < .milliseconds(1)
  }

  /// Drops the readings that the newest ones contradict. True when it has dropped any.
  private mutating func dropsContradicted(_ estimate: LineEstimate) -> Bool {
    let most = Double(Self.agreement.wholeNanoseconds) * framesPerNanosecond
    guard !isLocked, readings.count > Self.agreeingCount, estimate.best.width > 4 * most else {
      return false
    }
    let older = readings.count - Self.agreeingCount
    let width = readings.width(
      from: readings[older].earliest, drift: priorDrift.mean * 1e-6 * framesPerNanosecond,
      rate: framesPerNanosecond)
    guard width < most else { return false }
    readings.removeFirst(older)
    return true
  }

  /// The probability that `count` readings, uniform within a step, fill no more than `part` of it.
  private static func chance(of part: Double, among count: Int) -> Double {
    var power = 1.0
    for _ in 1..<count { power *= part }
    return power * (Double(count) - Double(count - 1) * part)
  }

  private var framesPerNanosecond: Double { Double(rate) * 1e-9 }

  private mutating func estimatedLine() -> LineEstimate {
    readings.prepare(rate: framesPerNanosecond)
    let partPerMillion = framesPerNanosecond * 1e-6
    var anchor: LineEstimate.Start?
    if let start {
      let newest = readings.newest
      let between = Double((start.latest - start.earliest).wholeNanoseconds)
      let time = Double((start.earliest - newest.latest).wholeNanoseconds) + between / 2
      let bracket = between * framesPerNanosecond
      anchor = LineEstimate.Start(
        time: time, lead: Double((start.frame - newest.frame).value) - time * framesPerNanosecond,
        variance: bracket * bracket / 12 + Self.startDeviation * Self.startDeviation,
        wrongRange: Double(rate) / 50)
    }
    return LineEstimate(
      readings, start: anchor,
      prior: .init(
        mean: priorDrift.mean * partPerMillion, deviation: priorDrift.deviation * partPerMillion,
        broadDeviation: Self.usualDrift.deviation * partPerMillion,
        limit: Self.maxDrift * partPerMillion))
  }
}
