import CueEngine
import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

/// Runs at full speed with a script, as a stranger's tests have them: only what is public.
struct PlannedRunTests {
  private static let pieces = Workout(
    "Pieces", sets: 2,
    [
      Phase(.work, .fixed(.seconds(20))),
      Phase(.rest, .open(.signal("heart-rate-low"), OpenBounds(atMost: .seconds(90)))),
    ])

  private static let untilSignal = Workout(
    "Waits", sets: 1, [Phase(.rest, .open(.signal("ready"))), Phase(.work, .fixed(.seconds(5)))])

  private static func words() -> SpeechLibrary {
    SpeechLibrary(ScriptedSpeech(), converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
  }

  private static let sounds = SoundPack(rate: 8_000)

  private static func run(_ workout: Workout, _ script: [ScriptStep] = []) throws -> PlannedRun {
    PlannedRun(try Timeline(workout), script: script, sounds: sounds, speech: words())
  }

  @Test func aSignalEndsAPhaseAndWhatFollowsIsHeard() throws {
    let run = try Self.run(Self.pieces, [.signal("heart-rate-low", at: .seconds(47))])
    #expect(run.answers == [.done])
    #expect(run.ends == ["Pieces": .finished])
    let work = run.heard.filter { $0.kind == "transition" && $0.text == "Work" }
    #expect(work.map { $0.due - PlannedRun.start } == [.zero, .seconds(47)])
    #expect(work.allSatisfy { $0.onset == $0.due })
    #expect(
      run.ledger.contains(
        .signal("heart-rate-low", lane: "Pieces", at: PlannedRun.start + .seconds(47))))
    // The second rest lasts as long as it may.
    #expect(
      run.ledger.contains(
        .finish(lane: "Pieces", at: PlannedRun.start + .seconds(47 + 20 + 90))))
  }

  @Test func theStatusIsRightAtEveryInstant() throws {
    let run = try Self.run(
      Self.pieces,
      [
        .command(.pause, at: .seconds(5)), .command(.resume, at: .seconds(9)),
        .signal("heart-rate-low", at: .seconds(40)),
      ])
    func status(_ seconds: Double) -> LaneStatus? {
      run.status(of: "Pieces", at: .milliseconds(Int(seconds * 1000)))
    }
    #expect(status(0)?.phaseLeft == .seconds(20))
    #expect(status(4.5)?.elapsed == .milliseconds(4_500))
    #expect(status(7)?.state == .paused && status(7)?.elapsed == .seconds(5))
    #expect(status(23.75)?.phaseLeft == .milliseconds(250))
    #expect(status(24)?.kind == .rest && status(24)?.done == 1)
    #expect(status(39.999)?.kind == .rest)
    #expect(status(40)?.set == 2 && status(40)?.phaseElapsed == .zero)
    #expect(status(10_000)?.state == .finished)
    #expect(run.status(of: "nobody", at: .zero) == nil)
    #expect(run.status(of: "Pieces", at: .seconds(-1)) == nil)
  }

  @Test func aRunWithoutAnEndEndsAndSaysWhere() throws {
    let waits = try Self.run(Self.untilSignal, [.signal("other", at: .seconds(3))])
    #expect(waits.ends == ["Waits": .open(phase: 0)])
    #expect(waits.answers == [.noEffect(.running)])
    #expect("\(waits.ends["Waits"]!)".contains("open phase 0"))

    let paused = try Self.run(Self.pieces, [.command(.pause, at: .seconds(3))])
    #expect(paused.ends == ["Pieces": .paused])

    let stopped = try Self.run(Self.pieces, [.command(.stop, at: .seconds(3))])
    #expect(stopped.ends == ["Pieces": .stopped])

    let step = ScriptStep(.command(.start), at: .workoutTime(.seconds(1)), lane: "Pieces")
    let ready = try Self.run(Self.pieces, [step])
    #expect(ready.ends == ["Pieces": .ready])
    #expect(ready.answers == [nil])
  }

  @Test func workoutTimeStandsStillInAPause() throws {
    let run = try Self.run(
      Self.pieces,
      [
        ScriptStep(.command(.next), at: .workoutTime(.seconds(10))),
        .command(.pause, at: .seconds(4)), .command(.resume, at: .seconds(34)),
        ScriptStep(.command(.stop), at: .workoutTime(.seconds(3_600))),
      ])
    #expect(run.answers == [.done, .done, .done, nil])
    #expect(
      run.ledger.contains(
        .command(.next, lane: "Pieces", at: PlannedRun.start + .seconds(40))))
  }

  @Test func whatACommandWithdrawsIsNotHeard() throws {
    let undisturbed = try Self.run(Self.pieces)
    let countdown = undisturbed.heard.filter { $0.kind == "countdown" }.map(\.due)
    let last = try #require(countdown.first { $0 > PlannedRun.start + .seconds(15) })
    // Half a second before it, it has been handed over.
    let stop = PlannedRun.start.duration(to: last) - .milliseconds(500)
    let run = try Self.run(Self.pieces, [.command(.stop, at: stop)])
    #expect(run.cues.contains { $0.due == last && $0.outcome == .withdrawn })
    #expect(!run.heard.contains { $0.due == last })
  }

  @Test func repetitionsAndTextsAreHeard() throws {
    let lifts = Workout(
      "Lifts", sets: 1, [Phase(.work, .open(.reps(3))), Phase(.rest, .fixed(.seconds(20)))])
    let run = try Self.run(
      lifts,
      [
        .command(.rep, at: .seconds(4)), .command(.rep, at: .seconds(6)),
        .command(.rep, at: .seconds(8)), .say("Well done", at: .seconds(12)),
      ])
    #expect(run.heard.filter { $0.kind == "repetition" }.map(\.text) == ["1", "2", "3"])
    let message = try #require(run.heard.first { $0.kind == "message" })
    #expect(message.text == "Well done")
    #expect(message.due - PlannedRun.start >= .seconds(12))
    #expect(run.ends == ["Lifts": .finished])
  }

  @Test func liveValuesAreSaidAsTheyAre() throws {
    let wordings = [try Template("At {watts}", values: ["watts"]), "Keep going"]
    let texts = [20, 40, 50].map { Remark(wordings, at: .fromStart(.seconds($0))) }
    let row = Phase(.work, .fixed(.seconds(60)), remarks: texts)
    let run = try Self.run(
      Workout("Row", [row]),
      [
        .value("watts", LiveValue(.number(150, .watt)), at: .seconds(3)),
        .value(
          "watts",
          LiveValue(.number(187, .watt), validUntil: PlannedRun.start + .seconds(45)),
          at: .seconds(30)),
        .value("slope", LiveValue(.number(2)), at: .seconds(31)),
      ])
    #expect(run.answers == [.done, .done, .unknownValue("slope")])
    #expect(
      run.heard.filter { $0.kind == "text" }.map(\.text)
        == ["At 150 watts", "At 187 watts", "Keep going"])
  }

  /// Its live value never came.
  @Test func aMessageThatWasNeverWordedHasItsTextWhenItIsTakenBack() throws {
    let phase = Phase(.work, .fixed(.seconds(60)))
    let message = Message([try Template("Now {watts}", values: ["watts"])], patience: .seconds(8))
    let run = try Self.run(
      Workout("Rows", [phase]),
      [
        ScriptStep(.say(message), at: .workoutTime(.seconds(12))),
        .command(.stop, at: .seconds(14)),
      ])
    let said = run.cues.filter { $0.kind == "message" }
    #expect(said.map(\.text) == ["Now {watts}"])
  }

  private static func say(_ text: String, for time: Int64? = nil, at sent: Int64) -> ScriptStep {
    ScriptStep(
      .say(Message(text), for: time.map { .seconds($0) }), at: .sinceStart(.seconds(sent)))
  }

  /// What becomes of each text of a script is what its sender would learn.
  @Test func eachTextIsReported() throws {
    let run = try Self.run(
      Self.untilSignal,
      [
        .command(.pause, at: .seconds(1)),
        // Far from every cue, and in a pause.
        Self.say("In a minute", for: 60, at: 2),
        Self.say("Soon", at: 3),
        .command(.resume, at: .seconds(100)), .signal("ready", at: .seconds(110)),
        Self.say("Too late", for: 3600, at: 111),
        ScriptStep(.say(Message("Nobody")), at: .sinceStart(.seconds(112)), lane: "nobody"),
      ])
    #expect(
      run.reports.map(\.?.outcome) == [
        nil, .heard, .heard, nil, nil, .dropped, .refused(.unknownLane),
      ])
    #expect(run.reports[1]?.onset == PlannedRun.start + .seconds(60))
    #expect(run.reports[2]?.text == "Soon")
    #expect(run.reports[5]?.reason == "the workout is over")
    #expect(run.answers[6] == .unknownLane)
  }

  @Test func aRunWaitsForATextThatIsStillToBeSaid() throws {
    let run = try Self.run(Self.untilSignal, [Self.say("An hour", for: 3600, at: 1)])
    #expect(run.reports.first??.onset == PlannedRun.start + .seconds(3600))
    #expect(run.ends == ["Waits": .open(phase: 0)])
  }

  @Test func severalLanesShareASpeaker() throws {
    let timeline = try Timeline(Self.pieces)
    let run = try PlannedRun(
      [.init("anna", timeline), .init("ben", timeline)],
      script: [
        .command(.start, at: .seconds(30), lane: "ben"),
        .signal("heart-rate-low", at: .seconds(60)),
        .command(.stop, at: .seconds(100), lane: "ben"),
        .say("Hello", at: .seconds(101), lane: "carl"),
      ], sounds: Self.sounds, speech: Self.words())
    #expect(run.answers == [.done, .done, .done, .unknownLane])
    #expect(run.ends == ["anna": .finished, "ben": .stopped])
    #expect(run.status(of: "ben", at: .seconds(29))?.state == .ready)
    #expect(run.status(of: "ben", at: .seconds(30))?.state == .running)
    #expect(run.status(of: "anna", at: .seconds(60))?.set == 2)
    // At 60 s ben's rest has lasted for 10 s.
    #expect(run.status(of: "ben", at: .seconds(60))?.set == 2)
    #expect(run.heard.contains { $0.text.hasPrefix("anna: ") })
    #expect(throws: LaneError.nameTaken("anna")) {
      try PlannedRun([.init("anna", timeline), .init("anna", timeline)])
    }
  }

  @Test func theSameArgumentsGiveTheSameLedger() throws {
    let script: [ScriptStep] = [
      .command(.pause, at: .seconds(5)), .command(.resume, at: .seconds(9)),
      .say("Go on", at: .seconds(9)), .signal("heart-rate-low", at: .seconds(40)),
      .command(.back, at: .seconds(41)), .command(.whereAmI, at: .seconds(50)),
    ]
    let first = try Self.run(Self.pieces, script)
    #expect(try Self.run(Self.pieces, script).ledger.map(\.line) == first.ledger.map(\.line))
  }

  /// An engine in which the same happens at the same instants has the same ledger; but words that nobody
  /// could foresee are rendered first, which takes it a moment.
  @Test func itDecidesAsAnEngineDoes() throws {
    let script: [ScriptStep] = [
      .say("Long legs", at: .seconds(4)), .command(.pause, at: .milliseconds(12_300)),
      .command(.resume, at: .seconds(19)), .signal("heart-rate-low", at: .milliseconds(44_100)),
      .command(.next, at: .seconds(51)), .command(.back, at: .seconds(55)),
      .command(.whereAmI, at: .seconds(60)), .say("Nearly there", at: .seconds(69)),
    ]
    let planned = try Self.run(Self.pieces, script)
    let bench = TestBench()
    var settings = CueEngine.Settings()
    settings.startLead = .zero
    settings.wallClock = { "1970-01-01T00:00:00.000Z" }
    let engine = bench.makeEngine(settings: settings)
    let lane = try engine.addLane("Pieces", timeline: Timeline(Self.pieces))
    engine.prepare()
    engine.send(.start, to: lane)
    for step in script {
      bench.advance(engine, by: step.moment.duration - bench.start.duration(to: bench.clock.now))
      switch step.action {
      case .command(let command): engine.send(command, to: lane)
      case .signal(let name): engine.signal(name, to: lane)
      case .say(let message, _): engine.say(message, in: lane) { _ in }
      case .value(let name, let value): engine.setValue(name, to: value, in: lane)
      }
    }
    bench.advance(engine, by: .seconds(200))
    engine.shutDown()
    let shift = bench.start.duration(to: PlannedRun.start)
    func text(_ events: [LedgerEvent], shiftedBy shift: Duration) -> [String] {
      events.compactMap { event in
        guard case .cue(let cue) = event else { return nil }
        let isForeseen = !["message", "where-am-i"].contains(cue.kind)
        let due = isForeseen ? "\((cue.due + shift) - PlannedRun.start)" : ""
        return "\(due) \(cue.kind) \(cue.text) \(cue.outcome) \(cue.reason ?? "")"
      }.sorted()
    }
    #expect(text(bench.ledger, shiftedBy: shift) == text(planned.ledger, shiftedBy: .zero))
    #expect(planned.ends == ["Pieces": .finished])
  }
}

extension ScriptStep.Moment {
  fileprivate var duration: Duration {
    switch self {
    case .sinceStart(let time), .workoutTime(let time): time
    }
  }
}
