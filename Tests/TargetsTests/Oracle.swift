import Phrases

@testable import Targets

/// One phase with whole seconds, and at most one reading a second.
struct Scenario {
  var target: Target
  var seconds: Int
  /// The readings of the target's kind; nil: none.
  var readings: [Double?]
  /// In order and apart; without the second of the upper bound.
  var pauses: [Range<Int>] = []
  var cues: [Range<Int>] = []
  var alarmLimit: Double?

  func replay() -> TargetReplay {
    var replay = TargetReplay(
      [CoachedPhase(target, length: .seconds(seconds))],
      samples(target.kind, readings.count) { readings[Int($0)] },
      length: .seconds(readings.count))
    replay.pauses = pauses.map { .seconds($0.lowerBound)..<Duration.seconds($0.upperBound) }
    replay.cues = cues.map { .seconds($0.lowerBound)..<Duration.seconds($0.upperBound) }
    replay.alarmLimit = alarmLimit
    return replay
  }
}

/// The rule once more, from its description and without the coach's code: for each second, from all the readings.
struct Oracle {
  let scenario: Scenario
  var texts: [(second: Int, text: CoachingText)] = []
  /// For each second until now: 0 unknown, 1 below, 2 inside, 3 above.
  var sides: [Int] = []
  /// For each second until now: where the run of equal sides that it belongs to began.
  var runs: [Int] = []
  /// The last second until now in which the value had been inside for 5 s.
  var firm = -1
  /// The second of the newest reading.
  var newest: Int?
  var alarmSince: Int?
  var isAlarming = false

  init(_ scenario: Scenario) { self.scenario = scenario }

  var settle: Int { scenario.target.kind == .heartRate ? 60 : 10 }
  var dwell: Int { scenario.target.kind == .heartRate ? 10 : 5 }
  var ahead: Double { scenario.target.kind == .heartRate ? 40 : 10 }

  /// The seconds of the readings after the last silence of 5 s, newest first, as long as they belong together.
  func connected(_ now: Int, upTo span: Int) -> [Int] {
    var found: [Int] = []
    for second in stride(from: now, through: max(0, now - 60), by: -1) {
      if now - second >= span { break }
      guard scenario.readings[second] != nil else { continue }
      if (found.last ?? now) - second >= 5 { break }
      found.append(second)
    }
    return found
  }

  func window(_ now: Int) -> [Int] {
    scenario.target.kind == .strokeRate
      ? Array(connected(now, upTo: 100).prefix(3)) : connected(now, upTo: 5)
  }

  func number(_ second: Int) -> Double { scenario.readings[second] ?? 0 }

  func isPaused(_ now: Int) -> Bool { scenario.pauses.contains { $0.contains(now) } }

  /// Time of the phase; not asked for within pauses.
  func time(_ now: Double) -> Double {
    now
      - scenario.pauses.reduce(0.0) {
        $0 + max(0, min(now, Double($1.upperBound)) - Double($1.lowerBound))
      }
  }

  func bounds(_ instant: Double) -> (Double, Double) {
    let range = scenario.target.range.range(at: .milliseconds(Int64(time(instant) * 1000)))
    return (range.lowerBound, range.upperBound)
  }

  func side(_ value: Double, _ instant: Double) -> Int {
    let (low, high) = bounds(instant)
    return value < low ? 1 : value > high ? 3 : 2
  }

  mutating func run() -> [String] {
    for now in 0..<scenario.readings.count { step(now) }
    return texts.map { "\($0.second) \(PhraseCatalogue.english.words(of: $0.text))" }
  }

  mutating func step(_ now: Int) {
    let isBreak = scenario.readings[now] != nil && newest.map { now - $0 >= 5 } ?? true
    if scenario.readings[now] != nil { newest = now }
    let window = window(now)
    let mean = window.reduce(0) { $0 + number($1) } / Double(window.count)
    let middle = window.isEmpty ? 0 : Double(window[0] + window[window.count - 1]) / 2
    let started = scenario.pauses.last { $0.upperBound <= now }?.upperBound ?? 0
    let isSettled = !isPaused(now) && now - started >= settle
    // Once told that the sensor is back, `dwell` stands for `settle`.
    let back = texts.last { if case .back = $0.text { true } else { false } }?.second ?? -100
    let side = isSettled && now - back >= dwell && !window.isEmpty ? side(mean, middle) : 0
    runs.append(sides.last == side && !isBreak ? runs[now - 1] : now)
    sides.append(side)
    if side == 2, now - runs[now] >= 5 { firm = now }
    let kind = scenario.target.kind
    let spoken = mean.rounded()

    if let limit = scenario.alarmLimit, kind == .heartRate {
      if window.isEmpty || (isAlarming ? mean <= limit - 5 : mean < limit) {
        isAlarming = false
        alarmSince = nil
      } else if alarmSince == nil {
        alarmSince = now
      }
      if let since = alarmSince, now - since >= 5 { isAlarming = true }
    }
    guard !isPaused(now), time(Double(now)) < Double(scenario.seconds) else { return }
    if isAlarming {
      let said = texts.last { if case .alarm = $0.text { true } else { false } }
      if let said, let since = alarmSince, said.second >= since, now - said.second < 15 { return }
      return texts.append((now, .alarm(spoken)))
    }
    let coached = texts.filter { if case .alarm = $0.text { false } else { true } }
    guard isSettled, time(Double(now)) < Double(scenario.seconds - 8),
      now - (texts.last?.second ?? -100) >= 10,
      coached.filter({ now - $0.second < 60 }).count < 3
    else { return }
    guard let text = decide(now, mean, middle, coached.map { ($0.second, $0.text) }) else { return }
    let nextCue = scenario.cues.first { now < $0.upperBound }?.lowerBound ?? 100_000
    let room = Double(nextCue - now)
    switch text {
    case _ where room < 2.9: break
    case .low(let kind, let value, _) where room < 4.2:
      texts.append((now, .low(kind, value, target: nil)))
    case .high(let kind, let value, _) where room < 4.2:
      texts.append((now, .high(kind, value, target: nil)))
    default: texts.append((now, text))
    }
  }

  func decide(_ now: Int, _ mean: Double, _ middle: Double, _ said: [(Int, CoachingText)])
    -> CoachingText?
  {
    let kind = scenario.target.kind
    let started = scenario.pauses.last { $0.upperBound <= now }?.upperBound ?? 0
    // An alarm tells that the sensor is back.
    let alarmed = texts.last { if case .alarm = $0.text { true } else { false } }?.second ?? -1
    let loss = said.last { $0.1.isLoss }
    if let loss, case .lost = loss.1, loss.0 > alarmed {
      let count = (loss.0 + 1...max(now, loss.0 + 1)).count { scenario.readings[$0] != nil }
      let isHeard = !connected(now, upTo: 5).isEmpty
      return count >= 3 && isHeard ? .back(kind, mean.rounded()) : nil
    }
    if now - max(newest ?? 0, started) >= 10 { return .lost(kind) }
    let corrections = said.filter { $0.1.isCorrection }
    let confirmed = said.last { if case .onTarget = $0.1 { true } else { false } }?.0 ?? -1
    switch sides[now] {
    case 2:
      let owed = corrections.last.map { $0.0 > confirmed } ?? false
      return owed && now - runs[now] >= 5 ? .onTarget(kind, mean.rounded()) : nil
    case 1, 3:
      let isLow = sides[now] == 1
      var same: [Int] = []
      for (second, text) in corrections where second > confirmed {
        if case .low = text { isLow ? same.append(second) : same.removeAll() }
        if case .high = text { isLow ? same.removeAll() : same.append(second) }
      }
      // Those before it was inside for long count as one.
      let count = max(1, same.filter { $0 > firm }.count)
      if let last = same.last, now - last < [30, 60, 120][min(count, 3) - 1] { return nil }
      guard now - runs[now] >= dwell else { return nil }
      guard let newest, side(number(newest), middle) == sides[now] else { return nil }
      let (low, high) = bounds(middle)
      let reached = mean + slope(now) * ahead
      if isLow ? reached >= low : reached <= high { return nil }
      let goal = scenario.target.range.ramp == nil ? nil : ((low + high) / 2).rounded()
      return isLow
        ? .low(kind, mean.rounded(), target: goal) : .high(kind, mean.rounded(), target: goal)
    default: return nil
    }
  }

  /// (n Σxy − Σx Σy) / (n Σx² − (Σx)²)
  func slope(_ now: Int) -> Double {
    let seconds = connected(now, upTo: 10)
    let n = Double(seconds.count)
    let x = seconds.map { Double($0 - now) }
    let y = seconds.map { number($0) }
    let sumX = x.reduce(0, +)
    let sumY = y.reduce(0, +)
    let bottom = n * x.reduce(0) { $0 + $1 * $1 } - sumX * sumX
    return bottom > 0 ? (n * zip(x, y).reduce(0) { $0 + $1.0 * $1.1 } - sumX * sumY) / bottom : 0
  }
}

extension CoachingText {
  var isCorrection: Bool {
    switch self {
    case .low, .high: true
    default: false
    }
  }

  /// Of a sensor that is lost or back.
  var isLoss: Bool {
    switch self {
    case .lost, .back: true
    default: false
    }
  }
}
