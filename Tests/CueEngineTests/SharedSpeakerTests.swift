import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// Several lanes on one speaker: names of counts, and answers in time.
struct SharedSpeakerTests: AnnouncementChecks {
  private static let names = ["anna", "ben", "cleo", "dora"]

  /// `count` lanes; each starts some milliseconds after the previous one.
  private func lanes(
    _ count: Int, apart: Int, _ phases: [(PhaseKind, Int)] = [(.low, 12), (.high, 9)],
    style: LaneStyle = LaneStyle(), speech: ScriptedSpeech = ScriptedSpeech()
  ) throws -> TestRun {
    let run = try TestRun(
      Self.names.prefix(count).map { ($0, .sets(3, phases)) }, speech: speech, style: style)
    for lane in 0..<count {
      run.send(.start, lane: lane)
      if lane + 1 < count { run.run(.milliseconds(apart), every: .milliseconds(97)) }
    }
    return run
  }

  private var answering: LaneStyle {
    LaneStyle(acknowledged: Set(Acknowledgement.allCases))
  }

  private func isShared(_ cue: LedgerEvent.CueEntry) -> Bool {
    cue.reason?.contains("another workout says the same count") == true
  }

  @Test(arguments: [2, 3, 4], [170, 300, 530, 700, 910, 1_300, 2_100, 3_400])
  func everyCountIsNamed(count: Int, apart: Int) throws {
    let run = try lanes(count, apart: apart)
    run.run(.seconds(80))
    let counts = run.cues.filter { $0.kind == "set-completion" }
    #expect(counts.count == count * 3)
    for count in counts where !isShared(count) {
      #expect(count.text.hasPrefix(count.lane), "\(count.text) of \(count.lane)")
      #expect(count.parts.first?.text.hasPrefix(count.lane) == true)
      #expect(count.parts.first?.onset != nil)
    }
    expectNoOverlap(run)
  }

  @Test(arguments: [300, 700, 1_300]) func aNameCostsNoNumber(apart: Int) throws {
    let run = try lanes(3, apart: apart)
    run.run(.seconds(80))
    for count in run.cues where count.kind == "set-completion" {
      let numbers = count.parts.suffix(4)
      let last = try #require(numbers.last)
      #expect(numbers.map(\.text) == ["3", "2", "1", "0"])
      #expect(numbers.allSatisfy { $0.onset == $0.due })
      #expect(
        numbers.map { $0.due.duration(to: last.due) } == [3, 2, 1, 0].map { .seconds($0) })
    }
  }

  @Test func aCountThatFillsItsPhaseIsNamedBeforeIt() throws {
    let run = try lanes(2, apart: 1_500, [(.low, 9), (.high, 3)])
    run.run(.seconds(50))
    let counts = run.cues.filter { $0.kind == "set-completion" }
    #expect(counts.count == 6)
    #expect(counts.allSatisfy { $0.text == "\($0.lane) 3, 2, 1, 0" })
    expectNoOverlap(run)
  }

  @Test func aloneACountHasNoName() throws {
    let run = try TestRun(.sets(2, [(.high, 3)]))
    run.play(.seconds(8))
    let counts = run.cues.filter { $0.kind == "set-completion" }
    #expect(counts.map(\.text) == ["3, 2, 1, 0", "3, 2, 1, 0"])
  }

  @Test(arguments: [2, 3, 4], [0, 400, 1_700, 2_900])
  func everyLaneAnswersAtOnceWhenAllResume(count: Int, apart: Int) throws {
    let run = try lanes(count, apart: apart, [(.low, 40), (.high, 40)], style: answering)
    run.run(.seconds(21))
    run.coach.handle(.pause, lanes: run.lanes, at: run.clock.now)
    run.run(.seconds(9))
    let begin = run.clock.now
    run.coach.handle(.resume, lanes: run.lanes, at: begin)
    run.run(.seconds(30))
    expectAnswers(run, of: count, since: begin)
  }

  /// Every lane has answered since: within 3 s, or with its position at that moment.
  private func expectAnswers(_ run: TestRun, of count: Int, since begin: BootInstant) {
    let answers = run.cues.filter {
      ["acknowledgement", "position"].contains($0.kind) && $0.due >= begin
    }
    #expect(answers.map(\.lane).sorted() == Array(Self.names.prefix(count)))
    for answer in answers {
      #expect(answer.onset != nil, "\(answer.lane): \(answer.reason ?? "")")
      let late = begin.duration(to: answer.due)
      if answer.kind == "acknowledgement" {
        #expect(late <= .seconds(3), "\(answer.text)")
      } else {
        #expect(late <= .seconds(6), "\(answer.text)")
        #expect(answer.reason?.contains("after it was asked for") == true)
      }
    }
    expectNoOverlap(run, from: begin)
  }

  @Test func wordsThatAreRenderedLaterAreSharedOutToo() throws {
    let run = try lanes(4, apart: 0, [(.low, 40), (.high, 40)], style: answering)
    run.waitForWords()
    run.run(.seconds(21))
    run.coach.handle(.pause, lanes: run.lanes, at: run.clock.now)
    run.run(.seconds(9), every: .milliseconds(20))
    let begin = run.clock.now
    run.coach.handle(.resume, lanes: run.lanes, at: begin)
    run.run(.seconds(20), every: .milliseconds(20))
    expectAnswers(run, of: 4, since: begin)
  }

  /// An answer later than 3 s is worded for the moment when it is heard, and the ledger has the
  /// reason.
  private static let askedAt = (0..<18).map { 20_000 + $0 * 1_370 }

  @Test(arguments: askedAt)
  func whereAmIIsAnsweredWithinThreeSecondsOrForALaterMoment(asked: Int) throws {
    let run = try lanes(3, apart: 1_300)
    run.run(.milliseconds(asked), every: .milliseconds(490))
    let begin = run.clock.now
    run.send(.whereAmI, lane: 1, then: .seconds(25))
    let answer = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(answer.onset != nil)
    let late = begin.duration(to: answer.due)
    #expect(late <= .seconds(10), "\(answer.text)")
    if late > .seconds(3) { #expect(answer.reason?.contains("after it was asked for") == true) }
    expectNoOverlap(run)
  }

  @Test func anAnswerComesBeforeTheWordsThatLeadUpToAnothersCount() throws {
    let run = try TestRun([
      ("anna", .sets(1, [(.high, 20)])), ("ben", .sets(2, [(.high, 60)])),
    ])
    run.send(.start)
    run.send(.start, lane: 1)
    // Anna's lead-in would begin at 15.35 s.
    run.run(.milliseconds(14_800), every: .milliseconds(100))
    run.send(.whereAmI, lane: 1, then: .seconds(12))
    let answer = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(run.seconds(answer.due) == "14.950")
    let count = try #require(run.cues.first { $0.lane == "anna" && $0.kind == "set-completion" })
    #expect(count.text == "anna 3, 2, 1, 0")
    #expect(count.parts.suffix(4).map { run.seconds($0.due) }.first == "17.000")
    expectNoOverlap(run)
  }

  @Test func twoQuickQuestionsHaveOneAnswer() throws {
    let run = try TestRun(.sets(8, [(.low, 30), (.high, 20)]))
    run.play(.milliseconds(10_400))
    run.send(.whereAmI)
    run.run(.milliseconds(300), every: .milliseconds(100))
    run.send(.whereAmI, then: .seconds(8))
    run.send(.whereAmI, then: .seconds(6))
    let answers = run.cues.filter { $0.kind == "where-am-i" }
    #expect(answers.map(\.outcome) == [.duplicate, .played, .played])
    #expect(answers.first?.reason == "it is being answered")
  }

  @Test func aQuestionAfterAPauseHasAnAnswerOfItsOwn() throws {
    let run = try TestRun(.sets(8, [(.low, 30), (.high, 20)]))
    run.play(.milliseconds(10_400))
    run.send(.whereAmI)
    run.run(.milliseconds(300), every: .milliseconds(100))
    run.send(.pause)
    run.run(.milliseconds(300), every: .milliseconds(100))
    run.send(.whereAmI, then: .seconds(6))
    let answers = run.cues.filter { $0.kind == "where-am-i" }
    #expect(answers.map(\.outcome) == [.withdrawn, .played])
  }
}
