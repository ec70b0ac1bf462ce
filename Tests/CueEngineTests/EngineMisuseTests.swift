import CueSound
import CueTesting
import Dispatch
import IntervalTimeline
import Synchronization
import TestSupport
import Testing

@testable import CueEngine

/// What a program may get wrong and go on: each has an answer. What ends it is in the program `misuse`.
struct EngineMisuseTests {
  private let run = EngineRun()
  private static let workout = Workout.sets(2, [(.low, 4), (.high, 3)])

  private func lane(_ run: EngineRun) async throws -> LaneID {
    try await run.engine.addLane("anna", timeline: Timeline(Self.workout))
  }

  @Test func aCommandBeforeTheStartHasNoEffect() async throws {
    let lane = try await lane(run)
    for command in Command.allCases where command != .start && command != .stop {
      #expect(await run.engine.send(command, to: lane) == .noEffect(.ready), "\(command)")
    }
    #expect(await run.engine.signal("heart-rate-low", to: lane) == .noEffect(.ready))
    #expect(await run.engine.send(.stop, to: lane) == .done)
    #expect(await run.engine.send(.start, to: lane) == .unknownLane)
  }

  @Test func aSecondStartHasNoEffect() async throws {
    let lane = try await lane(run)
    #expect(await run.engine.send(.start, to: lane) == .done)
    #expect(await run.engine.send(.start, to: lane) == .noEffect(.running))
    #expect(await run.engine.start([lane], at: run.clock.now) == .noEffect(.running))
    #expect(run.log.events.count { if case .start = $0 { true } else { false } } == 1)
  }

  @Test(arguments: [BootInstant(nanoseconds: .max), BootInstant(nanoseconds: .max / 2)])
  func aStartThatIsTooFarAheadIsRefused(_ instant: BootInstant) async throws {
    let lane = try await lane(run)
    #expect(
      await run.engine.start([lane], at: instant) == .refused("a start more than 24 hours ahead"))
    #expect(run.engine.status(of: lane)?.state == .ready)
    // One that has passed is one now.
    #expect(await run.engine.start([lane], at: BootInstant(nanoseconds: .min)) == .done)
  }

  @Test func aCommandFromAClosureIsObeyed() async throws {
    let holder = EngineHolder()
    let (answers, teller) = AsyncStream.makeStream(of: CommandAnswer.self)
    let run = EngineRun { event in
      guard case .obeyed(.start, let status) = event else { return }
      let engine = holder.engine.withLock { $0 }
      engine?.send(.pause, to: status.id) { answer in
        teller.yield(answer)
        engine?.setVolume(0.5) { teller.yield($0) }
      }
    }
    holder.engine.withLock { $0 = run.engine }
    let lane = try await lane(run)
    await run.engine.send(.start, to: lane)
    var iterator = answers.makeAsyncIterator()
    #expect(await iterator.next() == .done)
    #expect(await iterator.next() == .done)
    #expect(run.engine.status(of: lane)?.state == .paused)
    run.engine.shutDown()
    holder.engine.withLock { $0 = nil }
  }

  @Test(
    arguments: [(.nan, 1), (.infinity, 1), (-.infinity, 0), (7, 1), (-0.5, 0)] as [(Float, Float)])
  func aVolumeIsANumber(gain: Float, volume: Float) async throws {
    let answer = await run.engine.setVolume(gain)
    #expect(answer == (gain.isNaN ? .refused("a volume that is no number") : .done))
    #expect(run.engine.volume == volume)
  }

  @Test func aStyleOutsideItsRangesIsRefused() throws {
    let timeline = try Timeline(Self.workout)
    func add(_ change: (inout LaneStyle) -> Void) throws {
      var style = LaneStyle()
      change(&style)
      _ = try run.engine.addLane("anna", timeline: timeline, style: style)
    }
    #expect(throws: LaneError.style("a voice's gain is nan, expected 0 to 1")) {
      try add { $0.voice.gain = .nan }
    }
    #expect(throws: LaneError.style("a voice's rate is 0, expected 80 to 450")) {
      try add { $0.voice.rate = 0 }
    }
    #expect(throws: LaneError.style("a countdown is -1, expected 0 to 60")) {
      try add { $0.countdown = -1 }
    }
    #expect(throws: LaneError.sampleRate(48_000, expected: 8_000)) {
      try run.engine.addLane("anna", timeline: timeline, sounds: SoundPack())
    }
    #expect(run.engine.statuses().isEmpty)
  }

  @Test func aSessionWithInsaneInstantsIsRefused() throws {
    let timeline = try Timeline(Self.workout)
    var session = Session(timeline)
    _ = session.handle(.start, at: run.clock.now)
    var record = session.record(at: run.clock.now)
    record.at = BootInstant(nanoseconds: .max)
    #expect(throws: LaneError.otherWorkout) {
      try run.engine.addLane("anna", timeline: timeline, restoring: record)
    }
  }

  @Test func onlyALaneOfAnEarlierRunIsRestoredAndOnlyOnce() async throws {
    let new = try await lane(run)
    await run.engine.send(.start, to: new)
    #expect(
      await run.engine.restore([(lane: new, mode: .held, alive: nil)]) == .noEffect(.running))
    #expect(run.engine.status(of: new)?.state == .running)
    await run.engine.send(.pause, to: new)
    let record = try #require(run.engine.record(of: new))
    let old = try await run.engine.addLane(
      "ben", timeline: Timeline(Self.workout), restoring: record)
    #expect(await run.engine.restore([(lane: old, mode: .fromRecord, alive: nil)]) == .done)
    #expect(
      await run.engine.restore([(lane: old, mode: .fromRecord, alive: nil)])
        == .noEffect(.running))
    #expect(await run.engine.restore([]) == .noLane)
  }

  @Test(arguments: [Duration.seconds(-1), .seconds(Int64.max)])
  func aMessageHasAPatience(_ patience: Duration) async throws {
    let lane = try await lane(run)
    await run.engine.send(.start, to: lane)
    let report = await run.engine.say(Message("Last one", patience: patience), in: lane)
    #expect(
      report.outcome
        == .refused(
          .refused(
            "a message's patience is \(patience), expected 0.0 seconds to 86400.0 seconds")))
    #expect(await run.engine.setValue("watts", to: nil, in: lane) == .unknownValue("watts"))
  }

  @Test func aTextHasAWordingAndALength() async throws {
    let lane = try await lane(run)
    await run.engine.send(.start, to: lane)
    var empty = Message("Last one")
    empty.wordings = []
    let long = Message([Template(plain: String(repeating: "a", count: 501)), "Last one"])
    let many = Message([Template](repeating: "Last one", count: 101))
    let cases = [
      (empty, "a message without a wording"),
      (long, "a text of 501 characters, expected at most 500"),
      (many, "a message with 101 wordings, expected at most 100"),
    ]
    for (message, reason) in cases {
      let report = await run.engine.say(message, in: lane)
      #expect(report.outcome == .refused(.refused(reason)))
      let planned = PlannedRun(
        try Timeline(Self.workout),
        script: [ScriptStep(.say(message), at: .sinceStart(.seconds(1)))])
      #expect(planned.answers == [.refused(reason)])
      #expect(planned.reports.map(\.?.outcome) == [.refused(.refused(reason))])
    }
    let most = Message([Template](repeating: "Last one", count: 100))
    let planned = PlannedRun(
      try Timeline(Self.workout), script: [ScriptStep(.say(most), at: .sinceStart(.seconds(1)))])
    #expect(planned.answers == [.done])
    let value = LiveValue(.text(String(repeating: "a", count: 201)))
    #expect(
      await run.engine.setValue("watts", to: value, in: lane)
        == .refused("a text of 201 characters, expected at most 200"))
  }

  // MARK: A clock that goes back

  @Test func whileTheClockIsBehindNoTimePasses() async throws {
    let begin = BootInstant(nanoseconds: 1_000_000_000_000)
    let clock = Setting(begin)
    let log = LedgerLog()
    let output = RecordingOutput(origin: begin, rate: 8_000)
    let engine = CueEngine(
      output: output, sounds: SoundPack(rate: 8_000), speech: nil, clock: { clock.value },
      sleepClock: { .zero }, ledger: { log.append($0) })
    let lane = try await engine.addLane("anna", timeline: Timeline(.sets(1, [(.low, 20)])))
    await engine.send(.start, to: lane)
    var latest = begin
    var elapsed = Duration.zero
    // Two steps forward, one back; then an hour back, and on from there.
    let steps =
      (0..<60).map { $0 % 3 == 2 ? -1 : 1 } + [-3600, 1, 1, 3600] + (0..<40).map { _ in 1 }
    for step in steps {
      clock.value = clock.value + .seconds(step)
      latest = max(latest, clock.value)
      output.advance(to: latest)
      engine.checkNow()
      await engine.prepare([], within: .zero)
      guard let status = engine.status(of: lane) else { break }
      #expect(status.elapsed >= elapsed)
      elapsed = status.elapsed
    }
    #expect(log.events.contains { if case .finish = $0 { true } else { false } })
    #expect(engine.statuses().isEmpty)
    engine.shutDown()
  }

  // MARK: The end

  @Test func aLaneThatIsAddedDuringShutDownIsRefused() throws {
    let answers = Setting<[Result<LaneID, any Error>]>([])
    let holder = EngineHolder()
    let timeline = try Timeline(Self.workout)
    let output = HookedOutput {
      guard let engine = holder.engine.withLock({ $0 }) else { return }
      answers.value += [Result { try engine.addLane("late", timeline: timeline) }]
    }
    let engine = CueEngine(output: output, sounds: SoundPack(rate: 8_000), speech: nil)
    holder.engine.withLock { $0 = engine }
    engine.shutDown()
    #expect(answers.value.count == 1)
    #expect(throws: LaneError.shutDown) { try answers.value.first?.get() }
    holder.engine.withLock { $0 = nil }
  }

  @Test func everythingMayBeCalledAfterShutDown() async throws {
    let engine = run.engine
    let lane = try await lane(run)
    await engine.send(.start, to: lane)
    run.run(.seconds(2))
    let before = engine.status(of: lane)
    let record = engine.record(of: lane)
    engine.shutDown()
    let (events, lines) = (run.log.engineEvents.count, run.log.events.count)
    run.clock.advance(by: .seconds(3))
    engine.shutDown()
    await engine.prepare([lane])
    engine.withdrawQuestion()
    engine.checkNow()
    for command in Command.allCases {
      #expect(await engine.send(command) == .shutDown)
      #expect(await engine.send(command, to: [lane]) == .shutDown)
    }
    #expect(await engine.start([lane], at: run.clock.now) == .shutDown)
    #expect(await engine.start([lane], at: BootInstant(nanoseconds: .max)) == .shutDown)
    #expect(await engine.signal("a", to: lane) == .shutDown)
    #expect(await engine.restore([(lane: lane, mode: .held, alive: nil)]) == .shutDown)
    #expect(await engine.setVolume(0.3) == .shutDown)
    #expect(engine.volume == 1)
    // Everything is as it was then.
    #expect(engine.status(of: lane) == before)
    #expect(engine.statuses() == [before].compactMap { $0 })
    #expect(engine.record(of: lane)?.at == record?.at)
    #expect(run.log.engineEvents.count == events)
    #expect(run.log.events.count == lines)
  }

  /// The timer, the closures and the output are gone, and what was to be heard is in the ledger.
  @Test func anEngineThatIsReleasedEndsItsTimerAndItsOutput() async throws {
    let stops = Setting(0)
    let log = LedgerLog()
    let probe = Probe()
    // The timer runs, and the first sound is still to be heard, however slow the machine is.
    let clock = ManualClock()
    do {
      let token = Token()
      probe.token = token
      var settings = CueEngine.Settings()
      settings.checkInterval = .milliseconds(1)
      let engine = CueEngine(
        output: HookedOutput { stops.value += 1 }, sounds: SoundPack(rate: 8_000), speech: nil,
        settings: settings, clock: { clock.now }, sleepClock: { .zero },
        ledger: { log.append($0) }, beat: { _ in token.beat() })
      let lane = try await engine.addLane("anna", timeline: Timeline(Self.workout))
      await engine.send(.start, to: lane)
      let beats = token
      #expect(await eventually { beats.count > 3 })
    }
    #expect(await eventually { probe.token == nil })
    #expect(stops.value == 1)
    // The queue collects it after the engine is gone.
    #expect(
      await eventually {
        log.events.contains { event in
          if case .cue(let cue) = event { cue.outcome == .withdrawn } else { false }
        }
      })
  }

  @Test func anEngineMayBeReleasedOnItsOwnQueue() async throws {
    let holder = EngineHolder()
    let mark = Setting<QueueMark?>(nil)
    let wasOnQueue = Setting<Bool?>(nil)
    let gate = DispatchSemaphore(value: 0)
    do {
      let output = HookedOutput { wasOnQueue.value = mark.value?.isOnQueue }
      let engine = CueEngine(
        output: output, sounds: SoundPack(rate: 8_000), speech: nil,
        events: { event in
          guard case .volumeChanged = event else { return }
          // Until the engine's own block is the last to hold it.
          gate.wait()
          holder.engine.withLock { $0 = nil }
        })
      holder.engine.withLock { $0 = engine }
      mark.value = engine.loop.mark
    }
    holder.engine.withLock { $0?.setVolume(0.5) }
    gate.signal()
    #expect(await eventually { wasOnQueue.value != nil })
    #expect(wasOnQueue.value == true)
  }
}

/// A value that any thread may set.
private final class Setting<Value: Sendable>: Sendable {
  /// Protects the value.
  private let held: Mutex<Value>
  init(_ value: Value) { held = Mutex(value) }
  var value: Value {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

private final class Token: Sendable {
  private let beats = Atomic(0)
  var count: Int { beats.load(ordering: .relaxed) }
  func beat() { beats.add(1, ordering: .relaxed) }
}

private final class Probe: @unchecked Sendable {
  // Unchecked: set once before it is read; a weak reference may be read by any thread.
  weak var token: Token?
}

/// Takes everything and plays nothing; reports what was sent as withdrawn when it is stopped.
private final class HookedOutput: SoundOutput {
  let latency = Duration.zero
  /// Protects the mixer.
  private let link = Mutex<MixerLink?>(nil)
  private let stopped: @Sendable () -> Void

  init(stopped: @escaping @Sendable () -> Void) { self.stopped = stopped }

  func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {
    self.link.withLock { $0 = link }
  }
  func setActivity(_ activity: OutputActivity) {}
  func wake() {}

  func stop() {
    link.withLock { link in
      guard let held = link else { return }
      var mixer = Mixer(link: held, rate: 8_000)
      mixer.takeCommands(map: FrameMap(frame: 0, instant: .boot, rate: 8_000))
      mixer.abandon()
      link = nil
    }
    stopped()
  }
}
