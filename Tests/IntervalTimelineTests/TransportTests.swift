import Testing

@testable import IntervalTimeline

struct TransportTests {
  private let start = BootInstant(nanoseconds: 5_000_000_000)

  private func running(_ workout: Workout = .peakRush) throws -> Transport {
    var transport = Transport(try Timeline(workout))
    transport.start(at: start)
    return transport
  }

  @Test func elapsedIsNowMinusStartMinusPauses() throws {
    var transport = try running()
    transport.pause(at: start + .seconds(10))
    #expect(transport.elapsed(at: start + .seconds(500)) == .seconds(10))
    transport.resume(at: start + .seconds(510))
    transport.pause(at: start + .seconds(520))
    transport.resume(at: start + .milliseconds(520_250))
    #expect(transport.elapsed(at: start + .seconds(530)) == .milliseconds(29_750))
    #expect(transport.pauses == .milliseconds(500_250))
  }

  @Test func theEndComesAtTheSumOfTheLengthsAndOfThePauses() throws {
    var transport = try running()
    transport.pause(at: start + .seconds(1))
    transport.resume(at: start + .seconds(4))
    let position = transport.position(at: start + .seconds(723))
    #expect(position.phase == 24)
    #expect(transport.position(at: start + .milliseconds(722_999)).phase == 23)
  }

  @Test func nextBeginsTheFollowingPhaseNow() throws {
    var transport = try running()
    transport.move(to: 1, at: start + .seconds(12))
    let position = transport.position(at: start + .seconds(13))
    #expect(position.phase == 1)
    #expect(position.phaseLeft == .seconds(29))
    #expect(position.workoutLeft == .seconds(720 - 30 - 1))
    #expect(position.elapsed == .seconds(13))
  }

  @Test func backRestartsAPhaseAndWithinThreeSecondsGoesToTheOneBefore() throws {
    let transport = try running()
    #expect(transport.backTarget(at: start + .milliseconds(33_000)) == 1)
    #expect(transport.backTarget(at: start + .milliseconds(32_999)) == 0)
    #expect(transport.backTarget(at: start + .seconds(1)) == 0)
  }

  @Test func anOpenPhaseLastsUntilNext() throws {
    var transport = try running(.strength)
    let position = transport.position(at: start + .seconds(9_999))
    #expect(position.phase == 0)
    #expect(position.phaseLeft == nil)
    #expect(position.workoutLeft == nil)
    transport.move(to: 1, at: start + .seconds(9_999))
    #expect(transport.position(at: start + .seconds(10_018)).phaseLeft == .seconds(1))
    #expect(transport.position(at: start + .seconds(10_019)).phase == 2)
  }

  @Test func theLastPhasesOfAnOpenWorkoutKnowTheirEnd() throws {
    var transport = try running(.strength)
    transport.move(to: 5, at: start + .seconds(100))
    #expect(transport.position(at: start + .seconds(130)).workoutLeft == .seconds(30))
  }

  @Test func whatCommandsDoWhilePausedHoldsAfterResuming() throws {
    var transport = try running()
    transport.pause(at: start + .seconds(10))
    transport.move(to: 3, at: start + .seconds(60))
    #expect(transport.position(at: start + .seconds(70)).phaseLeft == .seconds(30))
    transport.resume(at: start + .seconds(110))
    #expect(transport.position(at: start + .seconds(115)).phaseLeft == .seconds(25))
    #expect(transport.elapsed(at: start + .seconds(115)) == .seconds(15))
  }

  @Test func aStartThatLiesAheadIsWaitedFor() throws {
    let transport = try running()
    #expect(transport.elapsed(at: start - .seconds(1)) == .seconds(-1))
    #expect(transport.position(at: start - .seconds(1)).elapsed == .zero)
    #expect(transport.position(atStartOf: 0, start - .seconds(1)).elapsed == .zero)
    #expect(transport.instant(of: .seconds(30)) == start + .seconds(30))
  }

  @Test func whatIsCommandedBeforeTheStartCountsFromTheStart() throws {
    var transport = try running()
    transport.move(to: 1, at: start - .seconds(1))
    #expect(transport.start(of: 1) == .zero)
    #expect(transport.position(at: start + .seconds(1)).phaseLeft == .seconds(29))
    transport.stop(at: start - .seconds(1))
    #expect(transport.elapsed(at: start) == .zero)
  }

  @Test func afterTheEndNothingIsLeft() throws {
    var transport = try running()
    transport.pause(at: start + .seconds(1))
    transport.resume(at: start + .seconds(4))
    #expect(transport.position(at: start + .seconds(900)).workoutLeft == .zero)
    transport.finish()
    #expect(transport.elapsed(at: start + .seconds(900)) == .seconds(720))
    #expect(transport.position(at: start + .seconds(900)).phase == 24)
  }

  // MARK: Anchors

  @Test func anchorsMakeTheSameTransport() throws {
    var transport = try running()
    transport.move(to: 3, at: start + .seconds(10))
    transport.pause(at: start + .seconds(12))
    #expect(Transport(transport.timeline, transport.anchors) == transport)
    transport.stop(at: start + .seconds(20))
    #expect(Transport(transport.timeline, transport.anchors) == transport)
  }

  @Test func aClockThatShowsMoreMovesEveryInstant() throws {
    var transport = try running()
    transport.pause(at: start + .seconds(10))
    let moved = transport.anchors.shifted(by: .seconds(7))
    #expect(moved.started == start + .seconds(7))
    #expect(moved.pausedSince == start + .seconds(17))
    #expect(moved.pauses == transport.pauses)
  }

  /// Damaged anchors of a transport that is paused in phase 3.
  private static let damages: [@Sendable (inout Transport.Anchors) -> Void] = [
    { $0.phase = -1 }, { $0.phase = 25 }, { $0.pausedSince = nil }, { $0.endedAt = .zero },
    { $0.state = .finished }, { $0.state = .stopped }, { $0.time = .seconds(-1) },
    { $0.pauses = .seconds(-1) }, { $0.pauses = .seconds(4_000_000_000) },
    { $0.started = BootInstant(nanoseconds: .min) },
    { $0.pausedSince = BootInstant(nanoseconds: .max) },
  ]

  @Test(arguments: damages.indices) func anchorsThatMakeNoSenseAreRefused(index: Int) throws {
    var transport = try running()
    transport.move(to: 3, at: start + .seconds(10))
    transport.pause(at: start + .seconds(12))
    var anchors = transport.anchors
    Self.damages[index](&anchors)
    #expect(Transport(transport.timeline, anchors) == nil)
    // The end is a position too.
    anchors = transport.anchors
    anchors.phase = 24
    #expect(Transport(transport.timeline, anchors) != nil)
  }

  @Test func aStoppedWorkoutStandsStill() throws {
    var transport = try running()
    transport.stop(at: start + .seconds(45))
    #expect(transport.position(at: start + .seconds(100)).elapsed == .seconds(45))
    #expect(transport.position(at: start + .seconds(100)).phase == 1)
    #expect(transport.instant(of: .seconds(50)) == nil)
  }
}
