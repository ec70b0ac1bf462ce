import Foundation
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// Open phases in a whole run: what is heard when a signal or a count ends them, and the ledger.
struct OpenEndRunTests: AnnouncementChecks {
  private static func workout(_ end: OpenEnd, _ bounds: OpenBounds = OpenBounds()) -> Workout {
    Workout(
      "Open", sets: 2, [Phase(.work, .open(end, bounds)), Phase(.rest, .fixed(.seconds(30)))])
  }

  private func texts(_ run: TestRun, kind: String) -> [String] {
    run.cues.filter { $0.kind == kind && $0.outcome == .played }
      .map { "\(run.seconds($0.due)) \($0.text)" }
  }

  @Test func aSignalIsHeardAsTheNextPhaseAndIsInTheLedger() throws {
    let run = try TestRun(Self.workout(.signal("piece-done")))
    run.play(.seconds(47))
    let lane = run.lanes[0]
    #expect(run.coach.signal("other", lane: lane, at: run.clock.now).answer == .noEffect(.running))
    let now = run.clock.now
    #expect(run.coach.signal("piece-done", lane: nil, at: now).answer == .done)
    run.run(.seconds(5))
    #expect(run.ledger.contains(.signal("piece-done", lane: "anna", at: now)))
    #expect(texts(run, kind: "transition") == ["0.000 Work", "47.000 Rest"])
    #expect(
      run.events.contains {
        if case .signalled("piece-done", let status) = $0 { status.phase == 1 } else { false }
      })
    #expect(
      run.coach.signal("piece-done", lane: lane, at: run.clock.now).answer == .noEffect(.running))
  }

  @Test func aSignalToNobodyIsAnswered() throws {
    let run = try TestRun(Self.workout(.signal("go")))
    run.play(.seconds(1))
    run.send(.stop, then: .seconds(2))
    #expect(run.coach.signal("go", lane: run.lanes[0], at: run.clock.now).answer == .unknownLane)
    #expect(run.coach.signal("go", lane: nil, at: run.clock.now).answer == .noLane)
  }

  @Test func aDecidedEndIsAnnouncedAsAnyOther() throws {
    let bounds = OpenBounds(atLeast: .seconds(40))
    let run = try TestRun(Self.workout(.signal("done"), bounds))
    run.play(.seconds(12))
    #expect(run.status.phaseLeft == nil)
    _ = run.coach.signal("done", lane: nil, at: run.clock.now)
    #expect(
      run.status.phaseLeft == .seconds(28))
    run.run(.seconds(32))
    #expect(texts(run, kind: "countdown") == ["37.000 3", "38.000 2", "39.000 1"])
    #expect(texts(run, kind: "transition") == ["0.000 Work", "40.000 Rest"])
    expectNoOverlap(run)
  }

  @Test func repetitionsAreHeardAndTheLastEndsThePhase() throws {
    let run = try TestRun(Self.workout(.reps(4)))
    run.play(.seconds(5))
    for _ in 0..<4 {
      run.send(.rep, then: .seconds(2))
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

  /// Words that stay true are heard whole, and once.
  @Test func anEarlySignalCutsNoWordsThatStayTrue() throws {
    let work = Block.Step(Phase(.work, .fixed(.seconds(20))))
    let bounds = OpenBounds(atLeast: .seconds(15))
    let rest = Block.Step(Phase(.rest, .open(.signal("ready"), bounds)))
    let run = try TestRun(Workout(name: "Open", blocks: [Block(steps: [work, rest, work])]))
    run.play(.milliseconds(22_500))
    for _ in 0..<3 {
      _ = run.coach.signal("ready", lane: nil, at: run.clock.now)
      run.run(.milliseconds(500))
    }
    run.run(.seconds(12))
    let next = run.cues.filter { $0.kind == "next" }
    #expect(next.map(\.outcome) == [.played])
    // It is being said when the signal comes.
    #expect(next.first?.onset.map { $0 < run.begin + .milliseconds(22_500) } == true)
    #expect(texts(run, kind: "countdown").suffix(3) == ["32.000 3", "33.000 2", "34.000 1"])
    #expect(texts(run, kind: "transition").last == "35.000 Work")
    expectNoOverlap(run)
  }

  /// The words that a pause cuts are said again, however short the pause.
  @Test func wordsThatAPauseCutAreSaidWhole() throws {
    let run = try TestRun(Self.workout(.untilNext))
    run.play(.seconds(20))
    run.send(.next, then: .milliseconds(2_500))
    run.send(.pause, then: .seconds(1))
    run.send(.resume, then: .seconds(8))
    let next = run.cues.filter { $0.kind == "next" }
    #expect(next.map(\.outcome) == [.withdrawn, .played])
    expectNoOverlap(run)
  }

  @Test func wordsAboutACountSayHowManyAreDone() throws {
    let run = try TestRun(Self.workout(.reps(12), OpenBounds(atMost: .seconds(120))))
    run.play(.seconds(5))
    run.send(.whereAmI, then: .seconds(5))
    for _ in 0..<5 {
      run.send(.rep, then: .seconds(2))
    }
    run.send(.whereAmI, then: .seconds(90))
    #expect(
      texts(run, kind: "where-am-i").map { $0.split(separator: " ", maxSplits: 1)[1] }
        == ["Set 1 of 2, Work, 12 reps", "Set 1 of 2, Work, 5 of 12"])
    #expect(texts(run, kind: "halfway").isEmpty)
  }

  /// A number that has to be rendered first would be late.
  @Test func theNextNumbersAreRenderedAhead() throws {
    let run = try TestRun(Self.workout(.reps(30)))
    run.waitForWords()
    run.play(.seconds(2))
    run.finishRenderingAhead()
    #expect((1...10).allSatisfy { run.speech.texts.contains("\($0)") })
    #expect(!run.speech.texts.contains("11"))
    run.send(.rep, then: .seconds(2))
    #expect(texts(run, kind: "repetition") == ["2.020 1"])
    run.finishRenderingAhead()
    #expect(run.speech.texts.contains("11"))
    #expect(!run.speech.texts.contains("12"))
  }

  @Test func theLastOfTheWorkoutIsHeardBeforeItsEnd() throws {
    let work = Block.Step(Phase(.work, .open(.reps(2))))
    let run = try TestRun(Workout(name: "Open", blocks: [Block(steps: [work])]))
    run.play(.seconds(5))
    run.send(.rep, then: .seconds(5))
    run.send(.rep, then: .seconds(5))
    #expect(texts(run, kind: "repetition") == ["5.020 1", "10.600 2"])
    #expect(texts(run, kind: "finish").map { $0.hasSuffix(" Workout complete") } == [true])
    expectNoOverlap(run)
  }

  @Test func aStatusHasTheCount() throws {
    let run = try TestRun(Self.workout(.reps(4)))
    #expect(run.status.repetitions == 0)
    run.play(.seconds(5))
    run.send(.rep)
    run.send(.rep)
    #expect(run.status.repetitions == 2)
    run.send(.next)
    #expect(run.status.repetitions == nil)
  }

  @Test func aCountWithoutWordsEndsItsPhaseAllTheSame() throws {
    var row = Phase(.work, .open(.reps(3)))
    row.countsAloud = false
    let run = try TestRun(Workout("Row", sets: 1, [row]))
    run.play(.seconds(2))
    for _ in 0..<3 { run.send(.rep) }
    run.run(.seconds(2))
    #expect(run.status.state == .finished)
    #expect(texts(run, kind: "repetition") == [])
    let stored = try JSONDecoder().decode(Phase.self, from: JSONEncoder().encode(row))
    #expect(stored == row)
  }

  /// What ends a lane: the report that its last sound is over, which a command may be the first to take.
  @Test(arguments: ["signal", "rep", "value"])
  func aLaneMayEndWithTheCommandThatIsSentToIt(command: String) throws {
    let run = try TestRun(Workout("Short", sets: 1, [Phase(.work, .fixed(.seconds(2)))]))
    run.play(.milliseconds(2_500))
    #expect(run.status.state == .finished)
    for _ in 0..<200 where run.coach.lanes.contains(run.lanes[0]) {
      run.clock.advance(by: .milliseconds(100))
      run.output.advance(to: run.clock.now)
      let (lane, now) = (run.lanes[0], run.clock.now)
      switch command {
      case "signal": _ = run.coach.signal("done", lane: nil, at: now)
      case "rep": run.send(.rep)
      default: _ = run.coach.setValue("pace", to: nil, lane: lane, at: now)
      }
    }
    #expect(!run.coach.lanes.contains(run.lanes[0]))
    #expect(run.coach.signal("done", lane: run.lanes[0], at: run.clock.now).answer == .unknownLane)
  }

  @Test func aPhaseThatIsOverCountsAsDoneBeforeTheNextCheck() throws {
    let short = Phase(.work, .fixed(.milliseconds(4_700)))
    let run = try TestRun(Workout("Short", sets: 3, [short]))
    run.play(.seconds(4))
    let start = run.status.elapsed
    let over = run.clock.now + (.milliseconds(4_710) - start)
    #expect(run.status.done == 0)
    let status = run.coach.lanes.status(of: run.lanes[0], at: over)
    #expect((status.phase, status.done) == (1, 1))
  }

  /// Repetitions that come faster than they can be spoken: no number is heard when it is no longer true.
  @Test func aNumberIsNeverSaidAfterTheNextRepetition() throws {
    let run = try TestRun(Self.workout(.reps(30)))
    run.play(.seconds(5))
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
