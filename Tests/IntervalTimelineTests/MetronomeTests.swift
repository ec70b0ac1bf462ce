import TestSupport
import Testing

@testable import IntervalTimeline

/// When a metronome ticks. The expected times are worked out here, by other means than the code's.
@Suite struct MetronomeTests {
  private static func ticks(
    _ metronome: Metronome, _ window: Range<Duration>, anchor: Duration = .zero,
    length: Duration? = nil
  ) -> [(time: Double, tick: Metronome.Tick)] {
    metronome.ticks(in: window, from: anchor, length: length).map {
      ($0.time / .seconds(1), $0.tick)
    }
  }

  private static func isNear(_ one: [Double], _ other: [Double]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) < 1e-6 }
  }

  @Test func aSteadyRateDoesNotDriftInADay() {
    // 90 a minute: two in 4/3 s.
    let day = Duration.seconds(86_400)
    let last = Self.ticks(Metronome(.steady(90)), day - .seconds(2)..<day).map(\.time)
    let expected = [0, 1, 2].map { 86_398 + $0 * 60.0 / 90 }
    #expect(Self.isNear(last, expected))
    let every = Self.ticks(
      Metronome(.every(.milliseconds(1150))), .seconds(1150)..<Duration.seconds(1152))
    #expect(Self.isNear(every.map(\.time), [1150, 1151.15]))
  }

  @Test(arguments: [(60.0, 180.0), (30, 18), (240, 1)])
  func inARampBeatKIsWhereTheIntegralIsK(first: Double, last: Double) throws {
    let length = 20.0
    let times = Self.ticks(
      Metronome(.ramp(first, last)), .zero..<Duration.seconds(20), length: .seconds(20)
    ).map(\.time)
    // Summed in steps of a millisecond, by the middle of each.
    var sum = 0.0
    var expected: [Double] = [0]
    for step in 0..<20_000 {
      let time = (Double(step) + 0.5) / 1000
      sum += (first + (last - first) * time / length) / 60 / 1000
      if sum >= Double(expected.count) { expected.append(time) }
    }
    #expect(zip(times, expected).allSatisfy { abs($0 - $1) < 0.002 })
    // The sum may reach the last beat just before the end.
    #expect(times.count > 6 && abs(times.count - expected.count) <= 1)
  }

  /// A window split anywhere gives the same ticks, each once.
  @Test(arguments: [
    Metronome(.steady(180), accent: 4), Metronome(.steady(24), stroke: .ratio(1, 2)),
    Metronome(.ramp(18, 36), stroke: .auto), Metronome(.steady(60), subdivision: 3),
  ])
  func windowsMayBeSplitAnywhere(metronome: Metronome) {
    let length = Duration.seconds(30)
    let whole = metronome.ticks(in: .zero..<length, from: .zero, length: length)
    for step in [1, 7, 333, 500, 1700] {
      var parts: [(time: Duration, tick: Metronome.Tick)] = []
      var from = Duration.zero
      while from < length {
        let to = min(length, from + .milliseconds(step))
        parts += metronome.ticks(in: from..<to, from: .zero, length: length)
        from = to
      }
      #expect(parts.map(\.time) == whole.map(\.time) && parts.map(\.tick) == whole.map(\.tick))
    }
  }

  @Test func aStrokeHasACatchAndAFinish() {
    let third = Self.ticks(
      Metronome(.steady(24), stroke: .ratio(1, 2)), .zero..<Duration.seconds(5))
    #expect(Self.isNear(third.map(\.time), [0, 2.5 / 3, 2.5, 2.5 + 2.5 / 3]))
    #expect(third.map(\.tick) == [.beat, .offbeat, .beat, .offbeat])
    // The drive lasts as long at 18 as at 24, and never more than half of the stroke.
    for (rate, finish) in [(18.0, 0.83), (24, 0.83), (40, 0.75)] {
      let ticks = Self.ticks(Metronome(.steady(rate), stroke: .auto), .zero..<Duration.seconds(1))
      #expect(Self.isNear(ticks.map(\.time), [0, finish]))
    }
  }

  @Test func accentsAndParts() {
    let four = Self.ticks(Metronome(.steady(120), accent: 4), .zero..<Duration.seconds(4)).map(
      \.tick)
    #expect(four == [.accent, .beat, .beat, .beat, .accent, .beat, .beat, .beat])
    let two = Self.ticks(Metronome(.steady(60), subdivision: 2), .zero..<Duration.seconds(2))
    #expect(Self.isNear(two.map(\.time), [0, 0.5, 1, 1.5]))
    #expect(two.map(\.tick) == [.beat, .offbeat, .beat, .offbeat])
  }

  @Test func afterAPauseItBeginsWithBeatNought() {
    let metronome = Metronome(.steady(60), accent: 4)
    let ticks = Self.ticks(
      metronome, .seconds(10)..<Duration.seconds(13), anchor: .milliseconds(10_300))
    #expect(Self.isNear(ticks.map(\.time), [10.3, 11.3, 12.3]) && ticks[0].tick == .accent)
    // In a ramp the rate is that of the place.
    let ramp = Self.ticks(
      Metronome(.ramp(60, 120)), .seconds(5)..<Duration.seconds(6), anchor: .seconds(5),
      length: .seconds(10))
    // 1.5 t + 0.05 t² = 1
    #expect(Self.isNear(ramp.map(\.time), [5, 5 + (2.45.squareRoot() - 1.5) / 0.1]))
  }

  @Test(arguments: [
    Metronome(.steady(0.5)), Metronome(.steady(241)), Metronome(.every(.zero)),
    Metronome(.every(.milliseconds(200))), Metronome(.ramp(10, .nan)),
    Metronome(.steady(161), subdivision: 3), Metronome(.steady(60), accent: 1),
    Metronome(.steady(60), stroke: .ratio(0, 1)),
    Metronome(.steady(60), stroke: .auto, subdivision: 2),
  ])
  func aTimelineRefusesWhatIsOutsideTheLimits(metronome: Metronome) {
    var phase = Phase(.work, .fixed(.seconds(10)))
    phase.metronome = metronome
    let error = #expect(throws: WorkoutError.self) {
      try Timeline(Workout("A", [phase]))
    }
    #expect(error?.fault == .metronome)
  }

  @Test(arguments: [
    Metronome(.ramp(1, 240), accent: 16), Metronome(.steady(240), stroke: .ratio(0.1, 10)),
    Metronome(.steady(160), subdivision: 3), Metronome(.steady(60), accent: 2, subdivision: 8),
  ])
  func theLimitsThemselvesArePermitted(metronome: Metronome) {
    #expect(metronome.isPermitted)
  }
}
