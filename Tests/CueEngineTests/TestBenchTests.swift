import CueEngine
import CueTesting
import Foundation
import IntervalTimeline
import Synchronization
import TestSupport
import Testing

/// The doubles for programs that embed the engine, used as those do: only what is public.
struct TestBenchTests {
  private static let workout = Workout(
    "Pieces", sets: 2, [Phase(.work, .open(.reps(2))), Phase(.rest, .fixed(.seconds(20)))])

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

  /// Commands between two checks meet words that are rendered, however long a voice takes for them.
  @Test func theLedgerDoesNotDependOnHowFastWordsAreRendered() throws {
    var rest = Phase(.rest, .open(.signal("ready")))
    rest.remarks = [Remark(try Template("{hr}", values: ["hr"]), at: .fromStart(.seconds(2)))]
    let step = Block.Step(Phase(.work, .fixed(.seconds(4))))
    let anna = Workout(name: "Anna", blocks: [Block(sets: 2, steps: [step, .init(rest)])])
    func run(_ delays: [UInt32]) throws -> [String] {
      let count = Atomic(0)
      let bench = TestBench(
        voice: ScriptedSpeech { text in
          let index = count.add(1, ordering: .relaxed).oldValue
          usleep(delays[index % delays.count])
          return text.count * 60
        })
      let engine = bench.makeEngine()
      defer { engine.shutDown() }
      var style = LaneStyle()
      style.density = .full
      let first = try engine.addLane("anna", timeline: Timeline(anna), style: style)
      let second = try engine.addLane(
        "ben", timeline: Timeline(.sets(3, [(.low, 6), (.high, 6)])), style: style)
      engine.send(.start, to: [first, second])
      for number in 0..<20 {
        bench.advance(engine, by: .milliseconds(700))
        engine.setValue("hr", to: LiveValue(.number(120 + number)), in: first)
        engine.say(Message("Well done \(number)"), in: second) { _ in }
        if number % 5 == 4 { engine.signal("ready", to: first) }
      }
      bench.advance(engine, by: .seconds(5))
      return bench.cues.map { "\($0.due - bench.start) \($0.lane) \($0.text) \($0.outcome)" }
    }
    let expected = try run([0])
    #expect(expected.contains { $0.contains("Well done") })
    for delays: [UInt32] in [[3000], [0, 2000, 500], [1000, 0], [0, 0, 0, 4000], [200]] {
      #expect(try run(delays) == expected)
    }
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
