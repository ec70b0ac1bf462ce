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
    clock.restart(.init(frame: 0, earliest: .boot, latest: .boot))
    let map = clock.map
    #expect(map.frame(at: 10_000_000_000) == 480_048)
  }

  /// A clock that has read a pointer at any instants for some seconds, and its greatest error from
  /// `from` on, in seconds.
  private func error(
    drift: Double, step: Double, for length: Double, from: Double, seed: UInt64
  ) -> (error: Double, step: Duration, uncertainty: Duration) {
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
          earliest: BootInstant(nanoseconds: Int64(begin * 1e9)),
          latest: BootInstant(nanoseconds: Int64(end * 1e9))))
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

  /// A start that was reported 20 ms too early. The device has not settled, but its readings agree.
  @Test func readingsThatAgreeAreBelievedBeforeTheDeviceHasSettled() {
    var clock = FrameClock(rate: 48_000)
    clock.restart(.init(frame: 0, earliest: .boot, latest: .boot))
    for count in 2...45 as ClosedRange<Int64> {
      let at = BootInstant.boot + .milliseconds(20) * count
      clock.observe(.init(frame: Frames(960 * (count - 1)), earliest: at, latest: at + 5_000))
    }
    let map = clock.map
    #expect(abs(map.frame(at: .boot + .milliseconds(900)).value - 960 * 44) < 24)
  }

  /// Twenty milliseconds pass while each position is read.
  @Test func readingsThatTakeLongDoNotLockIt() {
    var clock = FrameClock(rate: 48_000)
    clock.restart(.init(frame: 0, earliest: .boot, latest: .boot + .milliseconds(20)))
    for count in 1...30 as ClosedRange<Int64> {
      let at = BootInstant.boot + .milliseconds(80) * count
      clock.observe(
        .init(
          frame: Frames(3_840 * count), earliest: at - .milliseconds(10),
          latest: at + .milliseconds(10)))
    }
    let (isLocked, uncertainty) = (clock.isLocked, clock.uncertainty)
    #expect(!isLocked && uncertainty > .milliseconds(1), "\(uncertainty)")
  }

  @Test func itSaysHowSureItIs() {
    let exact = error(drift: 80, step: 0, for: 10, from: 9, seed: 1)
    let stepped = error(drift: 80, step: 0.010, for: 10, from: 9, seed: 1)
    #expect(exact.uncertainty < 20_000)
    #expect(stepped.uncertainty > exact.uncertainty * 2 && stepped.uncertainty < 500_000)
    #expect(exact.error * 1e9 <= Double(exact.uncertainty.wholeNanoseconds) + 1_000)
    #expect((stepped.step - 10_000_000).magnitude < 300_000)
    let new = FrameClock(rate: 48_000)
    let before = new.uncertainty
    #expect(before == .unlimited)
  }

  @Test func aStrayReadingIsPassedOver() {
    var clock = FrameClock(rate: 48_000)
    clock.restart(.init(frame: 0, earliest: .boot, latest: .boot))
    for reading in 1...250 as ClosedRange<Int64> {
      let instant = BootInstant.boot + .milliseconds(reading * 40)
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

  // MARK: The start

  /// Every nth reading of a pointer that moves 10 ms at a time on a card of that drift.
  private func reading(_ milliseconds: Int64, drift: Double = 0, step: Int64 = 480)
    -> FrameClock.Reading
  {
    let frame = Int64((Double(milliseconds) * 48 * (1 + drift * 1e-6)).rounded(.down))
    let instant = milliseconds * 1_000_000
    return .init(
      frame: Frames(frame / step * step), earliest: BootInstant(nanoseconds: instant - 2_000),
      latest: BootInstant(nanoseconds: instant + 2_000))
  }

  @Test func aStartLiesInTheMiddleOfWhenItMayHaveBeen() {
    var clock = FrameClock(rate: 48_000)
    clock.restart(
      .init(
        frame: Frames(7), earliest: BootInstant(nanoseconds: 400_000),
        latest: BootInstant(nanoseconds: 1_600_000)))
    let map = clock.map
    #expect(map.frame.value == 7)
    #expect(map.instant.nanoseconds == 1_000_000)
  }

  /// The start is worth eight readings, where it is one to rely on.
  @Test(arguments: [(true, 12), (false, 4)])
  func itLearnsFromSoManyReadings(isExact: Bool, count: Int64) {
    var clock = FrameClock(rate: 48_000)
    clock.restart(.init(frame: 0, earliest: .boot, latest: .boot), isExact: isExact, settles: false)
    for number in 1...count {
      let before = clock.uncertainty
      #expect(before == .unlimited, "\(number)")
      clock.observe(reading(number * 25, step: 1))
    }
    let after = clock.uncertainty
    #expect(after < .unlimited)
  }

  @Test func itIsLockedByTwelveReadingsAfterTheFirstSecond() {
    var clock = FrameClock(rate: 48_000)
    clock.restart(.init(frame: 0, earliest: .boot, latest: .boot))
    for number in 1...20 as ClosedRange<Int64> { clock.observe(reading(number * 45, step: 1)) }
    for number in 1...12 as ClosedRange<Int64> {
      let isLocked = clock.isLocked
      #expect(!isLocked, "\(number)")
      clock.observe(reading(1_000 + number * 300, step: 1))
    }
    let isLocked = clock.isLocked
    #expect(isLocked)
  }

  @Test func aCardThatWasKnownIsKnownAfterTheNextStart() {
    var clock = FrameClock(rate: 48_000)
    clock.restart(.init(frame: 0, earliest: .boot, latest: .boot))
    for number in 1...1_500 as ClosedRange<Int64> {
      clock.observe(reading(number * 20, drift: 150, step: 1))
    }
    let known = clock.driftUncertainty
    #expect(known < 15)
    clock.restart(.init(frame: 0, earliest: .boot, latest: .boot), settles: false)
    for number in 1...14 as ClosedRange<Int64> {
      clock.observe(reading(number * 25, drift: 150))
    }
    let (drift, uncertainty) = (clock.drift, clock.driftUncertainty)
    #expect(abs(drift - 150) < 10)
    #expect(uncertainty < 30)
  }

  // MARK: Jumps

  /// A clock that has read a pointer of 10 ms steps for 20 s.
  private func locked() -> FrameClock {
    var clock = FrameClock(rate: 48_000)
    clock.restart(.init(frame: 0, earliest: .boot, latest: .boot))
    for number in 1...770 as ClosedRange<Int64> { clock.observe(reading(number * 26)) }
    return clock
  }

  @Test(arguments: [(4 as Int64, false), (8, true)])
  func aPointerAheadOfTheLineByMoreThanHalfAStepIsAStray(ahead: Int64, isStray: Bool) {
    var clock = locked()
    let wasLocked = clock.isLocked
    #expect(wasLocked)
    let instant = 20_300_000_000 as Int64
    clock.observe(
      .init(
        frame: Frames((20_300 + ahead) * 48), earliest: BootInstant(nanoseconds: instant - 2_000),
        latest: BootInstant(nanoseconds: instant + 2_000)))
    let isDoubtful = clock.isDoubtful
    #expect(isDoubtful == isStray)
  }

  @Test func afterAJumpTheFrameIsHalfAStepBehindItsReading() {
    var clock = locked()
    let step = clock.step
    #expect(step > 5_000_000)
    var last = reading(0)
    for number in 1...6 as ClosedRange<Int64> where clock.isLocked {
      last = reading(20_100 + number * 26)
      last.frame = Frames(last.frame.value - 48_000)
      clock.observe(last)
    }
    let map = clock.map
    let isLocked = clock.isLocked
    #expect(!isLocked)
    #expect(map.frame == last.frame)
    let middle = (last.earliest.nanoseconds + last.latest.nanoseconds) / 2
    #expect(map.instant.nanoseconds == middle - step.wholeNanoseconds / 2)
  }

  @Test func aReadingThatTookAMinuteDoesNoHarm() {
    var clock = FrameClock(rate: 48_000)
    clock.restart(.init(frame: 0, earliest: .boot, latest: .boot))
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
