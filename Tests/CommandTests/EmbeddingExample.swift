import CueEngine
import CueSound
import CueTesting
import Foundation
import InstalledFiles
import IntervalTimeline
import TestSupport
import Testing

/// The pieces of Documentation/embedding.md that are not in Examples, line for line.
@Suite struct EmbeddingExample {
  private let workout: Workout = {
    let row = Block.Step(Phase(.work, .fixed(.seconds(20))))
    let rest = Block.Step(
      Phase(.rest, .open(.signal("heart-rate-low"), OpenBounds(atMost: .seconds(60)))))
    let workout = Workout(name: "Rows", blocks: [Block(sets: 2, steps: [row, rest])])
    return workout
  }()

  /// One that nobody hears.
  private func engine(
    clock: @escaping @Sendable () -> BootInstant = { BootClock.now() }
  ) -> CueEngine {
    CueEngine(
      output: RecordingOutput(origin: clock()), sounds: SoundPack(), speech: nil, clock: clock)
  }

  @Test func aScriptIsRunAtFullSpeed() throws {
    let words = SpeechLibrary(ScriptedSpeech(), converter: RepeatedSamples())
    let run = PlannedRun(
      try Timeline(workout),
      script: [
        .signal("heart-rate-low", at: .seconds(30)),
        .command(.pause, at: .seconds(40)), .command(.resume, at: .seconds(50)),
        ScriptStep(.say(Message("Half of it")), at: .workoutTime(.seconds(60))),
        ScriptStep(.say(Message("Now"), for: .seconds(80)), at: .sinceStart(.seconds(55))),
      ], speech: words)
    #expect(run.heard.map(\.text).contains("Half of it"))
    #expect(run.reports.last??.onset == PlannedRun.start + .seconds(80))
    #expect(run.status(of: "Rows", at: .seconds(30))?.kind == .work)
    #expect(run.ends == ["Rows": .finished])
  }

  @Test func anEngineIsTestedOnABench() throws {
    let bench = TestBench()
    let engine = bench.makeEngine()
    let lane = try engine.addLane("rower", timeline: Timeline(workout))
    engine.send(.start, to: lane)
    bench.advance(engine, by: .seconds(30))
    engine.signal("heart-rate-low", to: lane)
    bench.advance(engine, by: .seconds(1))
    #expect(engine.status(of: lane)?.kind == .work)
    #expect(bench.cues.map(\.text).contains("Rest"))
    engine.shutDown()
  }

  @Test func presetFromAFolderIsRunByItsName() throws {
    let engine = engine()
    let lane = try addTabata(to: engine, from: SourceTree.root.path) { Issue.record("\($0)") }
    #expect(engine.statuses().map(\.id) == [lane])
    #expect(engine.statuses().map(\.phases) == [16])
  }

  private func addTabata(
    to engine: CueEngine, from dataFolder: String, warn: (String) -> Void
  ) throws -> LaneID {
    let folders = InstalledFolders(data: dataFolder)
    let installed = try Installation(folders, voices: nil)
    let tabata = try installed.prepared("tabata") { warn($0) }
    let timer = try engine.addLane("timer", timeline: tabata.timeline, style: tabata.style)
    return timer
  }

  @Test func liveValuesAreSaid() throws {
    let engine = engine()
    let workout = Workout(name: "Row", blocks: [Block(steps: [.init(try row())])])
    let lane = try engine.addLane("rower", timeline: Timeline(workout))
    try give(values: engine, to: lane)
    // The answer comes after those to the values before it.
    let answers = Collected<CommandAnswer>()
    engine.setValue("slope", to: nil, in: lane) { answers.append($0) }
    _ = engine.statuses()
    #expect(answers.all == [.unknownValue("slope")])
  }

  private func give(values engine: CueEngine, to lane: LaneID) throws {
    let now = BootClock.now()
    engine.setValue(
      "watts", to: LiveValue(.number(187, .watt), validUntil: now + .seconds(5)), in: lane)
    engine.setValue("pace", to: LiveValue(.duration(.seconds(125))), in: lane)
  }

  @Test func aSignalEndsItsPhase() throws {
    let clock = ManualClock()
    let engine = engine { clock.now }
    let rest = Phase(.rest, .open(.signal("heart-rate-low")))
    let workout = Workout(name: "Rests", blocks: [Block(steps: [.init(rest), .init(rest)])])
    let lane = try engine.addLane("rower", timeline: Timeline(workout))
    engine.send(.start, to: lane)
    _ = engine.statuses()
    clock.advance(by: .seconds(5))
    engine.signal("heart-rate-low", to: lane)
    #expect(engine.status(of: lane)?.phase == 1)
    engine.shutDown()
  }

  @Test func repetitionsAreCounted() throws {
    let clock = ManualClock()
    let engine = engine { clock.now }
    let squats = Phase(.work, .open(.reps(12)), name: "Squats")
    let workout = Workout(name: "Lifts", blocks: [Block(steps: [.init(squats)])])
    let lane = try engine.addLane("lifter", timeline: Timeline(workout))
    engine.send(.start, to: lane)
    _ = engine.statuses()
    clock.advance(by: .seconds(5))
    engine.send(.rep, to: lane)
    #expect(engine.status(of: lane)?.repetitions == 1)
    engine.shutDown()
  }

  private func row() throws -> Phase {
    let wordings = [
      try Template("{pace} at {watts}", values: ["pace", "watts"]),
      try Template("At {watts}", values: ["watts"]), "Keep going",
    ]
    let row = Phase(
      .work, .fixed(.seconds(300)), remarks: [Remark(wordings, at: .fromStart(.seconds(60)))])
    return row
  }

  @Test func aMessageBeforeTheStartIsRefused() async throws {
    let engine = engine()
    let workout = Workout(name: "Row", blocks: [Block(steps: [.init(try row())])])
    let lane = try await engine.addLane("rower", timeline: Timeline(workout))
    let answers = Collected<String>()
    func print(_ line: String) { answers.append(line) }
    let report = await engine.say(Message("Last one", priority: .normal), in: lane)
    switch report.outcome {
    case .heard, .delayed, .shortened: print("heard: \(report.text)")
    case .dropped, .withdrawn: print("not heard: \(report.reason ?? "")")
    case .refused(let answer): print("refused: \(answer)")
    }
    #expect(answers.all == ["refused: \(CommandAnswer.noEffect(.ready))"])
    // One that is accepted is reported when the engine ends, too.
    await engine.send(.start, to: lane)
    let reports = Collected<MessageReport>()
    engine.say(Message("Later"), in: lane, at: BootClock.now() + .seconds(3_600)) {
      reports.append($0)
    }
    engine.shutDown()
    #expect(reports.all.map(\.outcome) == [.withdrawn])
    #expect(await engine.say(Message("Never"), in: lane).outcome == .refused(.shutDown))
  }

  @Test func aMessageForAnInstantIsReportedLater() throws {
    let answers = Collected<String>()
    @Sendable func show(_ line: String) { answers.append(line) }
    let engine = engine()
    let workout = Workout(name: "Row", blocks: [Block(steps: [.init(try row())])])
    let lane = try engine.addLane("rower", timeline: Timeline(workout))
    engine.send(.start, to: lane)
    let soon = BootClock.now() + .seconds(10)
    engine.say(Message("Ten seconds have passed"), in: lane, at: soon) { show("\($0.outcome)") }
    _ = engine.statuses()
    #expect(answers.all.isEmpty)
    engine.shutDown()
    #expect(answers.all == ["withdrawn"])
  }
}

// Sequences.
extension EmbeddingExample {
  @Test func aDisplayFollowsALane() async throws {
    let screen = Collected<String>()
    @Sendable func show(_ line: String) { screen.append(line) }
    let row = Block.Step(Phase(.work, .open(.untilNext), name: "Row"))
    let workout = Workout(name: "Rows", blocks: [Block(sets: 8, steps: [row])])
    let engine = engine()

    let lane = try await engine.addLane("rower", timeline: Timeline(workout))
    let statuses = engine.statuses(of: lane)
    let display = Task {
      for await status in statuses { show(status.isOver ? "Done" : status.label ?? "") }
    }
    let answer = await engine.send(.start, to: lane)
    if answer != .done { show("Not started: \(answer)") }

    #expect(await eventually { screen.all.last == "Row" })
    engine.shutDown()
    await display.value
    #expect(screen.all.allSatisfy { $0 == "Row" })
  }

  @Test func aLogFollowsAllLanes() async throws {
    let screen = Collected<String>()
    @Sendable func show(_ line: String) { screen.append(line) }
    let engine = engine()
    let row = Block.Step(Phase(.work, .open(.untilNext), name: "Row"))
    let workout = Workout(name: "Rows", blocks: [Block(steps: [row])])
    let lane = try await engine.addLane("rower", timeline: Timeline(workout))

    let events = engine.events
    let log = Task {
      for await event in events {
        switch event {
        case .phaseBegan(let status): show("\(status.name): \(status.label ?? "")")
        case .obeyed(let command, let status): show("\(status.name): \(command.rawValue)")
        case .finished(let status): show("\(status.name) is over")
        case .deviceLost(let error): show("No sound: \(error)")
        case .deviceRecovered: show("Sound again")
        default: break
        }
      }
    }

    #expect(await engine.send(.start, to: lane) == .done)
    #expect(await engine.send(.pause, to: lane) == .done)
    let expected: Set = ["rower: start", "rower: Row", "rower: pause"]
    #expect(await eventually { expected.isSubset(of: screen.all) })
    engine.shutDown()
    await log.value
  }
}
