import IntervalTimeline
import Testing

@testable import CueEngine

/// Open phases in a whole run: what is heard when a signal or a count ends them, and the ledger.
struct OpenEndRunTests: AnnouncementChecks {
  private static func workout(_ end: OpenEnd, _ bounds: OpenBounds = OpenBounds()) -> Workout {
    Workout(
      name: "Open",
      blocks: [
        Block(
          sets: 2,
          steps: [
            .init(Phase(.work, .open(end, bounds))), .init(Phase(.rest, .fixed(.seconds(30)))),
          ])
      ])
  }

  private func texts(_ run: TestRun, kind: String) -> [String] {
    run.cues.filter { $0.kind == kind && $0.outcome == .played }
      .map { "\(run.seconds($0.due)) \($0.text)" }
  }

  @Test func aSignalIsHeardAsTheNextPhaseAndIsInTheLedger() throws {
    let run = try TestRun(Self.workout(.signal("piece-done")))
    run.send(.start)
    run.run(.seconds(47))
    let lane = run.lanes[0]
    #expect(run.coach.signal("other", lane: lane, at: run.clock.now) == .noEffect(.running))
    let now = run.clock.now
    #expect(run.coach.signal("piece-done", lane: nil, at: now) == .done)
    run.run(.seconds(5))
    #expect(run.ledger.contains(.signal("piece-done", lane: "anna", at: now)))
    #expect(texts(run, kind: "transition") == ["0.000 Work", "47.000 Rest"])
    #expect(
      run.events.contains {
        if case .signalled("piece-done", let status) = $0 { status.phase == 1 } else { false }
      })
    #expect(run.coach.signal("piece-done", lane: lane, at: run.clock.now) == .noEffect(.running))
  }

  @Test func aSignalToNobodyIsAnswered() throws {
    let run = try TestRun(Self.workout(.signal("go")))
    run.send(.start)
    run.run(.seconds(1))
    run.send(.stop)
    run.run(.seconds(2))
    #expect(run.coach.signal("go", lane: run.lanes[0], at: run.clock.now) == .unknownLane)
    #expect(run.coach.signal("go", lane: nil, at: run.clock.now) == .noLane)
  }

  @Test func aDecidedEndIsAnnouncedAsAnyOther() throws {
    let bounds = OpenBounds(atLeast: .seconds(40))
    let run = try TestRun(Self.workout(.signal("done"), bounds))
    run.send(.start)
    run.run(.seconds(12))
    #expect(run.coach.status(of: run.lanes[0], at: run.clock.now).phaseLeft == nil)
    _ = run.coach.signal("done", lane: nil, at: run.clock.now)
    #expect(run.coach.status(of: run.lanes[0], at: run.clock.now).phaseLeft == .seconds(28))
    run.run(.seconds(32))
    #expect(texts(run, kind: "countdown") == ["37.000 3", "38.000 2", "39.000 1"])
    #expect(texts(run, kind: "transition") == ["0.000 Work", "40.000 Rest"])
    expectNoOverlap(run)
  }

  @Test func repetitionsAreHeardAndTheLastEndsThePhase() throws {
    let run = try TestRun(Self.workout(.reps(4)))
    run.send(.start)
    run.run(.seconds(5))
    for _ in 0..<4 {
      run.send(.rep)
      run.run(.seconds(2))
    }
    #expect(
      texts(run, kind: "repetition") == ["5.020 1", "7.020 2", "9.020 3", "11.600 4"])
    #expect(texts(run, kind: "transition") == ["0.000 Work", "11.000 Rest"])
    #expect(run.ledger.contains(.command(.rep, lane: "anna", at: run.begin + .seconds(5))))
    expectNoOverlap(run)
    // In the rest there is nothing to count.
    let before = run.ledger.count
    run.send(.rep)
    #expect(run.ledger.count == before)
  }

  @Test func aStatusHasTheCount() throws {
    let run = try TestRun(Self.workout(.reps(4)))
    #expect(run.coach.status(of: run.lanes[0], at: run.clock.now).repetitions == 0)
    run.send(.start)
    run.run(.seconds(5))
    run.send(.rep)
    run.send(.rep)
    #expect(run.coach.status(of: run.lanes[0], at: run.clock.now).repetitions == 2)
    run.send(.next)
    #expect(run.coach.status(of: run.lanes[0], at: run.clock.now).repetitions == nil)
  }

  /// Repetitions that come faster than they can be spoken: no number is heard when it is no longer true.
  @Test func aNumberIsNeverSaidAfterTheNextRepetition() throws {
    let run = try TestRun(Self.workout(.reps(30)))
    run.send(.start)
    run.run(.seconds(5))
    var counted: [(number: Int, at: BootInstant)] = []
    for number in 1...20 {
      counted.append((number, run.clock.now))
      run.send(.rep)
      run.run(.milliseconds(150), every: .milliseconds(50))
    }
    run.run(.seconds(3))
    let heard = run.cues.filter { $0.kind == "repetition" && $0.outcome == .played }
    #expect(heard.count > 1)
    for cue in heard {
      let onset = try #require(cue.onset)
      let next = counted.first { String($0.number - 1) == cue.text }
      #expect(next.map { onset < $0.at } ?? true, "\(cue.text) is said too late")
    }
    expectNoOverlap(run)
  }
}
