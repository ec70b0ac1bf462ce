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

  struct Accuracy: Sendable {
    let manner: SimulatedCard.Manner
    /// The greatest error that may be, in microseconds: before two seconds, after, and after ten.
    let early, later, late: Double
  }

  private static let accuracies = [
    Accuracy(manner: .init(), early: 60, later: 10, late: 5),
    Accuracy(manner: .init(drift: 80), early: 60, later: 10, late: 5),
    Accuracy(manner: .init(drift: -120), early: 80, later: 10, late: 5),
    Accuracy(manner: .init(drift: 200), early: 90, later: 10, late: 5),
    Accuracy(manner: .init(drift: -200), early: 90, later: 10, late: 5),
    Accuracy(manner: .init(drift: 50, step: 0.001), early: 60, later: 10, late: 5),
    Accuracy(manner: .init(drift: -120, step: 0.010), early: 80, later: 15, late: 8),
    Accuracy(manner: .init(drift: 50, step: 0.001, lateness: 1e-4), early: 70, later: 60, late: 50),
    Accuracy(manner: .init(drift: 80, lie: 0.02), early: 500, later: 10, late: 5),
    Accuracy(manner: .init(drift: -120, step: 0.010, lie: 0.02), early: 500, later: 20, late: 8),
    Accuracy(manner: .init(drift: -120, step: 0.010, lie: 0.002), early: 500, later: 30, late: 25),
    Accuracy(manner: .init(drift: 80, startDelay: 0.001), early: 1050, later: 10, late: 5),
    Accuracy(manner: .init(drift: 40, reading: .anytime), early: 60, later: 20, late: 15),
    Accuracy(
      manner: .init(drift: 50, step: 0.001, reading: .anytime), early: 250, later: 150, late: 130),
    Accuracy(
      manner: .init(drift: -120, step: 0.010, reading: .anytime), early: 600, later: 600, late: 400),
  ]

  @Test(arguments: accuracies) func aCardIsKnownSoExactly(_ accuracy: Accuracy) {
    for seed in 1...6 as ClosedRange<UInt64> {
      var card = SimulatedCard(accuracy.manner, seed: seed)
      #expect(card.run(to: 2.2) < accuracy.early * Self.microsecond)
      #expect(card.run(to: 10) < accuracy.later * Self.microsecond)
      #expect(card.run(to: 60) < accuracy.late * Self.microsecond)
      let isLocked = card.clock.isLocked
      #expect(isLocked)
      let drift = card.clock.drift
      #expect(abs(drift - accuracy.manner.drift) < 3)
    }
  }

  private static let hours: [SimulatedCard.Manner] = [
    .init(drift: 200, pace: 1), .init(drift: -200, step: 0.010, lateness: 2e-4, pace: 1),
  ]

  @Test(arguments: hours) func itStaysThereForHours(_ manner: SimulatedCard.Manner) {
    var card = SimulatedCard(manner)
    #expect(card.run(to: 4 * 3600, from: 20) < 150 * Self.microsecond)
  }

  @Test func itIsLockedTwoSecondsAfterTheStartAndNotBefore() {
    var card = SimulatedCard(.init(drift: 80))
    _ = card.run(to: 1.9)
    let isEarly = card.clock.isLocked
    #expect(!isEarly)
    _ = card.run(to: 2.3)
    let isLocked = card.clock.isLocked
    #expect(isLocked)
  }

  @Test func itSaysHowSureItIs() {
    var exact = SimulatedCard(.init(drift: 80))
    var stepped = SimulatedCard(.init(drift: 80, step: 0.010, reading: .anytime))
    let before = exact.clock.uncertainty
    #expect(before == .max)
    _ = exact.run(to: 10)
    _ = stepped.run(to: 10)
    let (sure, unsure) = (exact.clock.uncertainty, stepped.clock.uncertainty)
    #expect(sure < 10_000)
    #expect(unsure > 2 * sure && unsure < 500_000)
    #expect(abs(exact.error) * 1e9 <= Double(sure) + 1_000)
    let step = stepped.clock.step
    #expect(abs(step - 10_000_000) < 300_000)
  }

  @Test func aRememberedDriftMakesTheFirstSecondsExact() {
    var card = SimulatedCard(.init(drift: -120, step: 0.010), remembered: -119)
    #expect(card.run(to: 10) < 20 * Self.microsecond)
  }

  @Test func aDriftRememberedOfAnotherCardDoesNotStick() {
    var card = SimulatedCard(.init(drift: -120, step: 0.010), remembered: 150)
    #expect(card.run(to: 30, from: 3) < 30 * Self.microsecond)
  }

  @Test func aStrayReadingIsPassedOver() {
    var card = SimulatedCard(.init(drift: 80))
    _ = card.run(to: 10)
    let before = card.clock.map
    let now = Int64(card.seconds * 1e9)
    card.clock.observe(.init(frame: 900_000, earliest: now, latest: now))
    let after = card.clock.map
    #expect(after == before)
    let isDoubtful = card.clock.isDoubtful
    #expect(isDoubtful)
    #expect(card.run(to: 20) < 10 * Self.microsecond)
  }

  @Test(arguments: [-24_000.0, -48, 300, 24_000]) func aJumpIsFollowed(_ frames: Double) {
    var card = SimulatedCard(.init(drift: 80))
    _ = card.run(to: 20)
    card.jumped += frames
    _ = card.run(to: 26)
    #expect(card.run(to: 40) < 25 * Self.microsecond)
  }

  @Test func afterASleepItLocksAnew() {
    var card = SimulatedCard(.init(drift: -120, step: 0.001))
    _ = card.run(to: 20)
    card.sleep(4 * 3600)
    let isLocked = card.clock.isLocked
    #expect(!isLocked)
    let drift = card.clock.drift
    #expect(abs(drift + 120) < 1)
    let from = card.seconds
    #expect(card.run(to: from + 20, from: from + 2) < 40 * Self.microsecond)
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

  @Test func aDriftBeyondBeliefIsNotFollowed() {
    var card = SimulatedCard(.init(drift: 2_000))
    _ = card.run(to: 5)
    let drift = card.clock.drift
    #expect(abs(drift) <= FrameClock.greatestDrift)
  }
}
