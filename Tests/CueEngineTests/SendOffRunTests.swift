import IntervalTimeline
import Testing

@testable import CueEngine

/// Send-offs and counted rounds in a whole run: what the status shows, and what is heard.
struct SendOffRunTests {
  @Test func aDisplayKnowsTheRestAtItsStart() throws {
    let swim = Block.Step(Phase(.work, .open(.untilNext)))
    let rest = Block.Step(Phase(.rest, .open(.sendOff(.seconds(120)))), skippedInLastSet: true)
    let run = try TestRun(
      Workout(name: "Swim", blocks: [Block(sets: 2, steps: [swim, rest])]), settings: .init())
    run.play(.seconds(95))
    run.send(.next)
    let began = run.events.compactMap { event -> LaneStatus? in
      if case .phaseBegan(let status) = event, status.phase == 1 { status } else { nil }
    }
    #expect(began.map(\.phaseLeft) == [.seconds(25)])
    #expect(began.map(\.mayEndEarly) == [false])
    let now = run.status
    #expect(now.phaseLeft == .seconds(25))
    #expect(!now.mayEndEarly)
    run.run(.seconds(10))
    let left = run.cues.filter { $0.kind == "time-left" }
    #expect(left.map { "\(run.seconds($0.due)) \($0.text)" } == ["96.200 24 seconds left"])
  }

  @Test func roundsAreShownAndTheirTotalIsHeard() throws {
    var work = Phase(.work, .fixed(.seconds(60)))
    work.total = "{counted} rounds of {phase}"
    let steps = [Block.Step(work), Block.Step(Phase(.rest, .fixed(.seconds(30))))]
    let run = try TestRun(Workout(name: "AMRAP", blocks: [Block(steps: steps)]))
    run.play(.seconds(20))
    #expect(run.status.repetitions == 0)
    run.send(.next)
    run.send(.rep)
    #expect(run.status.repetitions == 2)
    run.run(.seconds(50))
    let total = run.cues.filter { $0.kind == "total" }
    #expect(total.map(\.text) == ["2 rounds of Work"])
    #expect(total.map(\.outcome) == [.played])
  }
}
