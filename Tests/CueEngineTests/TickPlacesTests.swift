import CueSound
import CueTesting
import IntervalTimeline
import Synchronization
import TestSupport
import Testing

@testable import CueEngine

/// Where ticks lie after `back`, after a resumed session, a lost device and a machine that slept.
@Suite struct TickPlacesTests {
  private typealias Run = TickingTests.Run

  private static let phases = [
    TickingTests.phase(60, Metronome(.steady(60))), TickingTests.phase(60, Metronome(.steady(24))),
  ]

  /// Seconds from the bench's start to the beginning of the workout.
  private func start(_ run: Run) -> Double { Double(run.start) / 8_000 }

  /// True where all lie on a grid, to a frame.
  private func isOnGrid(_ ticks: [Double], from origin: Double, each period: Double) -> Bool {
    ticks.allSatisfy { abs(($0 - origin).remainder(dividingBy: period)) < 1.01 / 8_000 }
  }

  @Test func backBeginsThemAnewWithTheirPhase() throws {
    let run = try Run(Self.phases)
    run.advance(.milliseconds(12_300))
    run.send(.back, then: .seconds(10))
    let ticks = run.end()
    let after = ticks.filter { $0 > 12.31 }
    #expect(after.count >= 8)
    #expect(isOnGrid(after, from: 12.3, each: 1), "\(after)")
    let before = ticks.filter { $0 < 12.29 }
    #expect(before.count >= 10)
    #expect(isOnGrid(before, from: start(run), each: 1), "\(before)")
  }

  @Test func backToThePhaseBeforeHasItsTicks() throws {
    let run = try Run(Self.phases)
    run.advance(.milliseconds(10_300))
    run.send(.next, then: .milliseconds(2_450))
    run.send(.back, then: .seconds(10))
    let after = run.end().filter { $0 > 12.76 }
    #expect(after.count >= 8)
    #expect(isOnGrid(after, from: 12.75, each: 1), "\(after)")
  }

  /// In a second program, from the middle of a phase.
  @Test(arguments: [RestoreMode.running, .fromRecord])
  func afterAResumedSessionBeatNoughtIsWhereItIsResumed(mode: RestoreMode) throws {
    let kept = Mutex<SessionRecord?>(nil)
    let workout = Workout("Row", Self.phases)
    let first = TestBench()
    let engine = first.makeEngine(keep: { _, record in kept.withLock { $0 = record } })
    let lane = try engine.addLane(
      "anna", timeline: Timeline(workout), sounds: TickingTests.sounds)
    engine.send(.start, to: lane)
    first.advance(engine, by: .milliseconds(20_300))
    engine.shutDown()

    let bench = TestBench()
    bench.clock.advance(to: first.clock.now + .milliseconds(4_150))
    bench.output.advance(to: bench.clock.now)
    let second = bench.makeEngine()
    let again = try second.addLane(
      "anna", timeline: Timeline(workout),
      style: LaneStyle(density: .quiet, countdown: 0), sounds: TickingTests.sounds,
      restoring: kept.withLock { $0 })
    second.restore([(again, mode, first.clock.now)])
    bench.advance(second, by: .seconds(12))
    second.shutDown()
    let ticks = TickingTests.onsets(bench).map { Double($0) / 8_000 }
    let resumed = 20.3 + 4.15
    #expect(ticks.count >= 8)
    #expect(isOnGrid(ticks, from: resumed, each: 1), "\(ticks)")
  }

  /// What is handed over while no device plays is lost; the rest lies where it would have.
  @Test func aLostDeviceMovesNone() throws {
    let run = try Run(Self.phases)
    run.advance(.seconds(10))
    run.bench.output.audience = .lost
    run.bench.output.report(
      .lost(SoundOutputError(kind: .gone, device: "card", detail: ""), at: run.bench.clock.now))
    run.advance(.seconds(7))
    run.bench.output.audience = .heard
    run.bench.output.report(.plays(minimumLeadTime: .milliseconds(35)))
    run.advance(.seconds(10))
    let ticks = run.end().filter { $0 > 2 && $0 < 26.9 }
    #expect((24...25).contains(ticks.count), "\(ticks)")
    #expect(isOnGrid(ticks, from: start(run), each: 1), "\(ticks)")
  }

  /// Where a sleep does not pause, ticks go on where they would have been; where it does, beat 0 follows `resume`.
  @Test(arguments: [nil, Duration.seconds(5)])
  func afterTheMachineHasSleptTheyAreInPlace(pausedBySleep: Duration?) throws {
    let bench = TestBench()
    let asleep = Mutex(Duration.zero)
    var settings = CueEngine.Settings()
    (settings.checksByItself, settings.waitsForWords) = (false, false)
    settings.pausedBySleep = pausedBySleep
    let engine = CueEngine(
      output: bench.output, sounds: TickingTests.sounds, speech: nil, settings: settings,
      clock: { [clock = bench.clock] in clock.now }, sleepClock: { asleep.withLock { $0 } },
      ledger: { _ in }, events: { _ in }, keep: nil)
    let workout = Workout("Row", Self.phases)
    let lane = try engine.addLane(
      "anna", timeline: Timeline(workout), style: LaneStyle(density: .quiet, countdown: 0))
    engine.send(.start, to: lane)
    bench.advance(engine, by: .seconds(10))
    asleep.withLock { $0 = .milliseconds(20_300) }
    bench.clock.advance(by: .milliseconds(20_300))
    bench.output.advance(to: bench.clock.now)
    engine.checkNow()
    bench.advance(engine, by: .seconds(4))
    if pausedBySleep != nil { engine.send(.resume, to: lane) }
    bench.advance(engine, by: .seconds(10))
    engine.shutDown()
    let ticks = TickingTests.onsets(bench).map { Double($0) / 8_000 }
    let awake = 30.3
    // What had been handed over before the sleep passed in it.
    let after = ticks.filter { $0 > awake }
    if pausedBySleep != nil {
      #expect(after.allSatisfy { $0 >= 34.3 - 1e-3 }, "\(after)")
      #expect(after.count >= 9)
      #expect(isOnGrid(after, from: 34.3, each: 1), "\(after)")
    } else {
      #expect(after.count >= 13)
      #expect(isOnGrid(after, from: 0.2, each: 1), "\(after)")
    }
  }

  /// What such an output has queued cannot be taken back, and one that is closed has to be opened first.
  @Test(arguments: [OutputEvent.plays(minimumLeadTime: nil), .closed])
  func whereTheLeadIsUnknownBeatNoughtComesAfterWhatMayBeQueued(event: OutputEvent) throws {
    let run = try Run([TickingTests.phase(60, Metronome(.steady(24)))])
    run.advance(.seconds(10))
    run.send(.pause, then: .milliseconds(5_250))
    run.bench.output.report(event)
    run.send(.resume, then: .seconds(10))
    let after = run.end().filter { $0 > 15.2 }
    let first = try #require(after.first)
    #expect(abs(first - 15.45) < 1.01 / 8_000)
    #expect(after.count >= 4)
    #expect(isOnGrid(after, from: 15.45, each: 2.5), "\(after)")
  }
}
