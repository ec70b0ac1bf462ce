import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// Announcements when there is too little room.
struct AnnouncementTests: AnnouncementChecks {
  @Test func theWorkoutsOwnTextComesBeforeNext() throws {
    let run = try TestRun(
      workout([phase(.rest, 60, [(2, "Drink something"), (30, "Breathe")]), phase(.high, 20)]))
    run.play(.seconds(40))
    let said = run.trace.filter { !$0.contains("transition") && !$0.contains("countdown") }
    #expect(
      said == [
        "2.000 text \"Drink something\" played",
        "3.000 next \"Next: High, 20 seconds\" played", "30.000 text \"Breathe\" played",
      ])
    #expect(run.cues.first { $0.kind == "next" }?.reason == "1.0 s later")
    expectNoOverlap(run)
  }

  @Test func aTextGivesWayToTheWordsBeforeACount() throws {
    let run = try TestRun(
      workout(sets: 2, [phase(.high, 20, [(15, "Only a few seconds more now")])]))
    run.play(.seconds(21))
    let text = try #require(run.cues.first { $0.kind == "text" })
    #expect(text.outcome == .played)
    #expect(text.reason?.hasSuffix("s earlier") == true)
    let count = try #require(run.cues.first { $0.kind == "set-completion" })
    #expect(count.outcome == .played)
    expectNoOverlap(run)
  }

  /// The answer takes the room of the words before the numbers, which have been laid out by then.
  @Test func aCountThatIsLaidOutAgainKeepsItsFirstInstantInTheLedger() throws {
    let run = try TestRun([
      ("anna", .sets(2, [(.high, 20)])), ("ben", workout([phase(.low, 60)])),
    ])
    run.play(.milliseconds(14_500), lanes: 2)
    run.send(.whereAmI, lane: 1, then: .seconds(7))
    let count = try #require(run.cues.first { $0.lane == "anna" && $0.kind == "set-completion" })
    let planned = try #require(count.planned)
    #expect(planned < count.due)
    #expect(count.reason?.hasSuffix("laid out again") == true)
    expectNoOverlap(run)
  }

  @Test func twoLanesNeverTalkOverEachOther() throws {
    for offset in stride(from: 0, to: 3_000, by: 170) {
      let run = try TestRun(
        [
          ("anna", .sets(3, [(.rest, 12), (.high, 9)])),
          ("ben", .sets(3, [(.rest, 11), (.high, 10)])),
        ], sounds: Self.silence)
      run.output.keepsSamples = true
      run.send(.start, lane: 0)
      run.run(.milliseconds(offset), every: .milliseconds(85))
      run.send(.start, lane: 1, then: .seconds(70))
      // All words are equally loud, so two at once would be louder.
      #expect(PCMClip(rate: 48_000, samples: run.output.samples).peak == 8_000)
      // A number that has no room is a beep: each set's end is counted by every lane.
      for lane in ["anna", "ben"] {
        let counts = run.cues.filter { $0.lane == lane && $0.kind == "set-completion" }
        #expect(counts.count == 3)
        // Those that are said once for both stand in the other line.
        #expect(counts.allSatisfy { $0.onset != nil })
        for count in counts where count.outcome != .merged {
          let numbers = count.parts.filter { ["3", "2", "1"].contains($0.text) }
          #expect(numbers.count == 3 && numbers.allSatisfy { $0.onset != nil })
        }
      }
    }
  }

  private static let silence = SoundPack(
    replacing: Dictionary(
      uniqueKeysWithValues: SoundRole.allCases.map {
        ($0, PCMClip(rate: 48_000, samples: [0]))
      }))

  @Test func textsOfAPhaseKeepTheirOrder() throws {
    // The second has no room where it is due, and must not be moved before the first.
    let run = try TestRun(
      workout(
        sets: 1,
        [phase(.high, 20, [(13, "First, and no short one"), (14, "Second one of them")])]))
    run.play(.seconds(22))
    let texts = run.cues.filter { $0.kind == "text" }
    let first = try #require(texts.first { $0.text.hasPrefix("First") })
    let second = try #require(texts.first { $0.text.hasPrefix("Second") })
    #expect(first.outcome == .played)
    #expect(second.outcome == .played)
    #expect(second.due >= first.due + .milliseconds(run.length(first.text)))
  }

  @Test func textsThatBecomeDueInOneCheckKeepTheirOrder() throws {
    // Ben's numbers, from 9 s on, leave room between them for the second text and none for the first.
    let run = try TestRun([
      ("anna", workout([phase(.high, 30, [(9, "Stretch"), (10, "Go")])])),
      ("ben", workout(sets: 2, [phase(.high, 12)])),
    ])
    run.play(.seconds(5), lanes: 2)
    run.stall(.seconds(2))
    run.run(.seconds(8))
    let texts = run.cues.filter { $0.kind == "text" }.sorted { $0.due < $1.due }
    #expect(texts.map(\.text) == ["anna: Stretch", "anna: Go"])
    #expect(texts.map(\.outcome) == [.played, .played])
    #expect(texts.map { run.seconds($0.due) } == ["12.160", "13.040"])
    expectNoOverlap(run)
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
    run.play(.seconds(7))
    let text = try #require(run.cues.first { $0.kind == "text" })
    #expect(text.outcome == .dropped)
    #expect(text.reason == "longer than the time there is for it")
  }

  @Test func wordsBeforeACountAreTrueWhenTheyAreHeard() throws {
    var style = LaneStyle()
    style.phrases.phrases[.setCompletion] = Phrase(["{remaining} to the end"])
    let run = try TestRun(.sets(2, [(.high, 20)]), style: style)
    run.play(.seconds(21))
    let count = try #require(run.cues.first { $0.kind == "set-completion" })
    let leadIn = try #require(count.parts.first)
    #expect(leadIn.text == "5 seconds to the end")
    #expect(run.seconds(leadIn.due) == "15.650")
  }

  @Test func aTextThatIsTooLongWithItsLanesNameIsSaidWithoutTheName() throws {
    let steps = [phase(.high, 20, [(5, "Shoulders down now")])]
    let run = try TestRun(
      [("anna", workout(steps)), ("ben", workout(steps))],
      speech: ScriptedSpeech { $0.count > 20 ? 0 : $0.count * 60 })
    run.play(.seconds(9))
    #expect(run.cues.first { $0.kind == "text" }?.text == "Shoulders down now")
  }

  @Test func whatWasMissedIsNamedWithItsWords() throws {
    let run = try TestRun(.sets(1, [(.low, 190)]), style: LaneStyle(density: .full))
    run.play(.seconds(5))
    run.stall(.seconds(20))
    let missed = try #require(run.cues.first { $0.kind == "time-left" })
    #expect((missed.text, missed.outcome) == ("3 minutes left", .missed))
  }

  @Test func aNumberComesBeforeWhatLeadsUpToAnothersCount() throws {
    let run = try TestRun([
      ("anna", .sets(1, [(.high, 20)])), ("ben", .sets(1, [(.high, 24)])),
    ])
    run.play(.milliseconds(1_000), lanes: 2)
    run.send(.pause, lane: 0, then: .milliseconds(2_200))
    // Anna's numbers now lie where ben's lead-in has been placed.
    run.send(.resume, lane: 0, then: .seconds(26))
    let anna = try #require(run.cues.first { $0.lane == "anna" && $0.kind == "set-completion" })
    #expect(anna.reason?.contains("beeps") != true)
    expectNoOverlap(run)
  }

  @Test func aPhraseWhoseVariableHasNoValueSaysSo() throws {
    var style = LaneStyle()
    style.phrases.phrases[.halfway] = Phrase(["Half of set {set}"])
    let run = try TestRun(
      workout([phase(.high, 60, [(10, "Do {reps}")])]), style: style)
    run.play(.seconds(40))
    let said = run.cues.filter { ["text", "halfway"].contains($0.kind) }
    #expect(said.map(\.text) == ["Do {reps}", "Half of set {set}"])
    #expect(said.allSatisfy { $0.reason == "what stands in braces has no value here" })
  }

  @Test func aTextWithoutItsLiveValuesNamesThem() throws {
    let text = try Template("{watts} at {pace} of {set}", values: ["watts", "pace"])
    let remark = Remark([text], at: .fromStart(.seconds(10)))
    let run = try TestRun(workout([.init(Phase(.high, .fixed(.seconds(60)), remarks: [remark]))]))
    run.send(.start)
    #expect(
      run.coach.setValue("watts", to: LiveValue(.number(3)), lane: nil, at: run.clock.now) == .done)
    run.run(.seconds(20))
    let said = try #require(run.cues.first { $0.kind == "text" })
    #expect(said.outcome == .dropped && said.reason == "{pace} has no value here")
  }

  @Test func repetitionsAreANumberAndWithTheirUnitOnlyWhereThatIsAskedFor() throws {
    let exercise = Phase(
      .work, .open(.reps(12)), name: "Squats",
      remarks: [Remark("Do {reps} of them, {repetitions}", at: .fromStart(.seconds(1)))])
    let run = try TestRun(workout([.init(exercise)]))
    run.play(.seconds(6))
    run.send(.whereAmI, then: .seconds(6))
    let said = run.cues.filter { ["text", "where-am-i"].contains($0.kind) }
    #expect(said.map(\.text) == ["Do 12 of them, 12 reps", "Squats, 12 reps"])
  }

  @Test func eachEffortOfAPyramidIsCountedDownAsASet() throws {
    let steps = [phase(.high, 20), phase(.rest, 12), phase(.high, 30), phase(.rest, 12)]
    let pyramid = Workout(
      name: "Pyramid", blocks: [Block(numbering: .each, steps: steps + [phase(.work, 20)])])
    let run = try TestRun(pyramid)
    run.play(.seconds(36))
    run.send(.whereAmI, then: .seconds(64))
    let counts = run.cues.filter { $0.kind == "set-completion" }
    #expect(
      counts.map(\.text) == (1...3).map { "Set \($0) completing in 3, 2, 1, 0" })
    let zeros = counts.compactMap(\.parts.last).map { run.seconds($0.due) }
    #expect(zeros == ["20.000", "62.000", "94.000"])
    let answer = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(answer.text.hasPrefix("Set 2 of 3, High, 26 seconds left"))
  }

  @Test func aNumberWithoutRoomIsABeep() throws {
    // Words so long that ben's numbers, half a second after anna's, have no room.
    let run = try TestRun(
      [("anna", .sets(1, [(.high, 9)])), ("ben", .sets(1, [(.high, 9)]))],
      speech: ScriptedSpeech { $0.count == 1 ? 700 : 1_000 })
    run.send(.start, lane: 0, then: .milliseconds(500))
    run.send(.start, lane: 1, then: .seconds(12))
    let ben = try #require(run.cues.first { $0.lane == "ben" && $0.kind == "set-completion" })
    #expect(ben.outcome == .shortened)
    #expect(ben.parts.map(\.text) == ["ben", "3", "2", "1"])
    #expect(ben.parts.allSatisfy { $0.onset != nil })
  }

  @Test func theSameCountOfTwoSetsIsSaidByOneAndBeepedForTheOther() throws {
    let run = try TestRun([
      ("anna", .sets(2, [(.high, 9)])), ("ben", .sets(1, [(.high, 18)])),
    ])
    run.play(.seconds(22), lanes: 2)
    let ben = try #require(run.cues.first { $0.lane == "ben" && $0.kind == "set-completion" })
    #expect(ben.reason == "another workout says the same count, beeps instead of numbers")
    #expect(ben.parts.map(\.text) == ["3", "2", "1"])
    let anna = try #require(run.cues.last { $0.lane == "anna" && $0.kind == "set-completion" })
    #expect(anna.outcome == .played)
    expectNoOverlap(run)
  }

  @Test func aCountThatAnotherLaneSaysTooIsNotLostWhenThatOnePauses() throws {
    let run = try TestRun([
      ("anna", .sets(1, [(.high, 9)])), ("ben", .sets(1, [(.high, 9)])),
    ])
    run.play(.milliseconds(5_200), lanes: 2)
    run.send(.pause, lane: 0, then: .seconds(7))
    let ben = try #require(run.cues.last { $0.lane == "ben" && $0.kind == "set-completion" })
    #expect(ben.outcome == .merged)
    let anna = try #require(run.cues.last { $0.lane == "anna" && $0.kind == "set-completion" })
    #expect(anna.outcome == .played)
    #expect(anna.parts.map(\.text) == ["Set 1 completing in", "3", "2", "1", "0"])
  }

  @Test func aSetsEndThatMayNotBeAnnouncedAgainIsBeeped() throws {
    let run = try TestRun(.sets(4, [(.high, 8)]))
    run.play(.milliseconds(7_788))
    run.send(.back, then: .seconds(9))
    let end = run.begin + .milliseconds(15_788)
    let last = run.cues.filter { $0.due > end - .seconds(4) && $0.due <= end && $0.onset != nil }
    #expect(last.filter { $0.kind == "countdown" }.map(\.text) == ["3", "2", "1"])
    #expect(last.contains { $0.kind == "set-end" })
  }

  @Test func quietStaysQuietAfterAStall() throws {
    let run = try TestRun(.sets(3, [(.low, 20), (.high, 20)]), style: LaneStyle(density: .quiet))
    run.play(.seconds(10))
    run.stall(.seconds(45))
    run.run(.seconds(5))
    #expect(!run.cues.contains { $0.kind == "position" })
  }

  @Test(arguments: 1...5) func aCountMayHaveAnyLength(_ numbers: Int) throws {
    var settings = CueEngine.Settings()
    settings.plan.countdown = numbers
    let run = try TestRun([("anna", .sets(1, [(.high, 20)]))], settings: settings)
    run.play(.seconds(22))
    let count = try #require(run.cues.first { $0.kind == "set-completion" })
    #expect(count.outcome == .played)
    let seconds = (0...numbers).reversed().map { "\($0)@\(20 - $0).000" }
    #expect(count.parts.dropFirst().map { "\($0.text)@\(run.seconds($0.due))" } == seconds)
    expectNoOverlap(run)
  }

  @Test func anAnswerLeavesTheCountItsRoom() throws {
    let run = try TestRun(.sets(2, [(.high, 20)]), style: LaneStyle(acknowledged: [.resume]))
    run.play(.milliseconds(14_600))
    run.send(.pause, then: .seconds(2))
    run.send(.resume, then: .seconds(6))
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
    let run = try TestRun(
      .sets(2, [(.low, 130), (.rest, 20), (.high, 30)]), style: LaneStyle(density: density))
    run.play(.seconds(365))
    #expect(Set(run.cues.map(\.kind)) == kinds)
    #expect(run.cues.allSatisfy { $0.outcome == .played })
  }

  @Test func oneKindOfPhaseMayHaveADensityOfItsOwn() throws {
    let run = try TestRun(
      .sets(2, [(.rest, 50), (.low, 50)]), style: LaneStyle(densities: [.rest: .quiet]))
    run.play(.seconds(200))
    let halfways = run.cues.filter { $0.kind == "halfway" }
    #expect(halfways.map { run.seconds($0.due) } == ["75.000", "175.000"])
    #expect(!run.cues.contains { $0.kind == "next" })
  }

  @Test func timesAreThoseOfTheInstantAtWhichTheyAreHeard() throws {
    let run = try TestRun(.sets(2, [(.low, 190)]), style: LaneStyle(density: .full))
    run.play(.seconds(200))
    let times = run.cues.filter { ["time-left", "elapsed"].contains($0.kind) }
    #expect(
      times.map { "\(run.seconds($0.due)) \($0.text)" } == [
        "10.000 3 minutes left", "70.000 2 minutes left", "130.000 1 minute left",
        "191.200 3 minutes 11 seconds done",
      ])
  }
}
