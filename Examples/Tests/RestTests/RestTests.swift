import CueEngine
import CueTesting
import IntervalTimeline
import Testing

/// A workout of one's own in virtual time: no sound, no waiting.
@Suite struct RestTests {
  private static func intervals() throws -> Timeline {
    let row = Block.Step(Phase(.work, .fixed(.seconds(20))))
    let rest = Block.Step(
      Phase(.rest, .open(.signal("heart-rate-low"), OpenBounds(atMost: .seconds(60)))))
    return try Timeline(Workout(name: "Intervals", blocks: [Block(sets: 2, steps: [row, rest])]))
  }

  @Test func aSignalEndsTheRest() async throws {
    let bench = TestBench()
    let engine = bench.makeEngine()
    let lane = try await engine.addLane("rower", timeline: Self.intervals())
    await engine.send(.start, to: lane)
    bench.advance(engine, by: .seconds(30))
    #expect(engine.status(of: lane)?.kind == .rest)
    #expect(await engine.signal("heart-rate-low", to: lane) == .done)
    bench.advance(engine, by: .seconds(1))
    #expect(engine.status(of: lane)?.kind == .work)
    #expect(bench.cues.map(\.text).contains("Rest"))
    engine.shutDown()
  }

  @Test func withoutOneItEndsAfterAMinute() throws {
    let script = [ScriptStep(.command(.next), at: .workoutTime(.seconds(100)))]
    let run = try PlannedRun(Self.intervals(), script: script)
    #expect(
      run.cues.filter { $0.kind == "transition" }.map(\.text).prefix(3) == ["Work", "Rest", "Work"])
  }
}
