import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// Keys pressed during the announcements of other lanes: each answer is heard in time, or the
/// ledger has the reason.
struct BusySpeakerTests: AnnouncementChecks {
  private static let names = ["anna", "ben", "cleo"]

  /// Lanes at full density; each starts some milliseconds after the previous one.
  private func lanes(
    _ count: Int, apart: Int, _ phases: [(PhaseKind, Int)] = [(.low, 12), (.high, 9)],
    countdown: Int? = nil
  ) throws -> TestRun {
    let run = try TestRun(
      Self.names.prefix(count).map { ($0, .sets(99, phases)) },
      style: LaneStyle(
        density: .full, countdown: countdown, acknowledged: Set(Acknowledgement.allCases)))
    for lane in 0..<count {
      run.send(.start, lane: lane)
      run.run(.milliseconds(apart), every: .milliseconds(97))
    }
    return run
  }

  // MARK: The question whether to stop

  /// When, according to the engine, the question will have been heard.
  private func askedUntil(_ run: TestRun) -> BootInstant? {
    run.events.reversed().lazy
      .compactMap { if case .asked(let until) = $0 { until } else { nil } }.first
  }

  /// Two or three counts follow each other, and a press anywhere in a set of 21 s.
  @Test(arguments: [(2, 300), (2, 2_900), (3, 1_300)])
  func aStopIsAlwaysAskedForAloud(crowd: (count: Int, apart: Int)) throws {
    for press in stride(from: 0, to: 21_000, by: 2_110) {
      let run = try lanes(crowd.count, apart: crowd.apart)
      run.waitForWords()
      run.run(.milliseconds(21_000 + press), every: .milliseconds(490))
      run.send(.askStop, lane: 1)
      run.run(.seconds(16), every: .milliseconds(250))
      let question = try #require(run.cues.first { $0.kind == "stop-question" })
      #expect(question.onset == question.due, "\(press): \(question.reason ?? "")")
      let length = run.length(question.text)
      #expect(askedUntil(run) == question.due + .milliseconds(length))
      // No lane loses a number to it.
      let counts = run.cues.filter { $0.kind == "set-completion" && $0.reason != nil }
      #expect(!counts.contains { $0.reason?.contains("beeps") == true && !isShared($0) })
      expectNoOverlap(run)
    }
  }

  private func isShared(_ cue: LedgerEvent.CueEntry) -> Bool {
    cue.reason?.contains("another workout says the same count") == true
  }

  /// Three lanes count from ten in turn, so there is never room for a question.
  @Test(arguments: [0, 1_730, 3_460, 5_190, 6_920, 8_650, 10_380])
  func aStopIsAskedForWhereNumbersNeverEnd(press: Int) throws {
    let run = try lanes(3, apart: 4_100, [(.work, 12)], countdown: 10)
    run.run(.milliseconds(24_000 + press), every: .milliseconds(490))
    let asked = run.clock.now
    run.send(.askStop, then: .seconds(30))
    let question = try #require(run.cues.first { $0.kind == "stop-question" })
    #expect(question.onset == question.due)
    #expect(asked.duration(to: question.due) < .seconds(14))
    // A number is replaced by a beep on its second.
    #expect(run.cues.contains { $0.reason?.contains("beeps instead of numbers") == true })
    expectNoOverlap(run)
  }

  /// Anna counts, so Ben's question has to wait.
  private func waitingQuestion(renders: Bool = true) throws -> TestRun {
    let run = try lanes(2, apart: 8_000)
    if !renders { run.waitForWords() }
    // Anna's 3 is due at 18 s.
    run.run(.milliseconds(17_500 - 16_000), every: .milliseconds(100))
    run.send(.askStop, lane: 1)
    return run
  }

  @Test(arguments: [true, false])
  func aQuestionThatAnotherKeyAnsweredIsNotHeard(renders: Bool) throws {
    let run = try waitingQuestion(renders: renders)
    run.run(.milliseconds(renders ? 100 : 0), every: .milliseconds(100))
    run.coach.withPerformer { $0.withdrawQuestion(at: run.clock.now) }
    run.run(.seconds(9))
    let questions = run.cues.filter { $0.kind == "stop-question" }
    #expect(questions.map(\.outcome) == [.withdrawn])
    #expect(questions.first?.onset == nil)
    let count = try #require(run.cues.first { $0.lane == "anna" && $0.kind == "set-completion" })
    #expect(count.parts.suffix(4).map(\.text) == ["3", "2", "1", "0"])
    #expect(count.parts.allSatisfy { $0.onset != nil })
  }

  @Test func aQuestionThatHasBegunIsHeardToItsEnd() throws {
    let run = try waitingQuestion()
    let until = try #require(askedUntil(run))
    run.run(run.clock.now.duration(to: until) - .milliseconds(600), every: .milliseconds(100))
    run.coach.withPerformer { $0.withdrawQuestion(at: run.clock.now) }
    run.run(.seconds(3))
    #expect(run.cues.first { $0.kind == "stop-question" }?.outcome == .played)
  }

  // MARK: Other answers

  private static let answers = ["where-am-i", "acknowledgement", "position", "lane-name"]

  /// Each key at many times of a set: the ledger has one line for each press, heard within 3 s or
  /// worded for a later moment, or with the reason why not.
  @Test(arguments: [(2, 2_900), (3, 1_300), (3, 3_700)])
  func everyAnswerIsHeardInTimeOrAccountedFor(crowd: (count: Int, apart: Int)) throws {
    let keys: [Command] = [.whereAmI, .pause, .resume, .sayName, .next, .back]
    let run = try lanes(crowd.count, apart: crowd.apart)
    var inTime = 0
    for press in 0..<48 {
      run.run(.milliseconds(11_000 + press * 1_610 % 5_000), every: .milliseconds(490))
      let lane = press / keys.count % crowd.count
      let asked = run.clock.now
      let known = run.cues.count
      run.send(keys[press % keys.count], lane: lane)
      run.run(.seconds(14), every: .milliseconds(490))
      let found = run.cues.dropFirst(known).filter {
        $0.lane == Self.names[lane] && Self.answers.contains($0.kind)
      }
      let answer = try #require(found.first)
      #expect(found.count == 1)
      let late = asked.duration(to: answer.due)
      if answer.onset == nil {
        #expect(answer.outcome == .dropped && answer.reason?.isEmpty == false)
      } else if late > .seconds(3) {
        #expect(["where-am-i", "position"].contains(answer.kind) && late <= .seconds(10))
        #expect(answer.reason?.contains("after it was asked for") == true)
      } else {
        inTime += 1
      }
    }
    // Nearly all of them: announcements of other lanes last for seconds.
    #expect(inTime >= 40)
  }

  /// Keys pressed faster than their answers can be said.
  @Test(arguments: [2, 3], [90, 730])
  func manyQuickKeysAreAllAccountedFor(count: Int, apart: Int) throws {
    let run = try lanes(count, apart: 1_300)
    run.waitForWords()
    run.run(.seconds(14))
    let keys: [Command] = [
      .whereAmI, .pause, .whereAmI, .resume, .next, .whereAmI, .back, .sayName,
    ]
    var asked = Array(repeating: 0, count: count)
    for press in 0..<80 {
      let lane = press * 7 % count
      run.send(keys[press % keys.count], lane: lane)
      asked[lane] += 1
      run.run(.milliseconds(apart), every: .milliseconds(30))
    }
    run.run(.seconds(14))
    for lane in 0..<count {
      let lines = run.cues.filter {
        $0.lane == Self.names[lane] && Self.answers.contains($0.kind)
      }
      // Pausing a paused workout has no effect, and no answer.
      let obeyed = run.ledger.count {
        if case .command(_, Self.names[lane], _) = $0 { true } else { false }
      }
      #expect(lines.count == obeyed)
      #expect(lines.allSatisfy { $0.onset != nil || $0.reason != nil || $0.outcome == .withdrawn })
    }
  }
}
