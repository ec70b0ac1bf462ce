import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// Answers to commands, and their effect on other words.
struct AnswerTests: AnnouncementChecks {
  @Test func whereAmIIsWordedForTheMomentWhenItIsHeard() throws {
    let run = try TestRun(.sets(8, [(.low, 30), (.high, 20)]))
    run.play(.milliseconds(18_400))
    run.send(.whereAmI, then: .seconds(6))
    let cue = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(cue.text == "Set 1 of 8, Low, 12 seconds left, next: High")
    #expect(run.seconds(cue.due) == "18.550")
  }

  /// Not before, when the ledger would have an instant at which nobody hears them.
  @Test func wordsThatAreAskedForAreDueWhenTheOutputCanPlayThem() throws {
    let bench = TestBench()
    let engine = bench.makeEngine()
    defer { engine.shutDown() }
    let lane = try engine.addLane("anna", timeline: try Timeline(.sets(1, [(.low, 60)])))
    engine.send(.start, to: lane)
    bench.advance(engine, by: .seconds(20))
    bench.output.report(.plays(minimumLeadTime: .milliseconds(400)))
    let asked = bench.clock.now
    engine.send(.whereAmI, to: lane)
    bench.advance(engine, by: .seconds(5))
    let cue = try #require(bench.cues.first { $0.kind == "where-am-i" })
    #expect(cue.due == asked + .milliseconds(400))
  }

  @Test func whereAmIJustBeforeABoundaryIsAboutThePhaseThatBegins() throws {
    let run = try TestRun(.sets(8, [(.low, 30), (.high, 20)]))
    run.play(.milliseconds(29_400))
    run.send(.whereAmI, then: .seconds(6))
    let cue = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(cue.text == "Set 1 of 8, High, 20 seconds left, next: Low")
    #expect(cue.due > run.begin + .seconds(30))
  }

  @Test func commandsAreAnsweredWithWhatIsTrueThen() throws {
    let run = try TestRun(
      .sets(8, [(.low, 30), (.high, 20)]),
      style: LaneStyle(acknowledged: Set(Acknowledgement.allCases)))
    run.play(.milliseconds(18_300))
    run.send(.pause, then: .seconds(10))
    run.send(.resume, then: .seconds(6))
    run.send(.next, then: .seconds(4))
    run.send(.back, then: .seconds(5))
    let answers = run.cues.filter { ["signal", "acknowledgement"].contains($0.kind) }
    #expect(
      answers.map(\.text) == [
        "pause", "Paused, 12 seconds left", "resume",
        "Resuming: set 1 of 8, Low, 12 seconds left", "Set 1 of 8, High, 20 seconds",
        "Back to set 1 of 8, High, 20 seconds",
      ])
    #expect(answers.allSatisfy { $0.outcome == .played })
    expectNoOverlap(run)
  }

  @Test(arguments: [300, 1_700, 4_400, 6_100, 7_300, 8_600, 9_500, 10_900, 11_800])
  func whereAmIIsAlwaysAnsweredWithTheSet(asked: Int) throws {
    let run = try TestRun(.sets(3, [(.high, 12)]))
    run.send(.start, then: .milliseconds(12_000 + asked))
    run.send(.whereAmI, then: .seconds(30))
    let answer = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(answer.onset != nil)
    #expect(answer.text.hasPrefix(answer.set == 2 ? "Set 2 of 3, High" : "Set 3 of 3, High"))
    #expect(run.cues.filter { $0.kind == "set-completion" }.allSatisfy { $0.parts.count >= 4 })
    expectNoOverlap(run)
  }

  @Test func anAnswerComesBeforeATextThatHasNotBegun() throws {
    let run = try TestRun(
      workout(sets: 2, [phase(.high, 40, [(10, "Keep your elbows close to your body")])]))
    run.play(.milliseconds(9_300))
    run.send(.whereAmI, then: .seconds(12))
    let answer = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(run.seconds(answer.due) == "9.450")
    let text = try #require(run.cues.first { $0.kind == "text" })
    #expect(text.outcome == .played)
    #expect(text.due > answer.due)
    expectNoOverlap(run)
  }

  @Test func aLaneSaysItsNameAndAloneHasNone() throws {
    let one = try TestRun(.sets(1, [(.high, 20)]))
    let two = try TestRun([
      ("anna", .sets(1, [(.high, 20)])), ("ben", .sets(1, [(.high, 20)])),
    ])
    for run in [one, two] {
      run.play(.seconds(5))
      run.send(.sayName, then: .seconds(2))
    }
    let name = try #require(two.cues.first { $0.kind == "lane-name" })
    #expect((name.text, name.outcome) == ("anna", .played))
    #expect(one.cues.first { $0.kind == "lane-name" }?.outcome == .dropped)
  }

  /// Where it is heard, also across a boundary, and in a pause.
  @Test func theTimeIsSaidAsItIsWhenItIsHeard() throws {
    let run = try TestRun(.sets(2, [(.low, 30), (.high, 45)]))
    run.play(.milliseconds(29_950))
    run.send(.sayTime, then: .seconds(25))
    run.send(.pause, then: .seconds(20))
    run.send(.sayTime, then: .seconds(5))
    let said = run.cues.filter { $0.kind == "time" }
    #expect(said.map(\.text) == ["30 seconds done", "54 seconds done"])
    #expect(said.allSatisfy { $0.outcome == .played })
  }

  @Test func aNameIsSaidAcrossABoundary() throws {
    let run = try TestRun([
      ("anna", .sets(2, [(.low, 30), (.high, 20)])), ("ben", .sets(2, [(.low, 30)])),
    ])
    run.play(.milliseconds(29_850))
    run.send(.sayName, then: .seconds(5))
    let name = try #require(run.cues.first { $0.kind == "lane-name" })
    #expect((name.text, name.outcome) == ("anna", .played))
    #expect(run.seconds(name.due) == "29.950")
  }

  @Test(arguments: [Density.quiet, .normal], ["run", "pause", "count"])
  func aStopIsAskedForAloud(density: Density, state: String) throws {
    let run = try TestRun(
      [("anna", .sets(2, [(.low, 30), (.high, 20)])), ("ben", .sets(2, [(.low, 30)]))],
      style: LaneStyle(density: density))
    run.send(.start, then: state == "count" ? .milliseconds(48_300) : .seconds(11))
    if state == "pause" { run.send(.pause) }
    let before = run.session().transport.anchors
    let asked = run.clock.now
    run.send(.askStop, then: .seconds(6))
    let question = try #require(run.cues.first { $0.kind == "stop-question" })
    #expect((question.text, question.outcome) == ("Press Q again to end", .played))
    // In time for the answer, and the workout continues.
    #expect(asked.duration(to: question.due) <= .seconds(3.2))
    #expect(run.session().transport.anchors == before)
    expectNoOverlap(run)
  }

  @Test func aTextThatIsCutOffByAPauseIsSaidAgain() throws {
    let run = try TestRun(workout([phase(.high, 30, [(10, "Keep your elbows close")])]))
    run.play(.milliseconds(10_200))
    run.send(.pause, then: .seconds(3))
    run.send(.resume, then: .seconds(6))
    let texts = run.cues.filter { $0.kind == "text" }
    #expect(texts.map(\.outcome) == [.withdrawn, .played])
  }

  @Test func wordsThatWaitForTheirRenderingAreOwedAfterAPause() throws {
    let run = try TestRun(workout([phase(.high, 30, [(10, "Keep your elbows close")])]))
    run.waitForWords()
    run.send(.start)
    // A single check, so that its requests are not rendered yet.
    run.clock.advance(by: .milliseconds(9_700))
    run.output.advance(to: run.clock.now)
    run.coach.check(at: run.clock.now)
    run.send(.pause, then: .seconds(3))
    run.send(.resume, then: .seconds(6))
    let texts = run.cues.filter { $0.kind == "text" }
    #expect(texts.last?.outcome == .played)
    #expect(texts.dropLast().allSatisfy { $0.outcome == .withdrawn })
  }

  @Test func wordsThatWereMovedAreSaidOnceAlsoThroughAPause() throws {
    // What comes next is said before the countdown, however long it takes.
    let early = try TestRun(.sets(nil, [(.low, 30), (.high, 20)]), settings: .init())
    early.play(.milliseconds(26_500))
    early.send(.pause, then: .seconds(2))
    early.send(.resume, then: .seconds(2))
    #expect(early.cues.count { $0.kind == "next" && $0.onset != nil } == 1)

    // "Next" waits for "Drink something", and is owed after a pause.
    let rest = self.workout([phase(.rest, 30, [(2, "Drink something")]), phase(.high, 20)])
    let late = try TestRun(rest)
    late.play(.milliseconds(2_500))
    late.send(.pause, then: .seconds(2))
    late.send(.resume, then: .seconds(5))
    let next = late.cues.filter { $0.kind == "next" }
    #expect(next.map(\.outcome) == [.withdrawn, .played])
    let text = late.cues.filter { $0.kind == "text" }
    #expect(!text.contains { $0.outcome == .missed })
  }

  @Test(arguments: [(0, [true, true, true]), (60, [false, true, true])])
  func aNumberThatAnswersACommandIsOnItsSecondOrNotAtAll(late: Int, heard: [Bool]) throws {
    let run = try TestRun(.sets(1, [(.high, 20)]))
    run.play(.seconds(5))
    run.send(.pause, then: .seconds(2))
    run.send(.resume)
    // "3" is due after 11 980 ms more; the person skips to there by pausing just before it.
    run.run(.milliseconds(11_980))
    run.send(.pause, then: .seconds(2))
    // What the output has queued cannot be changed.
    run.output.advance(to: run.clock.now + .milliseconds(20 + late))
    run.send(.resume)
    run.clock.advance(by: .milliseconds(20 + late))
    run.run(.seconds(6))
    let count = try #require(run.cues.last { $0.kind == "set-completion" })
    let numbers = count.parts.filter { ["3", "2", "1"].contains($0.text) }
    let places = zip(numbers, heard).map { $1 ? $0.due : nil }
    #expect(numbers.map(\.onset) == places)
  }

  @Test func nothingWaitsForRenderingAndWordsComeAsSoonAsTheyAreReady() throws {
    let held = try TestRun(.sets(2, [(.low, 10), (.high, 10)]))
    let free = try TestRun(.sets(2, [(.low, 10), (.high, 10)]))
    free.waitForWords()
    for run in [held, free] {
      run.play(.seconds(12))
      run.send(.whereAmI, then: .seconds(32))
    }
    #expect(!free.coach.isRunning)
    let answer = try #require(free.cues.first { $0.kind == "where-am-i" })
    #expect(answer.outcome == .played)
    #expect(answer.text == "Set 1 of 2, High, 8 seconds left, next: Low")
    let others = { (run: TestRun) in run.trace.filter { !$0.contains("where-am-i") } }
    #expect(others(free) == others(held))
  }

  @Test func wordsThatCannotBeRenderedEndNoLaneAndLeaveTheBeeps() throws {
    let run = try TestRun(
      .sets(2, [(.low, 10), (.high, 10)]), speech: ScriptedSpeech { _ in 0 })
    run.waitForWords()
    run.play(.seconds(45))
    #expect(!run.coach.isRunning)
    let ends = run.cues.filter { $0.kind == "set-completion" }
    #expect(ends.map { $0.parts.compactMap(\.onset).count } == [3, 3])
    #expect(run.cues.first { $0.kind == "finish" }?.outcome == .dropped)
  }

  @Test func anAnswerThatIsRenderedLateLeavesAnotherLanesNumbersAlone() throws {
    let run = try TestRun([
      ("anna", .sets(1, [(.high, 20)])), ("ben", .sets(2, [(.high, 60)])),
    ])
    run.waitForWords()
    run.play(.milliseconds(13_900), lanes: 2)
    run.send(.whereAmI, lane: 1, then: .seconds(12))
    let count = try #require(run.cues.first { $0.lane == "anna" && $0.kind == "set-completion" })
    let numbers = count.parts.filter { ["3", "2", "1", "0"].contains($0.text) }
    #expect(numbers.count == 4 && numbers.allSatisfy { $0.onset != nil })
    #expect(count.reason?.contains("beeps") != true)
    #expect(run.cues.first { $0.kind == "where-am-i" }?.onset != nil)
    expectNoOverlap(run)
  }
}
