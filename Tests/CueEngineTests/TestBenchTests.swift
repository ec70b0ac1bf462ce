import CueEngine
import CueTesting
import IntervalTimeline
import Testing

/// The doubles for programs that embed the engine, used as those do: only what is public.
struct TestBenchTests {
  private static let workout = Workout(
    name: "Pieces",
    blocks: [
      Block(
        sets: 2,
        steps: [
          .init(Phase(.work, .open(.reps(2)))), .init(Phase(.rest, .fixed(.seconds(20)))),
        ])
    ])

  /// Both sets, with repetitions 3 s apart.
  private func trained() throws -> TestBench {
    let bench = TestBench()
    let engine = bench.makeEngine()
    defer { engine.shutDown() }
    let lane = try engine.addLane("anna", timeline: Timeline(Self.workout))
    engine.send(.start, to: lane)
    for _ in 0..<2 {
      for _ in 0..<2 {
        bench.advance(engine, by: .seconds(3))
        engine.send(.rep, to: lane)
      }
      bench.advance(engine, by: .seconds(20))
    }
    bench.advance(engine, by: .seconds(10))
    #expect(engine.statuses().isEmpty)
    return bench
  }

  @Test func aWorkoutIsRunInNoTime() throws {
    let bench = try trained()
    #expect(
      bench.cues.filter { $0.kind == "repetition" && $0.outcome == .played }.map(\.text)
        == ["1", "2", "1", "2"])
    #expect(bench.events.contains { if case .finished = $0 { true } else { false } })
    let cue = try #require(bench.cues.first { $0.kind == "transition" })
    let frame = bench.output.frame(at: cue.due)
    #expect(bench.output.samples[..<frame].allSatisfy { $0 == 0 })
    #expect(bench.output.samples[frame..<(frame + 400)].contains { $0 != 0 })
  }

  @Test func twoRunsAreTheSame() throws {
    func cues(_ bench: TestBench) -> [String] {
      bench.cues.map { "\($0.due - bench.start) \($0.kind) \($0.text) \($0.outcome)" }
    }
    #expect(try cues(trained()) == cues(trained()))
  }

  @Test func whatIsStillToBeHeardIsWithdrawnAtTheEnd() throws {
    let bench = TestBench()
    let engine = bench.makeEngine()
    let lane = try engine.addLane("anna", timeline: Timeline(.sets(1, [(.work, 20)])))
    engine.send(.start, to: lane)
    bench.advance(engine, by: .milliseconds(16_500))
    engine.shutDown()
    #expect(bench.cues.contains { $0.outcome == .withdrawn })
  }

  /// Checks are only missing while something runs.
  @Test func aTimeWithoutAWorkoutIsNoStall() throws {
    let bench = TestBench()
    let engine = bench.makeEngine()
    defer { engine.shutDown() }
    engine.checkNow()
    bench.clock.advance(by: .seconds(3_600))
    let lane = try engine.addLane("anna", timeline: Timeline(Self.workout))
    engine.send(.start, to: lane)
    bench.advance(engine, by: .seconds(5))
    #expect(!bench.events.contains { if case .stalled = $0 { true } else { false } })
    bench.clock.advance(by: .seconds(60))
    engine.checkNow()
    #expect(bench.events.contains { if case .stalled = $0 { true } else { false } })
  }
}
