import IntervalTimeline
import TestSupport
import Testing

@testable import Words

/// The planner alone: sessions hand off cues, the script decides which words are rendered, and
/// effects are compared as text.
struct WordPlannerTests: WorkoutScript {
  // MARK: Who comes first

  @Test func whatComesFirstInPriorityHasItsPlaceFirst() throws {
    let script = try WordScript([
      workout([
        phase(.low, 20), phase(.rest, 60, [(2, "Drink something")]), phase(.high, 20),
      ])
    ])
    #expect(
      script.check(at: 20) == [
        "send Drink something@22.000", "send Next: High, 20 seconds@23.000 (1.0 s later)",
      ])
  }

  @Test func ofTheSamePriorityTheEarlierAndThenTheFirstLaneChooses() throws {
    let script = try WordScript([
      workout([phase(.high, 60, [(10, "Breathe")])]), workout([phase(.high, 60, [(10, "Relax")])]),
    ])
    #expect(
      script.check(at: 8) == [
        "send anna: Breathe@10.000", "send ben: Relax@9.300 (0.7 s earlier)",
      ])
  }

  /// Six seconds from 10 s on would lie over the words before the count, at 15.71 s.
  private static let long = String(repeating: "la ", count: 33) + "l"

  @Test func whatIsStillToBeHandedOffKeepsItsRoom() throws {
    let text = try Template(Self.long)
    let script = try WordScript([workout(sets: 2, [phase(.high, 20, [(10, text)])])])
    #expect(script.check(at: 7) == ["send \(Self.long)@9.610 (0.4 s earlier)"])
    #expect(
      script.check(at: 12) == [
        "send Set 1 completing in@15.710 3@17.000 2@18.000 1@19.000 0@20.000"
      ])
  }

  @Test func amongTooManyLanesNothingIsLookedAtAhead() throws {
    let text = try Template(Self.long)
    let script = try WordScript([workout(sets: 2, [phase(.high, 20, [(10, text)])])])
    script.isComplete = false
    #expect(script.check(at: 7) == ["send \(Self.long)@10.000"])
    // The count gets the remaining room.
    #expect(script.check(at: 12).first?.contains("3@17.000 2@18.000 1@19.000 0@20.000") == true)
  }

  /// Ben's text at 24 s is handed off later and comes first, though only its length is known: the
  /// words before it, of more than two seconds, do not begin at 22 s.
  @Test func whatIsStillToBeRenderedKeepsItsRoom() throws {
    let script = try WordScript(
      [
        workout([phase(.low, 20), phase(.rest, 60), phase(.high, 95)]),
        workout([phase(.high, 120, [(24, "Breathe")])]),
      ], canWait: true)
    script.unrendered = ["ben: Breathe"]
    let sent = script.check(at: 19.8)
    #expect(sent.count == 1)
    #expect(sent.first?.hasSuffix("(0.3 s earlier)") == true)
  }

  // MARK: Without room or without a voice

  @Test(arguments: [true, false]) func ofACountThatIsHandedOffLateTheRestIsHeard(
    isSpeakable: Bool
  ) throws {
    let script = try WordScript([workout(sets: 1, [phase(.high, 20)])])
    script.isSpeakable = isSpeakable
    #expect(
      script.check(at: 18.5) == [
        isSpeakable
          ? "send 1@19.000 0@20.000 (no room for all of it)"
          : "send beep 1@19.000 (it cannot be spoken, beeps instead)"
      ])
  }

  @Test func aNumberThatCannotBeSpokenIsABeep() throws {
    let script = try WordScript([workout(sets: 1, [phase(.high, 20)])])
    script.unspeakable = ["3"]
    #expect(
      script.check(at: 13) == [
        "send 3@17.000 2@18.000 1@19.000 0@20.000 (no room for all of it, beeps instead of numbers)"
      ])
  }

  /// Each number of 1.2 s is spoken faster.
  @Test func slowNumbersLeaveRoomForTheNext() throws {
    let script = try WordScript([workout(sets: 1, [phase(.high, 20)])])
    script.pace = 1_200
    #expect(
      script.check(at: 13) == ["send 3@17.000 2@18.000 1@19.000 0@20.000 (no room for all of it)"])
  }

  @Test func whatIsLongerThanItsPhaseIsNamedSo() throws {
    let text = try Template(Self.long)
    let script = try WordScript([workout([phase(.low, 10), phase(.high, 4, [(1, text)])])])
    #expect(
      script.check(at: 9) == ["write \(Self.long) dropped (longer than the time there is for it)"])
  }

  // MARK: Order

  @Test func twoTextsOfOneCheckKeepTheirOrder() throws {
    // Ben's numbers, at 9, 10, 11 and 12 s, leave room for the short text and none for the first.
    let script = try WordScript([
      workout([phase(.high, 30, [(9, "Stretch"), (10, "Go")])]),
      workout(sets: 2, [phase(.high, 12)]),
    ])
    #expect(script.check(at: 5).last?.contains("3@9.000 2@10.000 1@11.000 0@12.000") == true)
    #expect(
      script.check(at: 7) == [
        "send anna: Stretch@12.160 (3.2 s later)", "send anna: Go@13.040 (3.0 s later)",
      ])
  }

  // MARK: Withdrawing

  @Test func aCommandLetsWhatHasNotBegunGiveWay() throws {
    let script = try WordScript([workout([phase(.high, 60)])])
    #expect(script.check(at: 28.6) == ["send Halfway@30.000"])
    #expect(
      script.send(.whereAmI, at: 29.6) == [
        "withdraw 2", "send High, 31 seconds left@29.750",
        "send Halfway@31.110 (1.1 s later)",
      ])
  }

  @Test func whatTheOutputMayHaveQueuedStays() throws {
    let script = try WordScript([workout([phase(.high, 60)])])
    #expect(script.check(at: 28.6) == ["send Halfway@30.000"])
    #expect(
      script.send(.whereAmI, at: 29.7) == [
        "send High, 30 seconds left@30.520 (0.7 s later)"
      ])
  }

  @Test func whatAnOutputWithALongLatencyMayHaveQueuedStays() throws {
    let script = try WordScript([workout([phase(.high, 60)])])
    script.planner = WordPlanner(outputLatency: .seconds(1))
    #expect(script.check(at: 28.6) == ["send Halfway@30.000"])
    #expect(script.send(.whereAmI, at: 29).allSatisfy { !$0.hasPrefix("withdraw") })
  }

  @Test func wordsAreLaidOutWhereTheOutputCanStillPlayThem() throws {
    let script = try WordScript([workout([phase(.high, 60)])])
    script.planner = WordPlanner(outputLatency: .seconds(1))
    let effects = script.send(.whereAmI, at: 10)
    #expect(effects.count == 1 && effects[0].contains("@11.000"), "\(effects)")
  }

  @Test func whatIsOverIsNotWithdrawn() throws {
    let script = try WordScript([workout([phase(.high, 60)])])
    #expect(script.check(at: 28.6) == ["send Halfway@30.000"])
    script.planner.pending.remove(AnnouncementID(lane: script.lanes[0].id, handOff: 2))
    #expect(script.planner.pending.lanes.isEmpty)
    #expect(script.send(.whereAmI, at: 29).allSatisfy { !$0.hasPrefix("withdraw") })
  }

  @Test func whatALaneWithdrawsLeavesItsRoomAndIsNotSaid() throws {
    let script = try WordScript(
      [
        workout([phase(.high, 60, [(10, "Breathe")])]),
        workout([phase(.high, 61, [(10, "Relax")])]),
      ], canWait: true)
    script.missing = ["ben: Relax"]
    #expect(script.check(at: 8) == ["send anna: Breathe@10.000", "render 1 ben: Relax"])
    #expect(script.withdraw(0, at: 9) == [])
    #expect(script.planner.pending.lanes == [script.lanes[1].id])
    script.missing = []
    #expect(script.rendered(1, at: 9.5) == ["send ben: Relax@10.000"])
    script.missing = ["anna: Halfway", "ben: Halfway"]
    #expect(script.check(at: 28.6).last == "render 3 ben: Halfway")
    #expect(
      script.withdraw(1, at: 29) == [
        "stop rendering 3", "write ben: Halfway withdrawn (a command took it back)",
      ])
    #expect(script.rendered(3, at: 29).isEmpty)
    script.missing = []
    #expect(script.rendered(2, at: 29) == ["send anna: Halfway@30.000"])
  }

  @Test(arguments: [false, true]) func aQuestionThatIsAnsweredIsNotAsked(waits: Bool) throws {
    let script = try WordScript([workout([phase(.high, 60)])], canWait: waits)
    #expect(script.check(at: 28.6) == ["send Halfway@30.000"])
    if waits { script.missing = ["Press Q again to end"] }
    let asked = script.send(.askStop, at: 29.75)
    #expect(asked.contains { $0.hasPrefix(waits ? "render 1" : "asked until") })
    let answered = script.withdrawQuestion(at: 29.8)
    #expect(answered.first == (waits ? "withdraw " : "withdraw 3"))
    #expect(answered.last?.hasSuffix("withdrawn (the question is over)") == true)
    #expect(!script.planner.pending.isWaiting)
    // Only once; Halfway, which had begun, stays.
    #expect(script.withdrawQuestion(at: 29.8) == ["withdraw "])
    #expect(!answered.contains { $0.contains("Halfway") })
  }

  /// Its text, which was moved behind the question, can still be withdrawn.
  @Test func anAnswerToTheQuestionLeavesOtherWordsAsTheyAre() throws {
    let script = try WordScript([workout([phase(.high, 60, [(30, "Halfway"), (32, "Breathe")])])])
    #expect(script.check(at: 28.6) == ["send Halfway@30.000", "send Breathe@32.000"])
    #expect(script.send(.askStop, at: 29.75).last == "send Breathe@32.000")
    #expect(script.withdrawQuestion(at: 29.8).first == "withdraw 4")
    #expect(script.send(.whereAmI, at: 29.9).first == "withdraw 3")
  }

  @Test func anAnswerToTheQuestionLeavesOtherWordsWaiting() throws {
    let script = try WordScript([workout([phase(.high, 60)])], canWait: true)
    script.missing = ["Halfway"]
    #expect(script.check(at: 28.6) == ["render 1 Halfway"])
    _ = script.send(.askStop, at: 28.7)
    _ = script.withdrawQuestion(at: 28.75)
    #expect(script.planner.pending.isWaiting)
    script.missing = []
    // The question has begun.
    #expect(script.rendered(1, at: 29) == ["send Halfway@30.100"])
  }

  // MARK: Feedback

  @Test func whatASessionLearnsIsWhereItsWordsLie() throws {
    let script = try WordScript([workout(sets: 1, [phase(.high, 20)])])
    #expect(script.check(at: 13).count == 1)
    #expect(script.places == ["2: 15.710 to 20.060"])
  }

  @Test func theSameScriptHasTheSameOutcome() throws {
    func play() throws -> [String] {
      let script = try WordScript(
        [
          workout(sets: 3, [phase(.low, 40, [(5, "Easy")]), phase(.high, 20, [(3, "Hard")])]),
          workout(sets: 3, [phase(.work, 33), phase(.rest, 12)]),
        ], canWait: true)
      for second in stride(from: 0.5, through: 100, by: 0.5) {
        _ = script.check(at: second)
        if Int(second * 2) % 31 == 0 { _ = script.send(.whereAmI, lane: 1, at: second + 0.1) }
      }
      return script.log
    }
    let first = try play()
    #expect(first.count > 15)
    #expect(try play() == first)
  }
}
