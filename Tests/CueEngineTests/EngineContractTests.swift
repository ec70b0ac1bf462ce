import CueSound
import CueTesting
import Dispatch
import IntervalTimeline
import Synchronization
import TestSupport
import Testing

@testable import CueEngine

/// What an engine promises about lanes, values and its end.
struct EngineContractTests {
  private let run = EngineRun()
  private static let workout = Workout.sets(2, [(.low, 4), (.high, 3)])

  private func lane(_ run: EngineRun, _ name: String = "anna") async throws -> LaneID {
    try await run.engine.addLane(name, timeline: Timeline(Self.workout))
  }

  @Test func aLaneOfAnotherEngineIsUnknown() async throws {
    let (run, other) = (EngineRun(), EngineRun())
    let own = try await lane(run)
    let foreign = try await lane(other)
    #expect(own != foreign)
    #expect(await run.engine.send(.start, to: foreign) == .unknownLane)
    #expect(await run.engine.setValue("hr", to: nil, in: foreign) == .unknownLane)
    #expect(run.engine.status(of: foreign) == nil)
    #expect(run.engine.status(of: own)?.state == .ready)
    run.engine.shutDown()
    other.engine.shutDown()
  }

  @Test func aLaneThatIsNamedTwiceIsCommandedOnce() async throws {
    let lane = try await lane(run)
    #expect(await run.engine.send(.start, to: lane) == .done)
    run.run(.seconds(1))
    #expect(await run.engine.send(.next, to: [lane, lane]) == .done)
    #expect(run.engine.status(of: lane)?.phase == 1)
  }

  @Test(arguments: ["", "\u{200B}", "x\ny", String(repeating: "x", count: 501)])
  func aLaneHasANameOnOneLine(_ name: String) throws {
    #expect(throws: LaneError.name(name)) {
      _ = try run.engine.addLane(name, timeline: Timeline(Self.workout))
    }
    #expect(!LaneError.name(name).description.contains("\n"))
  }

  @Test func aValueTooManyChangesNothing() async throws {
    let anna = try await lane(run)
    let ben = try await lane(run, "ben")
    for number in 0..<100 {
      let name = "v\(number)"
      #expect(
        await run.engine.setValue(name, to: .init(.number(1)), in: ben) == .unknownValue(name))
    }
    let answer = await run.engine.setValue("watts", to: LiveValue(.number(1)))
    #expect(answer == .refused("more than 100 live values"))
    let engine = run.engine
    #expect(engine.loop.wait { engine.loop.state.value.coach.lanes[anna].values["watts"] } == nil)
    #expect(await run.engine.setValue("other", to: nil, in: ben) == .unknownValue("other"))
  }

  @Test func anOutputIsToldOnceThatWorkoutsRunPauseAndEnd() async throws {
    let clock = ManualClock()
    let output = ToldOutput(RecordingOutput(origin: clock.now, rate: 8_000))
    let engine = CueEngine(
      output: output, sounds: SoundPack(rate: 8_000), speech: nil, clock: { clock.now },
      sleepClock: { .zero })
    let lane = try await engine.addLane("anna", timeline: Timeline(Self.workout))
    for (command, seconds) in [(Command.start, 2), (.pause, 2), (.resume, 20)] {
      await engine.send(command, to: lane)
      for _ in 0..<2 * seconds {
        clock.advance(to: clock.now + .milliseconds(500))
        output.output.advance(to: clock.now)
        engine.checkNow()
      }
    }
    #expect(output.told.all == [.running, .paused, .running, .idle])
    engine.shutDown()
  }

  @Test func aSecondShutDownWaitsForTheFirst() throws {
    let output = SlowStop()
    let lines = Atomic(0)
    let engine = CueEngine(
      output: output, sounds: SoundPack(rate: 8_000), speech: nil,
      ledger: { _ in lines.add(1, ordering: .relaxed) })
    let lane = try engine.addLane("anna", timeline: Timeline(Self.workout))
    engine.send(.start, to: lane)
    #expect(engine.statuses().count == 1)
    let before = lines.load(ordering: .relaxed)
    let queue = DispatchQueue(label: "ends", attributes: .concurrent)
    let isDone = DispatchGroup()
    queue.async(group: isDone) { engine.shutDown() }
    output.isStopping.wait()
    queue.async(group: isDone) {
      engine.shutDown()
      // What the first one writes at its end is there.
      #expect(lines.load(ordering: .relaxed) > before)
      output.secondIsDone.signal()
    }
    // However long it takes: the second has not returned.
    #expect(output.secondIsDone.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
    output.mayStop.signal()
    isDone.wait()
    // Nor does any later one hang.
    queue.async(group: isDone) { engine.shutDown() }
    #expect(isDone.wait(timeout: .now() + .seconds(60)) == .success)
    #expect(output.stops.load(ordering: .relaxed) == 1)
  }

  /// An output whose second `stop` would hang is not stopped again when the engine is let go of.
  @Test func anEngineThatWasShutDownDoesNotStopItsOutputAgain() throws {
    let output = SlowStop()
    output.mayStop.signal()
    var engine: CueEngine? = CueEngine(output: output, sounds: SoundPack(rate: 8_000), speech: nil)
    engine?.shutDown()
    engine = nil
    #expect(output.stops.load(ordering: .relaxed) == 1)
  }
}

/// Records each activity that the engine sets.
private final class ToldOutput: SoundOutput {
  let output: RecordingOutput
  let told = Collected<OutputActivity>()
  let latency = Duration.zero

  init(_ output: RecordingOutput) { self.output = output }

  func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {
    output.start(link, events: events)
  }
  func setActivity(_ activity: OutputActivity) { told.append(activity) }
  func wake() {}
  func stop() { output.stop() }
}

/// Stops when it may; takes everything and plays nothing.
private final class SlowStop: SoundOutput {
  let latency = Duration.zero
  let isStopping = DispatchSemaphore(value: 0)
  let mayStop = DispatchSemaphore(value: 0)
  let secondIsDone = DispatchSemaphore(value: 0)
  let stops = Atomic(0)
  /// Protects the link.
  private let link = Mutex<MixerLink?>(nil)

  func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {
    self.link.withLock { $0 = link }
  }
  func setActivity(_ activity: OutputActivity) {}
  func wake() {}

  func stop() {
    stops.add(1, ordering: .relaxed)
    isStopping.signal()
    mayStop.wait()
    guard let link = link.withLock({ $0 }) else { return }
    var mixer = Mixer(link: link, rate: 8_000)
    mixer.takeCommands(map: FrameMap(frame: 0, instant: .boot, rate: 8_000))
    mixer.abandon()
  }
}
