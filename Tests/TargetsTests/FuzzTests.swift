import Instants
import TestSupport
import Testing

@testable import Targets

/// Invented workouts: the coach against the oracle, and against what must hold for all of them.
struct FuzzTests {
  /// Streams that drift, jump, fail and are interrupted.
  static func scenario(_ seed: UInt64, seconds: Int = 200) -> Scenario {
    var random = SeededGenerator(seed: seed)
    let kinds: [TargetKind] = [.watts, .heartRate, .cadence, .strokeRate]
    let kind = kinds.randomElement(using: &random) ?? .watts
    let middle: Double = kind == .strokeRate ? 30 : 160
    let width = Double(Int.random(in: 1...10, using: &random))
    var target = Target(kind, middle - width...middle + width)
    if Int.random(in: 0..<3, using: &random) == 0 {
      // In whole quarters of a second, so that no rounding differs.
      target = Target(kind, from: middle - 16, to: middle + 16, ramp: .seconds(128))
    }
    var scenario = Scenario(target: target, seconds: seconds, readings: [])
    var level = middle + Double(Int.random(in: -20...20, using: &random))
    var drift = 0.0
    var silence = 0
    let noise = [0, 0, 1, 6].randomElement(using: &random) ?? 0
    let gaps = [0, 0, 20, 60].randomElement(using: &random) ?? 0
    for _ in 0..<seconds {
      if Int.random(in: 0..<20, using: &random) == 0 {
        drift = Double(Int.random(in: -8...8, using: &random)) / 4
      }
      if Int.random(in: 0..<50, using: &random) == 0 {
        level = middle + Double(Int.random(in: -25...25, using: &random))
      }
      level = min(middle + 40, max(middle - 40, level + drift))
      if gaps > 0, Int.random(in: 0..<gaps, using: &random) == 0 {
        silence = Int.random(in: 1...20, using: &random)
      }
      silence -= 1
      let value = (level + Double(Int.random(in: -noise...noise, using: &random))).rounded()
      scenario.readings.append(silence >= 0 ? nil : max(1, value))
    }
    scenario.pauses = ranges(&random, [0, 0, 1, 2], 5...40, seconds)
    scenario.cues = ranges(&random, [0, 0, 4, 12], 1...20, seconds)
    if kind == .heartRate, Bool.random(using: &random) {
      scenario.alarmLimit = middle + Double(Int.random(in: 5...30, using: &random))
    }
    return scenario
  }

  private static func ranges(
    _ random: inout SeededGenerator, _ counts: [Int], _ lengths: ClosedRange<Int>, _ seconds: Int
  ) -> [Range<Int>] {
    let count = counts.randomElement(using: &random) ?? 0
    let starts = (0..<count).map { _ in Int.random(in: 1..<seconds, using: &random) }.sorted()
    var found: [Range<Int>] = []
    for start in starts where start > (found.last?.upperBound ?? 0) {
      found.append(start..<start + Int.random(in: lengths, using: &random))
    }
    return found
  }

  @Test func howOftenACheckComesDoesNotMatter() {
    for seed in 0..<40 {
      var replay = Self.scenario(UInt64(seed)).replay()
      let outcome = replay.run()
      replay.step = .milliseconds(500)
      #expect(replay.run() == outcome, "seed \(seed)")
      replay.step = .milliseconds(250)
      #expect(replay.run() == outcome, "seed \(seed)")
    }
  }

  /// 10 000 of them, in parts that run side by side.
  @Test(arguments: 0..<20)
  func coachAndOracleSayTheSame(part: Int) {
    for seed in part * 500..<(part + 1) * 500 {
      let scenario = Self.scenario(UInt64(seed))
      let outcome = scenario.replay().run()
      var oracle = Oracle(scenario)
      let expected = oracle.run()
      #expect(outcome.said.map(\.words) == expected, "seed \(seed)")
      expectManners(outcome.said, scenario, seed)
    }
  }

  /// What a listener may rely on, however the readings are.
  private func expectManners(
    _ said: [TargetReplay.Said], _ scenario: Scenario, _ seed: Int, isOnePhase: Bool = true
  ) {
    var coached: [Duration] = []
    var previous: TargetReplay.Said?
    var owed = false
    var isLost = false
    for one in said {
      let second = Int(one.time.inSeconds)
      #expect(!scenario.isPaused(second), "seed \(seed)")
      if case .alarm = one.text {
        // It tells that the sensor is back.
        (previous, isLost) = (one, false)
        continue
      }
      if let previous { #expect(one.time - previous.time >= .seconds(10), "seed \(seed)") }
      if coached.count >= 3 {
        #expect(one.time - coached[coached.count - 3] >= .seconds(60), "seed \(seed)")
      }
      #expect(!scenario.cues.contains { $0.contains(second) }, "seed \(seed)")
      switch one.text {
      case .low, .high: owed = true
      case .onTarget:
        #expect(owed, "seed \(seed)")
        owed = false
      case .lost where isOnePhase:
        #expect(!isLost, "seed \(seed)")
        isLost = true
      case .back where isOnePhase:
        #expect(isLost, "seed \(seed)")
        isLost = false
      case .lost, .back: break
      case .value, .alarm: #expect(!isOnePhase, "seed \(seed)")
      }
      coached.append(one.time)
      previous = one
    }
  }

  /// A rest ends in the first second of which the description says so.
  @Test func restsEndWhenTheyShould() {
    for seed in 0..<1000 {
      var scenario = Self.scenario(UInt64(seed))
      scenario.target = Target(.heartRate, 160)
      let limit = 150.0 + Double(seed % 20)
      let oracle = Oracle(scenario)
      let isLow = (0..<200).map { now in
        let numbers = oracle.window(now).map { oracle.number($0) }.sorted()
        guard numbers.count >= 3 else { return false }
        return (numbers[(numbers.count - 1) / 2] + numbers[numbers.count / 2]) / 2 < limit
      }
      let end = (20..<180).first { now in (now - 2...now).allSatisfy { isLow[$0] } } ?? 180
      let rest = HeartRateRest(below: limit, minimum: .seconds(20), maximum: .seconds(180))
      let ends = said(rest, 200) { scenario.readings[Int($0)] }.ends
      #expect(ends == [.seconds(end)], "seed \(seed)")
    }
  }

  /// Several sensors at their own pace, phases of all kinds, checks at odd instants.
  @Test func mannersHoldAtAnyPace() {
    for seed in 0..<1000 {
      var random = SeededGenerator(seed: UInt64(500_000 + seed))
      let phases = (0..<6).map { index in
        let kind = TargetKind.allCases.randomElement(using: &random) ?? .watts
        let length = Duration.milliseconds(Int.random(in: 5_000...120_000, using: &random))
        return index % 3 == 2
          ? CoachedPhase(HeartRateRest(below: 140, minimum: .seconds(10), maximum: length))
          : CoachedPhase(Target(kind, 150), length: length)
      }
      var replay = TargetReplay(phases, [], length: .seconds(400))
      for kind in TargetKind.allCases {
        var time = 0
        var level = 150.0
        while time < 400_000 {
          let pause = Int.random(in: 0..<60, using: &random) == 0 ? 15_000 : 2_000
          time += Int.random(in: 250...pause, using: &random)
          level = min(190, max(110, level + Double(Int.random(in: -4...4, using: &random))))
          replay.samples.append(.init(at: .milliseconds(time), Reading(kind, level)))
        }
      }
      let scenario = Scenario(
        target: Target(.watts, 150), seconds: 400, readings: [],
        pauses: Self.ranges(&random, [0, 1, 2], 5...40, 400),
        cues: Self.ranges(&random, [0, 6], 1...20, 400))
      replay.pauses = scenario.replay().pauses
      replay.cues = scenario.replay().cues
      replay.alarmLimit = Bool.random(using: &random) ? 175 : nil
      replay.step = .milliseconds(Int.random(in: 300...1100, using: &random))
      expectManners(replay.run().said, scenario, seed, isOnePhase: false)
    }
  }

  /// Rule 8 of the description: 300 runs of 15 minutes that wander.
  @Test func wanderingRunsAreNotTalkedTo() {
    var texts = 0
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(1_000_000 + seed))
      var level = 200.0
      var aim = 200.0
      let readings: [Double?] = (0..<900).map { _ in
        if Int.random(in: 0..<60, using: &random) == 0 {
          aim = Double(Int.random(in: 170...230, using: &random))
        }
        level += (aim - level) / 8
        return level + Double(Int.random(in: -8...8, using: &random))
      }
      let scenario = Scenario(target: Target(.watts, 190...210), seconds: 900, readings: readings)
      let said = scenario.replay().run().said
      expectManners(said, scenario, seed)
      texts += said.count
    }
    let aMinute = Double(texts) / (300 * 15)
    print("texts a minute: \(aMinute)")
    #expect((0.5...2).contains(aMinute))
  }
}

extension Scenario {
  func isPaused(_ second: Int) -> Bool { pauses.contains { $0.contains(second) } }
}
