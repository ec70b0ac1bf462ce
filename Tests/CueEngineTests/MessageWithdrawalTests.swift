import CueEngine
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

/// Messages that their sender takes back.
@Suite struct MessageWithdrawalTests {
  private let bench = TestBench()
  private let engine: CueEngine
  private let lane: LaneID

  init() throws {
    engine = bench.makeEngine()
    let work = Block.Step(Phase(.work, .fixed(.seconds(120))))
    lane = try engine.addLane(
      "anna", timeline: Timeline(Workout(name: "Row", blocks: [Block(steps: [work])])))
    engine.send(.start, to: lane)
    bench.advance(engine, by: .seconds(20))
  }

  /// Far ahead it waits for its instant; within a few seconds it is laid out.
  @Test(arguments: [60, 2]) func whatHasNotBegunIsNotSaid(wait: Int) {
    let reports = Collected<MessageReport>()
    let at = bench.clock.now + .seconds(wait)
    let message = engine.say(Message("Pull harder"), in: lane, at: at) { reports.append($0) }
    bench.advance(engine, by: .seconds(1))
    #expect(reports.all.isEmpty)
    for _ in 0..<2 {
      engine.withdraw(message)
      bench.advance(engine, by: .seconds(0))
      #expect(reports.all.map(\.outcome) == [.withdrawn])
    }
    bench.advance(engine, by: .seconds(90))
    let lines = bench.cues.filter { $0.text == "Pull harder" }
    #expect(lines.map(\.outcome) == [.withdrawn])
    #expect(lines.first?.reason == "its sender took it back" && lines.first?.onset == nil)
  }

  @Test func whatHasBegunIsSaidToItsEnd() {
    let reports = Collected<MessageReport>()
    let message = engine.say(Message("Pull a little harder now"), in: lane) { reports.append($0) }
    bench.advance(engine, by: .seconds(1))
    engine.withdraw(message)
    bench.advance(engine, by: .seconds(5))
    #expect(reports.all.map(\.outcome) == [.heard])
    // It is over, and there is nothing to withdraw.
    engine.withdraw(message)
    bench.advance(engine, by: .seconds(1))
    #expect(reports.all.count == 1)
  }

  @Test func cancellingTheTaskWithdrawsTheMessage() async {
    let at = bench.clock.now + .seconds(60)
    let waiting = Task { await engine.say(Message("Pull harder"), in: lane, at: at) }
    waiting.cancel()
    #expect(await waiting.value.outcome == .withdrawn)
    bench.advance(engine, by: .seconds(90))
    #expect(bench.cues.filter { $0.text == "Pull harder" }.map(\.outcome) == [.withdrawn])
  }
}

/// What a trainer program relies on.
@Suite struct EmbedderTests {
  private static func lane(_ name: String) throws -> Timeline {
    try Timeline(
      Workout(
        name,
        [
          Phase(.work, .fixed(.seconds(10))),
          Phase(.rest, .open(.signal("ready"), OpenBounds(atMost: .seconds(60)))),
        ]))
  }

  /// It is not remembered for the time after the pause.
  @Test func aSignalInAPauseIsAnsweredSo() async throws {
    let bench = TestBench()
    let engine = bench.makeEngine()
    let first = try await engine.addLane("anna", timeline: Self.lane("Row"))
    let second = try await engine.addLane("ben", timeline: Self.lane("Row"))
    await engine.send(.start)
    bench.advance(engine, by: .seconds(15))
    await engine.send(.pause, to: second)
    #expect(await engine.signal("ready", to: second) == .noEffect(.paused))
    #expect(await engine.signal("steady") == .noEffect(.running))
    #expect(await engine.signal("ready", to: first) == .done)
    // The only one that waits for it now is paused.
    #expect(await engine.signal("ready") == .noEffect(.paused))
    await engine.send(.resume, to: second)
    bench.advance(engine, by: .seconds(2))
    #expect(engine.status(of: second)?.phase == 1)
    engine.shutDown()
  }

  @Test func moreLanesThanAnEngineTakesAreRefused() throws {
    let engine = TestBench().makeEngine()
    for number in 1...CueEngine.maxLanes {
      _ = try engine.addLane("lane \(number)", timeline: Self.lane("Row"))
    }
    #expect(throws: LaneError.full(limit: CueEngine.maxLanes)) {
      try engine.addLane("one more", timeline: Self.lane("Row"))
    }
    engine.shutDown()
  }

  @Test func textsComeAtRegularIntervals() {
    let texts = Remark.every(.seconds(30), "At {watts}", in: .seconds(90))
    #expect(texts.map(\.place) == [.fromStart(.seconds(30)), .fromStart(.seconds(60))])
    #expect(texts.first?.wordings.first?.values == ["watts"])
    #expect(Remark.every(.milliseconds(10), "Now", in: .seconds(90)).isEmpty)
  }

  @Test(
    arguments: [
      ("At {watts}", ["watts"]), ("{phase}", []), ("a { b", []), ("{Two Words}", []), ("{", []),
    ] as [(String, [String])])
  func noLiteralTraps(text: String, values: [String]) {
    #expect(Template(stringLiteral: text).values == Set(values))
  }

  @Test func theBootClockIsAClock() async throws {
    let clock = BootClock()
    let before = clock.now
    try await clock.sleep(until: before + .milliseconds(1), tolerance: nil)
    #expect(clock.now >= before + .milliseconds(1))
  }

  /// `restored` has the phases that passed while the program was away; `phaseBegan` does not report them.
  @Test func phasesThatPassedMeanwhileAreMarked() async throws {
    let workout = Workout("Row", sets: 6, [Phase(.work, .fixed(.seconds(10)))])
    let bench = TestBench()
    let first = bench.makeEngine()
    let lane = try await first.addLane("anna", timeline: Timeline(workout))
    await first.send(.start, to: lane)
    bench.advance(first, by: .seconds(15))
    let record = try #require(first.record(of: lane))
    first.shutDown()

    let second = TestBench()
    second.clock.advance(to: bench.clock.now + .seconds(22))
    let engine = second.makeEngine()
    let again = try await engine.addLane(
      "anna", timeline: Timeline(workout), restoring: record)
    await engine.restore([(again, .running, record.at)])
    _ = engine.statuses()
    let events = second.events.compactMap { event in
      switch event {
      case .restored(let status, let passed): "restored \(status.phase) \(passed)"
      case .phaseBegan(let status): "began \(status.phase)"
      default: nil
      }
    }
    #expect(events == ["restored 3 2..<3", "began 3"])
    engine.shutDown()
  }
}
