import CueSound
import CueTesting
import IntervalTimeline
import Testing

@testable import CueEngine

/// What is said when there is no room for everything.
struct AnnouncerTests {
  private func phase(
    _ kind: PhaseKind, _ seconds: Int, _ remarks: [(Int, Template)] = []
  ) -> Block.Step {
    .init(
      Phase(
        kind, .fixed(.seconds(seconds)),
        remarks: remarks.map { Remark($0.1, at: .fromStart(.seconds($0.0))) }))
  }

  private func workout(sets: Int? = nil, _ steps: [Block.Step]) -> Workout {
    Workout(name: "Test", blocks: [Block(sets: sets, steps: steps)])
  }

  private typealias Words = (range: Range<Int64>, text: String)

  /// Every word that was heard: when it began and was over.
  private func words(_ run: TestRun) -> [Words] {
    let sounds = ["transition", "countdown", "signal"]
    var words: [Words] = []
    // A number may be a beep.
    for cue in run.cues
    where !sounds.contains(cue.kind) && cue.reason?.contains("beeps") != true {
      for part in cue.parts where part.onset != nil {
        let whole = Int64(run.length(part.text)) * 1_000_000
        // Spoken faster: at most a quarter.
        let length = cue.reason?.contains("faster") == true ? whole * 4 / 5 : whole
        words.append((part.due.nanoseconds..<(part.due.nanoseconds + length), part.text))
      }
    }
    return words.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private func expectNoOverlap(_ run: TestRun) {
    let words = words(run)
    #expect(!words.isEmpty)
    for (first, second) in zip(words, words.dropFirst()) {
      #expect(
        first.range.upperBound <= second.range.lowerBound,
        "\(first.text) and \(second.text) at \(second.range.lowerBound)")
    }
  }

  @Test func theWorkoutsOwnTextComesBeforeNextAndHalfway() throws {
    let run = try TestRun(
      workout([phase(.rest, 60, [(2, "Drink something"), (30, "Breathe")]), phase(.high, 20)]))
    run.send(.start)
    run.run(.seconds(40))
    let said = run.trace.filter { !$0.contains("transition") && !$0.contains("countdown") }
    #expect(
      said == [
        "2.000 text \"Drink something\" played",
        "3.000 next \"Next: High, 20 seconds\" played", "29.480 halfway \"Halfway\" played",
        "30.000 text \"Breathe\" played",
      ])
    #expect(run.cues.first { $0.kind == "next" }?.reason == "1.0 s later")
    expectNoOverlap(run)
  }

  @Test func aTextGivesWayToTheWordsBeforeACount() throws {
    let run = try TestRun(
      workout(sets: 2, [phase(.high, 20, [(15, "Only a few seconds more now")])]))
    run.send(.start)
    run.run(.seconds(21))
    let text = try #require(run.cues.first { $0.kind == "text" })
    #expect(text.outcome == .played)
    #expect(text.reason?.hasSuffix("s earlier") == true)
    let count = try #require(run.cues.first { $0.kind == "set-completion" })
    #expect(count.outcome == .played)
    expectNoOverlap(run)
  }

  @Test func twoLanesNeverTalkOverEachOther() throws {
    for offset in stride(from: 0, to: 3_000, by: 170) {
      let run = try TestRun(
        [
          ("anna", .sets(3, [(.rest, 12), (.high, 9)])),
          ("ben", .sets(3, [(.rest, 11), (.high, 10)])),
        ], sounds: Self.silence)
      run.send(.start, lane: 0)
      run.run(.milliseconds(offset), every: .milliseconds(85))
      run.send(.start, lane: 1)
      run.run(.seconds(70))
      // Every word is as loud as every other: two at a time are louder.
      #expect(PCMClip(rate: 48_000, samples: run.output.samples).peak == 8_000)
      // A number that has no room is a beep: each set's end is counted by every lane.
      for lane in ["anna", "ben"] {
        let counts = run.cues.filter { $0.lane == lane && $0.kind == "set-completion" }
        #expect(counts.count == 3)
        for count in counts {
          let numbers = count.parts.filter { ["3", "2", "1"].contains($0.text) }
          #expect(numbers.count == 3 && numbers.allSatisfy { $0.onset != nil })
        }
      }
    }
  }

  private static let silence = SoundPack(
    replacing: Dictionary(
      uniqueKeysWithValues: SoundMeaning.allCases.map {
        ($0, PCMClip(rate: 48_000, samples: [0]))
      }))

  @Test func textsOfAPhaseKeepTheirOrder() throws {
    // The second has no room where it is due, nor before the first where there would be.
    let run = try TestRun(
      workout(
        sets: 1,
        [phase(.high, 20, [(13, "First, and no short one"), (14, "Second one of them")])]))
    run.send(.start)
    run.run(.seconds(22))
    let texts = run.cues.filter { $0.kind == "text" }
    let first = try #require(texts.first { $0.text.hasPrefix("First") })
    let second = try #require(texts.first { $0.text.hasPrefix("Second") })
    #expect(first.outcome == .played)
    #expect(second.outcome == .dropped || second.due > first.due)
  }

  @Test func aTextLongerThanItsPhaseSaysSo() throws {
    let run = try TestRun(
      workout([
        phase(
          .high, 5,
          [
            (
              1,
              "A text that takes much more than five seconds, like this one, which goes on and on and has still not come to its end"
            )
          ])
      ]))
    run.send(.start)
    run.run(.seconds(7))
    let text = try #require(run.cues.first { $0.kind == "text" })
    #expect(text.outcome == .dropped)
    #expect(text.reason == "longer than the time there is for it")
  }

  @Test func wordsBeforeACountTellTheTimeAtWhichTheyAreHeard() throws {
    var manner = LaneManner()
    manner.phrases.phrases[.setCompletion] = Phrase(["{remaining} to the end"])
    let run = try TestRun(.sets(2, [(.high, 20)]), manner: manner)
    run.send(.start)
    run.run(.seconds(21))
    let count = try #require(run.cues.first { $0.kind == "set-completion" })
    let leadIn = try #require(count.parts.first)
    #expect(leadIn.text == "5 seconds to the end")
    #expect(run.seconds(leadIn.due) == "15.650")
  }

  @Test(arguments: [(0, [true, true, true]), (60, [false, true, true])])
  func aNumberThatAnswersACommandIsOnItsSecondOrNotAtAll(late: Int, heard: [Bool]) throws {
    let run = try TestRun(.sets(1, [(.high, 20)]))
    run.send(.start)
    run.run(.seconds(5))
    run.send(.pause)
    run.run(.seconds(2))
    run.send(.resume)
    // "3" is due after 11 980 ms more; the person skips to there by pausing just before it.
    run.run(.milliseconds(11_980))
    run.send(.pause)
    run.run(.seconds(2))
    // What the output has queued cannot be changed any more.
    run.output.advance(to: run.clock.now + .milliseconds(20 + late))
    run.send(.resume)
    run.clock.advance(by: .milliseconds(20 + late))
    run.run(.seconds(6))
    let count = try #require(run.cues.last { $0.kind == "set-completion" })
    let numbers = count.parts.filter { ["3", "2", "1"].contains($0.text) }
    let places = zip(numbers, heard).map { $1 ? $0.due : nil }
    #expect(numbers.map(\.onset) == places)
  }

  @Test func aLaneSaysItsNameAndAloneHasNone() throws {
    let one = try TestRun(.sets(1, [(.high, 20)]))
    let two = try TestRun([
      ("anna", .sets(1, [(.high, 20)])), ("ben", .sets(1, [(.high, 20)])),
    ])
    for run in [one, two] {
      run.send(.start)
      run.run(.seconds(5))
      run.send(.sayName)
      run.run(.seconds(2))
    }
    let name = try #require(two.cues.first { $0.kind == "lane-name" })
    #expect((name.text, name.outcome) == ("anna", .played))
    #expect(one.cues.first { $0.kind == "lane-name" }?.outcome == .dropped)
  }

  @Test func aTextThatIsTooLongWithItsLanesNameIsSaidWithoutIt() throws {
    let steps = [phase(.high, 20, [(5, "Shoulders down now")])]
    let run = try TestRun(
      [("anna", workout(steps)), ("ben", workout(steps))],
      speech: ScriptedSpeech { $0.count > 20 ? 0 : $0.count * 60 })
    run.send(.start)
    run.run(.seconds(9))
    #expect(run.cues.first { $0.kind == "text" }?.text == "Shoulders down now")
  }

  @Test func whatWasMissedIsNamedWithItsWords() throws {
    var manner = LaneManner()
    manner.density = .full
    let run = try TestRun(.sets(1, [(.low, 190)]), manner: manner)
    run.send(.start)
    run.run(.seconds(5))
    run.stall(.seconds(20))
    let missed = try #require(run.cues.first { $0.kind == "time-left" })
    #expect((missed.text, missed.outcome) == ("3 minutes left", .missed))
  }

  @Test(arguments: [300, 1_700, 4_400, 6_100, 7_300, 8_600, 9_500, 10_900, 11_800])
  func whereAmIIsAlwaysAnsweredWithTheSet(asked: Int) throws {
    let run = try TestRun(.sets(3, [(.high, 12)]))
    run.send(.start)
    run.run(.milliseconds(12_000 + asked))
    run.send(.whereAmI)
    run.run(.seconds(30))
    let answer = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(answer.onset != nil)
    #expect(answer.text.hasPrefix(answer.set == 2 ? "Set 2 of 3, High" : "Set 3 of 3, High"))
    #expect(run.cues.filter { $0.kind == "set-completion" }.allSatisfy { $0.parts.count >= 4 })
    expectNoOverlap(run)
  }

  @Test func anAnswerComesBeforeATextThatHasNotBegun() throws {
    let run = try TestRun(
      workout(sets: 2, [phase(.high, 40, [(10, "Keep your elbows close to your body")])]))
    run.send(.start)
    run.run(.milliseconds(9_300))
    run.send(.whereAmI)
    run.run(.seconds(12))
    let answer = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(run.seconds(answer.due) == "9.450")
    let text = try #require(run.cues.first { $0.kind == "text" })
    #expect(text.outcome == .played)
    #expect(text.due > answer.due)
    expectNoOverlap(run)
  }

  @Test func aNumberComesBeforeWhatLeadsUpToAnothersCount() throws {
    let run = try TestRun([
      ("anna", .sets(1, [(.high, 20)])), ("ben", .sets(1, [(.high, 24)])),
    ])
    run.send(.start, lane: 0)
    run.send(.start, lane: 1)
    run.run(.milliseconds(1_000))
    run.send(.pause, lane: 0)
    run.run(.milliseconds(2_200))
    // Anna's numbers now lie where ben's lead-in has been placed.
    run.send(.resume, lane: 0)
    run.run(.seconds(26))
    let anna = try #require(run.cues.first { $0.lane == "anna" && $0.kind == "set-completion" })
    #expect(anna.reason?.contains("beeps") != true)
    expectNoOverlap(run)
  }

  @Test func aTextThatIsCutOffByAPauseIsSaidAgain() throws {
    let run = try TestRun(workout([phase(.high, 30, [(10, "Keep your elbows close")])]))
    run.send(.start)
    run.run(.milliseconds(10_200))
    run.send(.pause)
    run.run(.seconds(3))
    run.send(.resume)
    run.run(.seconds(6))
    let texts = run.cues.filter { $0.kind == "text" }
    #expect(texts.map(\.outcome) == [.withdrawn, .played])
  }

  @Test func wordsThatWaitForTheirRenderingAreOwedAfterAPause() throws {
    let run = try TestRun(workout([phase(.high, 30, [(10, "Keep your elbows close")])]))
    run.waitForWords()
    run.send(.start)
    // A single check, so that what it asks for is still to be rendered.
    run.clock.advance(by: .milliseconds(9_700))
    run.output.advance(to: run.clock.now)
    run.coach.check(at: run.clock.now)
    run.send(.pause)
    run.run(.seconds(3))
    run.send(.resume)
    run.run(.seconds(6))
    let texts = run.cues.filter { $0.kind == "text" }
    #expect(texts.last?.outcome == .played)
    #expect(texts.dropLast().allSatisfy { $0.outcome == .withdrawn })
  }

  @Test func aPhraseWhoseVariableHasNoValueSaysSo() throws {
    var manner = LaneManner()
    manner.phrases.phrases[.halfway] = Phrase(["Half of set {set}"])
    let run = try TestRun(
      workout([phase(.high, 60, [(10, "Do {reps}")])]), manner: manner)
    run.send(.start)
    run.run(.seconds(40))
    let said = run.cues.filter { ["text", "halfway"].contains($0.kind) }
    #expect(said.map(\.text) == ["Do {reps}", "Half of set {set}"])
    #expect(said.allSatisfy { $0.reason == "what stands in braces has no value here" })
  }

  @Test func aNumberWithoutRoomIsABeep() throws {
    // Words so long that ben's numbers, half a second behind anna's, have none.
    let run = try TestRun(
      [("anna", .sets(1, [(.high, 9)])), ("ben", .sets(1, [(.high, 9)]))],
      speech: ScriptedSpeech { $0.count == 1 ? 700 : 1_000 })
    run.send(.start, lane: 0)
    run.run(.milliseconds(500))
    run.send(.start, lane: 1)
    run.run(.seconds(12))
    let ben = try #require(run.cues.first { $0.lane == "ben" && $0.kind == "set-completion" })
    #expect(ben.outcome == .shortened)
    #expect(ben.parts.map(\.text) == ["3", "2", "1"])
    #expect(ben.parts.allSatisfy { $0.onset != nil })
  }

  @Test func theSameCountOfTwoLanesIsSaidByOneAndBeepedForTheOther() throws {
    let run = try TestRun([
      ("anna", .sets(1, [(.high, 9)])), ("ben", .sets(1, [(.high, 9)])),
    ])
    run.send(.start, lane: 0)
    run.send(.start, lane: 1)
    run.run(.seconds(12))
    let ben = try #require(run.cues.first { $0.lane == "ben" && $0.kind == "set-completion" })
    #expect(ben.reason == "another workout says the same count, beeps instead of numbers")
    #expect(ben.parts.map(\.text) == ["3", "2", "1"])
    let anna = try #require(run.cues.first { $0.lane == "anna" && $0.kind == "set-completion" })
    #expect(anna.outcome == .played)
    expectNoOverlap(run)
  }

  @Test func whereAmITellsTheMomentAtWhichItIsHeard() throws {
    let run = try TestRun(.sets(8, [(.low, 30), (.high, 20)]))
    run.send(.start)
    run.run(.milliseconds(18_400))
    run.send(.whereAmI)
    run.run(.seconds(6))
    let cue = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(cue.text == "Set 1 of 8, Low, 12 seconds left, next: High")
    #expect(run.seconds(cue.due) == "18.550")
  }

  @Test func whereAmIJustBeforeABoundaryTellsOfThePhaseThatBegins() throws {
    let run = try TestRun(.sets(8, [(.low, 30), (.high, 20)]))
    run.send(.start)
    run.run(.milliseconds(29_400))
    run.send(.whereAmI)
    run.run(.seconds(6))
    let cue = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(cue.text == "Set 1 of 8, High, 20 seconds left, next: Low")
    #expect(cue.due > run.begin + .seconds(30))
  }

  @Test func commandsAreAnsweredWithWhatIsTrueThen() throws {
    var manner = LaneManner()
    manner.acknowledged = Set(Acknowledgement.allCases)
    let run = try TestRun(.sets(8, [(.low, 30), (.high, 20)]), manner: manner)
    run.send(.start)
    run.run(.milliseconds(18_300))
    run.send(.pause)
    run.run(.seconds(10))
    run.send(.resume)
    run.run(.seconds(6))
    run.send(.next)
    run.run(.seconds(4))
    run.send(.back)
    run.run(.seconds(5))
    let answers = run.cues.filter { ["signal", "acknowledgement"].contains($0.kind) }
    #expect(
      answers.map(\.text) == [
        "pause", "Paused, 12 seconds left", "resume",
        "Resuming: set 1 of 8, Low, 12 seconds left", "Set 1 of 8, High",
        "Back to set 1 of 8, High",
      ])
    #expect(answers.allSatisfy { $0.outcome == .played })
    expectNoOverlap(run)
  }

  @Test func aCountThatAnotherLaneSaysTooIsNotLostWhenThatOnePauses() throws {
    let run = try TestRun([
      ("anna", .sets(1, [(.high, 9)])), ("ben", .sets(1, [(.high, 9)])),
    ])
    run.send(.start, lane: 0)
    run.send(.start, lane: 1)
    run.run(.milliseconds(5_200))
    run.send(.pause, lane: 0)
    run.run(.seconds(7))
    let ben = try #require(run.cues.last { $0.lane == "ben" && $0.kind == "set-completion" })
    #expect(ben.parts.compactMap(\.onset).count == 4)
    #expect(ben.reason?.contains("beeps") == false)
  }

  @Test func wordsThatWereMovedAreSaidOnceAlsoThroughAPause() throws {
    // "Breathe" is due at 30 s, so that "Halfway" is said before it.
    let workout = workout([phase(.low, 60, [(30, "Breathe")])])
    let early = try TestRun(workout)
    early.send(.start)
    early.run(.milliseconds(29_950))
    early.send(.pause)
    early.run(.seconds(2))
    early.send(.resume)
    early.run(.seconds(5))
    let halfway = early.cues.filter { $0.kind == "halfway" && $0.onset != nil }
    #expect(halfway.count == 1)

    // "Next" waits for "Drink something", and is owed after a pause.
    let rest = self.workout([phase(.rest, 30, [(2, "Drink something")]), phase(.high, 20)])
    let late = try TestRun(rest)
    late.send(.start)
    late.run(.milliseconds(2_500))
    late.send(.pause)
    late.run(.seconds(2))
    late.send(.resume)
    late.run(.seconds(5))
    let next = late.cues.filter { $0.kind == "next" }
    #expect(next.map(\.outcome) == [.withdrawn, .played])
    let text = late.cues.filter { $0.kind == "text" }
    #expect(!text.contains { $0.outcome == .missed })
  }

  @Test func aSetsEndThatMayNotBeAnnouncedAgainIsBeeped() throws {
    let run = try TestRun(.sets(4, [(.high, 8)]))
    run.send(.start)
    run.run(.milliseconds(7_788))
    run.send(.back)
    run.run(.seconds(9))
    let end = run.begin + .milliseconds(15_788)
    let last = run.cues.filter { $0.due > end - .seconds(4) && $0.due <= end && $0.onset != nil }
    #expect(last.filter { $0.kind == "countdown" }.map(\.text) == ["3", "2", "1"])
    #expect(last.contains { $0.kind == "set-end" })
  }

  @Test func nobodyIsHeldUpByWordsAndTheyComeAsSoonAsTheyAreThere() throws {
    let held = try TestRun(.sets(2, [(.low, 10), (.high, 10)]))
    let free = try TestRun(.sets(2, [(.low, 10), (.high, 10)]))
    free.waitForWords()
    for run in [held, free] {
      run.send(.start)
      run.run(.seconds(12))
      run.send(.whereAmI)
      run.run(.seconds(32))
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
    run.send(.start)
    run.run(.seconds(45))
    #expect(!run.coach.isRunning)
    let ends = run.cues.filter { $0.kind == "set-completion" }
    #expect(ends.map { $0.parts.compactMap(\.onset).count } == [3, 3])
    #expect(run.cues.first { $0.kind == "finish" }?.outcome == .dropped)
  }

  @Test func quietStaysQuietAfterAStall() throws {
    var manner = LaneManner()
    manner.density = .quiet
    let run = try TestRun(.sets(3, [(.low, 20), (.high, 20)]), manner: manner)
    run.send(.start)
    run.run(.seconds(10))
    run.stall(.seconds(45))
    run.run(.seconds(5))
    #expect(!run.cues.contains { $0.kind == "position" })
  }

  @Test(arguments: 1...5) func aCountMayHaveAnyLength(_ numbers: Int) throws {
    var settings = CueEngine.Settings()
    settings.plan.countdown = numbers
    let run = try TestRun([("anna", .sets(1, [(.high, 20)]))], settings: settings)
    run.send(.start)
    run.run(.seconds(22))
    let count = try #require(run.cues.first { $0.kind == "set-completion" })
    #expect(count.outcome == .played)
    let seconds = (0...numbers).reversed().map { "\($0)@\(20 - $0).000" }
    #expect(count.parts.dropFirst().map { "\($0.text)@\(run.seconds($0.due))" } == seconds)
    expectNoOverlap(run)
  }

  @Test func anAnswerLeavesTheCountItsRoom() throws {
    var manner = LaneManner()
    manner.acknowledged = [.resume]
    let run = try TestRun(.sets(2, [(.high, 20)]), manner: manner)
    run.send(.start)
    run.run(.milliseconds(14_600))
    run.send(.pause)
    run.run(.seconds(2))
    run.send(.resume)
    run.run(.seconds(6))
    let count = try #require(run.cues.last { $0.kind == "set-completion" })
    #expect(
      count.parts.suffix(4).map { run.seconds($0.due) } == ["19.000", "20.000", "21.000", "22.000"])
    #expect(count.parts.suffix(4).allSatisfy { $0.onset != nil })
    #expect(count.reason?.contains("beeps") != true)
    expectNoOverlap(run)
  }

  private static let densities: [(Density, Set<String>)] = [
    (.quiet, ["transition", "countdown", "set-end"]),
    (.counts, ["transition", "countdown", "set-completion"]),
    (.normal, ["transition", "countdown", "set-completion", "next", "halfway", "finish"]),
    (
      .full,
      [
        "transition", "countdown", "set-completion", "next", "halfway", "finish", "time-left",
        "elapsed",
      ]
    ),
  ]

  @Test(arguments: densities)
  func densitySaysWhatIsSaid(density: Density, kinds: Set<String>) throws {
    var manner = LaneManner()
    manner.density = density
    let run = try TestRun(.sets(2, [(.low, 130), (.rest, 20), (.high, 30)]), manner: manner)
    run.output.keepsSamples = false
    run.send(.start)
    run.run(.seconds(365))
    #expect(Set(run.cues.map(\.kind)) == kinds)
    #expect(run.cues.allSatisfy { $0.outcome == .played })
  }

  @Test func oneKindOfPhaseMayHaveADensityOfItsOwn() throws {
    var manner = LaneManner()
    manner.densities = [.rest: .quiet]
    let run = try TestRun(.sets(2, [(.rest, 50), (.low, 50)]), manner: manner)
    run.output.keepsSamples = false
    run.send(.start)
    run.run(.seconds(200))
    let halfways = run.cues.filter { $0.kind == "halfway" }
    #expect(halfways.map { run.seconds($0.due) } == ["75.000", "175.000"])
    #expect(!run.cues.contains { $0.kind == "next" })
  }

  @Test func timesAreThoseOfTheInstantAtWhichTheyAreHeard() throws {
    var manner = LaneManner()
    manner.density = .full
    let run = try TestRun(.sets(2, [(.low, 190)]), manner: manner)
    run.output.keepsSamples = false
    run.send(.start)
    run.run(.seconds(200))
    let times = run.cues.filter { ["time-left", "elapsed"].contains($0.kind) }
    #expect(
      times.map { "\(run.seconds($0.due)) \($0.text)" } == [
        "10.000 3 minutes left", "70.000 2 minutes left", "130.000 1 minute left",
        "191.200 3 minutes 11 seconds done",
      ])
  }

  @Test func aPlannedRunDecidesAsARunDoes() throws {
    let workout = workout(
      sets: 2,
      [phase(.rest, 20, [(2, "Drink something")]), phase(.high, 8, [(4, "Hold it there")])])
    let run = try TestRun(workout)
    run.send(.start)
    run.run(.seconds(62))
    let planned = PlannedRun(
      try Timeline(workout), sounds: SoundPack(),
      speech: SpeechLibrary(ScriptedSpeech(), converter: NoConversion()))
    var cues: [LedgerEvent.CueEntry] = []
    while let next = planned.next() { cues += next }
    func text(_ cues: [LedgerEvent.CueEntry], from begin: BootInstant) -> [String] {
      cues.map { cue in
        let milliseconds = begin.duration(to: cue.due).wholeMilliseconds
        return "\(milliseconds) \(cue.kind) \(cue.text) \(cue.outcome) \(cue.reason ?? "")"
      }.sorted()
    }
    #expect(text(cues, from: BootInstant(nanoseconds: 0)) == text(run.cues, from: run.begin))
  }
}
