import Testing

@testable import CueSound

/// Simulated time throughout: the errors are those of the sum, and the same on every machine.
struct FrameClockTests {
  private static let microsecond = 1e-6

  @Test func beforeItKnowsMoreItGoesByTheStartAndTheNominalRate() {
    var clock = FrameClock(rate: 48_000)
    clock.restart(.init(frame: 0, earliest: 500, latest: 1_500))
    let map = clock.map
    #expect(map.frame(at: 1_000_001_000) == 48_000)
    let isLocked = clock.isLocked
    #expect(!isLocked)
  }

  @Test func aRememberedDriftCountsFromTheStart() {
    var clock = FrameClock(rate: 48_000, drift: 100)
    clock.restart(.init(frame: 0, earliest: 0, latest: 0))
    let map = clock.map
    #expect(map.frame(at: 10_000_000_000) == 480_048)
  }

  /// A clock that has read a pointer at any instants for some seconds, and its greatest error from
  /// `from` on, in seconds.
  private func error(
    drift: Double, step: Double, for length: Double, from: Double, seed: UInt64
  ) -> (error: Double, step: Nanoseconds, uncertainty: Nanoseconds) {
    var clock = FrameClock(rate: 48_000)
    var random = SplitMix(state: seed)
    clock.restart(.init(frame: 0, earliest: -10_000, latest: 5_000))
    let rate = 48_000 * (1 + drift * 1e-6)
    let frames = max(1, step * 48_000)
    var seconds = 0.0
    var worst = 0.0
    while seconds < length {
      seconds += random.next(in: 0.015...0.029)
      let begin = seconds - random.next(in: 0...20e-6)
      let end = seconds + random.next(in: 0...20e-6)
      let frame = (seconds * rate / frames).rounded(.down) * frames
      clock.observe(
        .init(
          frame: Frames(Int64(frame.rounded(.down))),
          earliest: SoundInstant(nanoseconds: Int64(begin * 1e9)),
          latest: SoundInstant(nanoseconds: Int64(end * 1e9))))
      guard seconds >= from else { continue }
      let told =
        Double(clock.map.frame.value)
        + ((seconds + 0.05) * 1e9 - Double(clock.map.instant.nanoseconds)) * clock.map.rate * 1e-9
      worst = max(worst, abs(told / rate - seconds - 0.05))
    }
    return (worst, clock.step, clock.uncertainty)
  }

  /// Drift, step in seconds, greatest error in microseconds.
  @Test(arguments: [(40.0, 0.0, 20.0), (50, 0.001, 150), (-120, 0.010, 600)])
  func readingsAtAnyInstantAreWorthLessTheLongerTheStepsAre(
    _ drift: Double, _ step: Double, _ most: Double
  ) {
    for seed in 1...6 as ClosedRange<UInt64> {
      let known = error(drift: drift, step: step, for: 30, from: 3, seed: seed)
      #expect(known.error < most * Self.microsecond)
    }
  }

  @Test func itSaysHowSureItIs() {
    let exact = error(drift: 80, step: 0, for: 10, from: 9, seed: 1)
    let stepped = error(drift: 80, step: 0.010, for: 10, from: 9, seed: 1)
    #expect(exact.uncertainty < 20_000)
    #expect(stepped.uncertainty > exact.uncertainty * 2 && stepped.uncertainty < 500_000)
    #expect(exact.error * 1e9 <= Double(exact.uncertainty.value) + 1_000)
    #expect((stepped.step - 10_000_000).magnitude < 300_000)
    let new = FrameClock(rate: 48_000)
    let before = new.uncertainty
    #expect(before == .max)
  }

  @Test func aStrayReadingIsPassedOver() {
    var clock = FrameClock(rate: 48_000)
    clock.restart(.init(frame: 0, earliest: 0, latest: 0))
    for reading in 1...250 as ClosedRange<Int64> {
      let instant = SoundInstant.boot + .milliseconds(reading * 40)
      clock.observe(
        .init(
          frame: Frames(reading * 1_920), earliest: instant, latest: instant + .microseconds(5)))
    }
    let before = clock.map
    let isLocked = clock.isLocked
    #expect(isLocked)
    clock.observe(.init(frame: 900_000, earliest: 10_100_000_000, latest: 10_100_000_000))
    let after = clock.map
    #expect(after == before)
    let isDoubtful = clock.isDoubtful
    #expect(isDoubtful)
  }

  @Test func aReadingThatTookAMinuteDoesNoHarm() {
    var clock = FrameClock(rate: 48_000)
    clock.restart(.init(frame: 0, earliest: 0, latest: 0))
    clock.observe(.init(frame: 48_000, earliest: 0, latest: 60_000_000_000))
    clock.observe(.init(frame: 96_000, earliest: 61_000_000_000, latest: 61_000_000_100))
    let isLocked = clock.isLocked
    #expect(!isLocked)
  }

  @Test(arguments: [Double.nan, .infinity, -1e300]) func aMemoryThatMakesNoSenseIsNone(
    _ drift: Double
  ) {
    let clock = FrameClock(rate: 48_000, drift: drift)
    let known = clock.drift
    #expect(known == 0)
  }
}
