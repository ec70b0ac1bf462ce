import Instants

/// The latest readings of one kind, and whether its sensor is heard.
struct Sensor: Sendable {
  /// A mean or a single reading, with the instant that it stands for.
  struct Value {
    var number: Double
    var instant: BootInstant
  }

  /// More readings within the span of the trend are not kept, whatever a client hands in.
  private static let capacity = 256

  private let rule: TargetRule
  /// In order; none older than the trend's span before the newest, but for `rule.windowCount`.
  private var readings: [Value] = []
  /// When the last `TargetRule.back` readings came.
  private var arrivals: [BootInstant] = []
  /// When it was decided to tell the listener that the sensor is lost. Nil: the listener does not take it for lost.
  private var lostAt: BootInstant?

  init(_ kind: TargetKind) { rule = TargetRule(kind) }

  /// The newest reading, however old.
  private(set) var newest: Value?

  /// One reading. One that is older than the newest is ignored.
  mutating func take(_ number: Double, at instant: BootInstant) {
    if let newest, instant < newest.instant { return }
    if !isHeard(at: instant) { readings.removeAll() }
    let value = Value(number: number, instant: instant)
    newest = value
    readings.append(value)
    arrivals = arrivals.suffix(TargetRule.back - 1) + [instant]
    let isOld = { (value: Value) in value.instant <= instant - TargetRule.trend }
    let old = readings.prefix { isOld($0) }.count
    let surplus = max(
      readings.count - Self.capacity, min(old, readings.count - (rule.windowCount ?? 0)))
    readings.removeFirst(max(0, surplus))
  }

  /// False where the newest reading is too old to mean anything.
  func isHeard(at now: BootInstant) -> Bool {
    newest.map { now - $0.instant < TargetRule.stale } ?? false
  }

  /// The listener takes the sensor for lost.
  var isToldLost: Bool { lostAt != nil }

  func isToldLost(since instant: BootInstant) -> Bool { lostAt.map { $0 >= instant } ?? false }

  /// True once a lost sensor has spoken often enough, however far apart.
  func isBack(at now: BootInstant) -> Bool {
    guard let lostAt, arrivals.count == TargetRule.back else { return false }
    return isHeard(at: now) && arrivals[0] > lostAt
  }

  /// The mean of the window, at its middle. Nil while the value is unknown.
  func mean(at now: BootInstant) -> Value? {
    let window = window(at: now)
    guard let first = window.first, let last = window.last else { return nil }
    let sum = window.reduce(0) { $0 + $1.number }
    return Value(
      number: sum / Double(window.count),
      instant: first.instant + (last.instant - first.instant) / 2)
  }

  /// The median of the window. Nil while the value is unknown, and of fewer readings than `count`.
  func median(of count: Int, at now: BootInstant) -> Double? {
    let numbers = window(at: now).map(\.number).sorted()
    guard numbers.count >= count else { return nil }
    return (numbers[numbers.count / 2] + numbers[(numbers.count - 1) / 2]) / 2
  }

  /// The trend in units a second: the slope of the least-squares line. Zero where there is no line.
  func slope(at now: BootInstant) -> Double {
    guard isHeard(at: now) else { return 0 }
    let recent = readings(since: now - TargetRule.trend)
    guard let first = recent.first else { return 0 }
    let times = recent.map { ($0.instant - first.instant).inSeconds }
    let meanTime = times.reduce(0, +) / Double(times.count)
    let meanNumber = recent.reduce(0) { $0 + $1.number } / Double(times.count)
    var products = 0.0
    var squares = 0.0
    for (time, value) in zip(times, recent) {
      products += (time - meanTime) * (value.number - meanNumber)
      squares += (time - meanTime) * (time - meanTime)
    }
    return squares > 0 ? products / squares : 0
  }

  private func window(at now: BootInstant) -> ArraySlice<Value> {
    guard isHeard(at: now) else { return [] }
    return rule.windowCount.map { readings.suffix($0) } ?? readings(since: now - rule.window)
  }

  private func readings(since instant: BootInstant) -> ArraySlice<Value> {
    readings.drop { $0.instant <= instant }
  }

  /// The listener was told that the sensor is lost.
  ///
  /// - Parameter instant: when that was decided: readings that came since are of a sensor that is coming back.
  mutating func tellLost(at instant: BootInstant) { lostAt = instant }

  /// Nothing more is to be said of a loss: the listener was told that the sensor is back, or does not need it.
  mutating func forgetLoss() { lostAt = nil }
}
