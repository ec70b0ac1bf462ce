import Testing

@testable import CueSound

/// How accurately the output estimates a card's clock when `OutputControl` decides when to poll. In
/// simulated time, so the errors are the same on every machine.
struct CardClockTests {
  private static let microsecond = 1e-6

  struct Accuracy: Sendable {
    let behaviour: SimulatedCard.Behaviour
    /// The greatest allowed error in microseconds: before two seconds, after, and after ten.
    let early, later, late: Double
  }

  private static let accuracies = [
    Accuracy(behaviour: .init(), early: 60, later: 45, late: 15),
    Accuracy(behaviour: .init(drift: 80), early: 100, later: 25, late: 15),
    Accuracy(behaviour: .init(drift: -120), early: 150, later: 25, late: 15),
    Accuracy(behaviour: .init(drift: 200), early: 250, later: 25, late: 15),
    Accuracy(behaviour: .init(drift: -200), early: 250, later: 25, late: 15),
    Accuracy(behaviour: .init(drift: 50, step: 0.001), early: 80, later: 20, late: 15),
    Accuracy(behaviour: .init(drift: -120, step: 0.010), early: 60, later: 20, late: 20),
    Accuracy(
      behaviour: .init(drift: 50, step: 0.001, lateness: 1e-4), early: 110, later: 120, late: 90),
    Accuracy(behaviour: .init(drift: 80, lie: 0.02), early: 200, later: 40, late: 15),
    Accuracy(
      behaviour: .init(drift: -120, step: 0.010, lie: 0.02), early: 160, later: 30, late: 25),
    Accuracy(
      behaviour: .init(drift: -120, step: 0.010, lie: 0.002), early: 300, later: 70, late: 30),
    Accuracy(behaviour: .init(drift: 80, startDelay: 0.001), early: 1050, later: 20, late: 15),
    Accuracy(behaviour: .init(drift: -120, step: 0.020), early: 90, later: 25, late: 25),
  ]

  @Test(arguments: accuracies) func aCardIsKnownSoExactly(_ accuracy: Accuracy) {
    for seed in 1...6 as ClosedRange<UInt64> {
      var card = SimulatedCard(accuracy.behaviour, seed: seed)
      #expect(card.run(to: 2.2) < accuracy.early * Self.microsecond)
      #expect(card.run(to: 10) < accuracy.later * Self.microsecond)
      #expect(card.run(to: 60) < accuracy.late * Self.microsecond)
      let isLocked = card.control.sound.clock.isLocked
      #expect(isLocked)
      let drift = card.control.sound.clock.clock.drift
      #expect(abs(drift - accuracy.behaviour.drift) < 3)
    }
  }

  private static let hours: [SimulatedCard.Behaviour] = [
    .init(drift: 200), .init(drift: -200, step: 0.010, lateness: 2e-4),
  ]

  @Test(arguments: hours) func itStaysThereForAnHour(_ behaviour: SimulatedCard.Behaviour) {
    var card = SimulatedCard(behaviour)
    #expect(card.run(to: 3600, from: 20) < 150 * Self.microsecond)
    #expect(card.trace.filter { $0 == "start" }.count == 1)
  }

  @Test func itIsLockedThreeSecondsAfterTheStartAndNotInTheFirstTwo() {
    var card = SimulatedCard(.init(drift: 80))
    _ = card.run(to: 1.9)
    let isEarly = card.control.sound.clock.isLocked
    #expect(!isEarly)
    _ = card.run(to: 3)
    let isLocked = card.control.sound.clock.isLocked
    #expect(isLocked)
  }

  @Test func aRememberedDriftMakesTheFirstSecondsExact() {
    var card = SimulatedCard(.init(drift: -120, step: 0.010), remembered: -119)
    #expect(card.run(to: 10) < 30 * Self.microsecond)
  }

  @Test func aDriftRememberedOfAnotherCardDoesNotStick() {
    var card = SimulatedCard(.init(drift: -120, step: 0.010), remembered: 150)
    #expect(card.run(to: 30, from: 3) < 40 * Self.microsecond)
  }

  @Test(arguments: [-24_000.0, -48, 300, 24_000]) func aJumpIsFollowed(_ frames: Double) {
    var card = SimulatedCard(.init(drift: 80))
    _ = card.run(to: 20)
    card.jumped += frames
    _ = card.run(to: 26)
    #expect(card.run(to: 40) < 40 * Self.microsecond)
  }

  /// A server's position wanders and is followed smoothly, but not over a sleep.
  @Test func afterASleepAServerIsReadAnew() {
    var card = SimulatedCard(.init(drift: -120, isServer: true, rewinds: false))
    _ = card.run(to: 20)
    card.sleep(3_600)
    card.turn()
    #expect(abs(card.error) < 0.05)
  }

  @Test func afterASleepItLocksAnew() {
    var card = SimulatedCard(.init(drift: -120, step: 0.001))
    _ = card.run(to: 20)
    card.sleep(4 * 3600)
    card.turn()
    let isLocked = card.control.sound.clock.isLocked
    #expect(!isLocked)
    let drift = card.control.sound.clock.clock.drift
    #expect(abs(drift + 120) < 1)
    let from = card.seconds
    #expect(card.run(to: from + 20, from: from + 2) < 50 * Self.microsecond)
    #expect(card.trace.filter { $0 == "start" }.count == 1)
  }

  @Test func afterASleepOfAMomentItLocksAnew() {
    var card = SimulatedCard(.init(drift: -120, step: 0.001))
    _ = card.run(to: 20)
    card.sleep(0.2)
    card.turn()
    let isLocked = card.control.sound.clock.isLocked
    #expect(!isLocked)
  }

  /// As a USB card does, which is given some packets when it is started.
  @Test(arguments: [0.001, 0.008, 0.017], [true, false])
  func aCardThatFetchesAheadIsHeardFromItsStart(_ ahead: Double, hidesFetched: Bool) {
    var card = SimulatedCard(
      .init(drift: 40, step: 0.001, fetchesAhead: ahead, hidesFetched: hidesFetched))
    #expect(card.run(to: 10) < 100 * Self.microsecond)
    card.fault = .cannotResume
    card.sleep(10)
    let from = card.seconds
    #expect(card.run(to: from + 10, from: from) < 100 * Self.microsecond)
    #expect(card.trace.filter { $0 == "start" }.count == 2)
  }

  /// Many devices cannot resume, and are started anew.
  @Test(arguments: [0, 0.001, 0.010, 0.020]) func afterASleepTheFirstSoundIsInPlace(_ step: Double)
  {
    for seed in 1...6 as ClosedRange<UInt64> {
      var card = SimulatedCard(.init(drift: -120, step: step), seed: seed)
      _ = card.run(to: 20)
      card.fault = .cannotResume
      card.sleep(10)
      let from = card.seconds
      #expect(card.run(to: from + 3, from: from) < 50 * Self.microsecond)
      #expect(card.trace.filter { $0 == "start" }.count == 2)
    }
  }

  @Test func aDriftBeyondBeliefIsNotFollowed() {
    var card = SimulatedCard(.init(drift: 2_000))
    _ = card.run(to: 5)
    let drift = card.control.sound.clock.clock.drift
    #expect(abs(drift) <= FrameClock.maxDrift)
  }

  @Test func aCardWhosePointerStandsForLongIsReadAtAnyInstantAndNotWaitedFor() {
    var clock = CardClock(rate: 48_000, drift: nil, isServer: false, at: 0)
    clock.restart(frame: 0, earliest: 0, latest: 0)
    var now: BootInstant = 0
    var looks = 0
    // A pointer that moves every 20 ms, looked at just after it has: no wait of 12 ms sees it move.
    for turn in 1...4 as ClosedRange<Int64> {
      now = .boot + .milliseconds(turn * 40)
      let position = DevicePosition(
        isRunning: true, delay: Frames(48_000 - turn * 1_920), queued: 4_800)
      looks = 0
      var look = CardClock.PositionQuery.again
      while look == .again {
        look = clock.observe(position, written: 48_000, from: now, to: now + 10_000)
        looks += 1
        now += 100_000
      }
      #expect(look == .played(Frames(turn * 1_920)))
      if turn < 4 { #expect(looks == 121) }
    }
    #expect(looks == 1)
  }

  /// How many readings a look takes of a pointer that shows these frames in turn, the last of them from
  /// then on, with a reading each 0.1 ms.
  private func readings(
    _ clock: inout CardClock, at milliseconds: Int64, _ frames: Frames...
  ) -> Int {
    var now = BootInstant.boot + .milliseconds(milliseconds)
    var count = 0
    var look = CardClock.PositionQuery.again
    while look == .again {
      let frame = frames[min(count, frames.count - 1)]
      let position = DevicePosition(isRunning: true, delay: 48_000 - frame, queued: 4_800)
      look = clock.observe(position, written: 48_000, from: now, to: now + 10_000)
      count += 1
      now += 100_000
    }
    return count
  }

  @Test func onlyWaitsInVainThatFollowEachOtherCount() {
    var clock = CardClock(rate: 48_000, drift: nil, isServer: false, at: 0)
    clock.restart(frame: 0, earliest: 0, latest: 0)
    #expect(readings(&clock, at: 40, 1_920) == 121)
    #expect(readings(&clock, at: 80, 3_840) == 121)
    // It moves by a millisecond in the second reading.
    #expect(readings(&clock, at: 120, 5_712, 5_760) == 2)
    #expect(readings(&clock, at: 160, 7_680) == 121)
    #expect(readings(&clock, at: 200, 9_600) == 121)
    #expect(readings(&clock, at: 240, 11_520) == 121)
    #expect(readings(&clock, at: 280, 13_440) == 1)
  }

  @Test func aPointerThatStandsStillIsNotWaitedForAgain() {
    var clock = CardClock(rate: 48_000, drift: nil, isServer: false, at: 0)
    clock.restart(frame: 0, earliest: 0, latest: 0)
    #expect(readings(&clock, at: 40, 1_920) == 121)
    #expect(readings(&clock, at: 80, 1_920) == 1)
    #expect(readings(&clock, at: 120, 3_840) == 121)
  }

  @Test func aDeviceThatTakesEverythingAtOnceHasNoClock() {
    var clock = CardClock(rate: 48_000, drift: nil, isServer: false, at: 0)
    clock.restart(frame: 0, earliest: 0, latest: 0)
    for turn in 1...20 as ClosedRange<Int64> {
      let now = BootInstant.boot + .milliseconds(40) * turn
      let written = Frames(turn * 4_800)
      let look = clock.observe(
        DevicePosition(isRunning: true, delay: 0, queued: 0), written: written, from: now,
        to: now + 10_000)
      #expect(look == .played(written))
    }
    let confirmed = clock.confirmed
    #expect(confirmed == nil)
  }

  @Test func aDelayBelowWhatIsQueuedIsNone() {
    var clock = CardClock(rate: 48_000, drift: nil, isServer: false, at: 0)
    clock.restart(frame: 0, earliest: 0, latest: 0)
    let position = DevicePosition(isRunning: true, delay: 4_000, queued: 4_800)
    _ = clock.observe(position, written: 12_000, from: 50_000_000, to: 50_010_000)
    let delay = clock.deviceDelay
    #expect(delay == 0)
  }

  @Test func aPositionBeyondBeliefIsNotOne() {
    var clock = CardClock(rate: 48_000, drift: nil, isServer: false, at: 0)
    let wild = DevicePosition(isRunning: true, delay: 2_880_000, queued: 4_800)
    #expect(clock.observe(wild, written: 48_000, from: 0, to: 10) == .queue)
    #expect(clock.hasNoTiming(from: 0) == .queue)
    let confirmed = clock.confirmed
    #expect(confirmed == nil)
  }

  @Test func whatLiesBehindTheDeviceIsItsDelay() {
    var clock = CardClock(rate: 48_000, drift: nil, isServer: true, at: 0)
    clock.restart(frame: 0, earliest: 0, latest: 0)
    let position = DevicePosition(isRunning: true, delay: 9_600, queued: 4_800)
    _ = clock.observe(position, written: 12_000, from: 50_000_000, to: 50_010_000)
    let (delay, isDirect) = (clock.deviceDelay, clock.isDirect)
    #expect(delay == 4_800)
    #expect(!isDirect)
    // The first frame is heard by so much later.
    let frame = clock.map.frame(at: 100_000_000)
    #expect(frame == 0)
  }
}
