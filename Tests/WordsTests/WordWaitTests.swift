import CueSound
import IntervalTimeline
import TestSupport
import Testing

@testable import Words

/// The planner when words have to be rendered first: what it asks for, how long it waits, and what is
/// heard instead of words that are not there in time.
struct WordWaitTests: WorkoutScript {
  @Test func wordsThatAreNotThereAreRenderedAndThenSent() throws {
    let script = try WordScript([workout([phase(.high, 60)])], canWait: true)
    script.missing = ["Halfway"]
    #expect(script.check(at: 28) == ["render 1 Halfway"])
    #expect(
      script.planner.pending.isWaiting && script.planner.pending.isWaiting(script.lanes[0].id))
    // While it waits, its session has no place for it.
    #expect(script.places == ["2: -"])
    script.missing = []
    #expect(script.rendered(1, at: 29) == ["send Halfway@30.000"])
    #expect(script.places == ["2: -", "2: 30.000 to 30.420"])
    #expect(!script.planner.pending.isWaiting)
    // A second call about the same rendering finds nothing.
    #expect(script.rendered(1, at: 29.1).isEmpty)
  }

  /// Its words begin two seconds before its first number, at 17 s.
  @Test func aCountWaitsForAVoiceUntilItsWordsHaveToBegin() throws {
    let script = try WordScript([workout(sets: 2, [phase(.high, 20)])], canWait: true)
    script.missing = ["Set 1 completing in"]
    #expect(script.check(at: 13) == ["render 1 Set 1 completing in, 3, 2, 1, 0"])
    #expect(script.patiences == [.milliseconds(1_700)])
  }

  @Test func wordsThatAreLateBeginWhenTheyAreThere() throws {
    let script = try WordScript([workout([phase(.high, 60)])], canWait: true)
    script.missing = ["Halfway"]
    #expect(script.check(at: 28) == ["render 1 Halfway"])
    script.missing = []
    #expect(script.rendered(1, at: 31) == ["send Halfway@31.000 (1.0 s later)"])
  }

  @Test func whatIsDueAtOnceIsNotLateForAnotherVoice() throws {
    let script = try WordScript(
      [workout([phase(.high, 60, [(12, "Go")])])], voice: SpeechVoice(name: "flite:slt"),
      canWait: true)
    script.hasEngineSpoken = false
    #expect(
      script.check(at: 11.9) == ["send Go@12.000 (not by flite:slt: it was not ready in time)"])
  }

  @Test func whatHasTimeWaitsForAnotherVoice() throws {
    let script = try WordScript(
      [workout([phase(.high, 60, [(12, "Go")])])], voice: SpeechVoice(name: "flite:slt"),
      canWait: true)
    script.hasEngineSpoken = false
    #expect(script.check(at: 10) == ["render 1 Go"])
  }

  /// The answer to a key is said before a text, also where the text could be said by espeak-ng at once.
  @Test func nothingOvertakesAnAnswerThatWaitsForAnotherVoice() throws {
    let script = try WordScript(
      [workout([phase(.high, 60, [(12, "Go")])])], voice: SpeechVoice(name: "flite:slt"),
      canWait: true)
    script.hasEngineSpoken = false
    let effects = script.send(.whereAmI, at: 11.9) + script.check(at: 11.9)
    #expect(effects.count == 2 && effects.allSatisfy { $0.hasPrefix("render ") }, "\(effects)")
  }

  @Test func withoutAnybodyToWaitWordsAreRenderedOnTheSpot() throws {
    let script = try WordScript([workout([phase(.high, 60)])])
    script.missing = ["Halfway"]
    #expect(script.check(at: 28) == ["send Halfway@30.000"])
  }

  @Test func eachLateRenderingLeavesMoreTimeForTheNext() throws {
    let script = try WordScript([workout([phase(.high, 60)])], canWait: true)
    script.missing = ["Halfway"]
    #expect(script.check(at: 28) == ["render 1 Halfway"])
    for number in 1...3 {
      #expect(script.rendered(number, at: 28 + Double(number)) == ["render \(number + 1) Halfway"])
    }
    script.missing = []
    // The fourth was for a second after 31 s.
    #expect(script.rendered(4, at: 31.2) == ["send Halfway@32.000 (2.0 s later)"])
    #expect(!script.planner.pending.isWaiting)
  }

  @Test func afterFourRenderingsWordsThatAreNotThereAreDropped() throws {
    let script = try WordScript([workout([phase(.high, 60)])], canWait: true)
    (script.missing, script.measured) = (["Halfway"], ["Halfway"])
    #expect(script.check(at: 28) == ["render 1 Halfway"])
    for number in 1...3 {
      #expect(script.rendered(number, at: 28 + Double(number)) == ["render \(number + 1) Halfway"])
    }
    #expect(script.rendered(4, at: 31.2) == ["write Halfway dropped (not rendered in time)"])
    #expect(!script.planner.pending.isWaiting)
  }

  /// Halfway may begin until 31.5 s.
  @Test func wordsThatAreNeverRenderedAreDroppedWhenTheirTimeIsOver() throws {
    let script = try WordScript([workout([phase(.high, 60)])], canWait: true)
    script.missing = ["Halfway"]
    #expect(script.check(at: 28) == ["render 1 Halfway"])
    #expect(!script.isOverdue(at: 30.5) && script.isOverdue(at: 31))
    #expect(script.endWaiting(at: 30.5).isEmpty)
    #expect(
      script.endWaiting(at: 31) == [
        "stop rendering 1", "write Halfway dropped (not rendered in time)",
      ])
    #expect(!script.planner.pending.isWaiting && script.rendered(1, at: 36).isEmpty)
  }

  @Test func aCountIsBeepedBeforeItsTimeWhereItsNumbersAreNotThere() throws {
    let script = try WordScript([workout(sets: 1, [phase(.high, 20)])], canWait: true)
    script.missing = ["Set 1 completing in", "3", "2", "1", "0"]
    #expect(script.check(at: 13) == ["render 1 Set 1 completing in, 3, 2, 1, 0"])
    // A check before that instant and another one before the first number.
    #expect(!script.isOverdue(at: 16) && script.isOverdue(at: 16.2))
    #expect(
      script.endWaiting(at: 16.2) == [
        "stop rendering 1",
        "send beep 3@17.000 2@18.000 1@19.000 (not rendered in time, beeps instead)",
      ])
  }

  @Test func numbersThatAreThereAreSaidAndTheOthersBeeped() throws {
    let script = try WordScript([workout(sets: 1, [phase(.high, 20)])], canWait: true)
    script.missing = ["Set 1 completing in", "3"]
    #expect(script.check(at: 13).count == 1)
    #expect(
      script.endWaiting(at: 16.2) == [
        "stop rendering 1",
        "send 3@17.000 2@18.000 1@19.000 0@20.000 "
          + "(not rendered in time, beeps instead of numbers)",
      ])
  }

  @Test func aShorterWordingThatIsThereIsSaidInstead() throws {
    let script = try WordScript(
      [workout([phase(.low, 20), phase(.rest, 60), phase(.high, 20)])], canWait: true)
    let full = "Next: High, 20 seconds"
    script.missing = [full]
    script.measured = [full]
    #expect(script.check(at: 21.6).last == "render 1 \(full)")
    #expect(!script.isOverdue(at: 25.1))
    #expect(
      script.endWaiting(at: 25.2) == [
        "stop rendering 1", "send Next: High@25.200 (3.2 s later, not rendered in time)",
      ])
  }

  /// 6.6 s of words have to be over after 6 s.
  private static let crowded = String(repeating: "la ", count: 36) + "la"

  @Test func wordsThatHaveToBeFasterAreRenderedForTheirPlace() throws {
    let text = try Template(Self.crowded)
    let workout = workout([phase(.low, 20), phase(.high, 6, [(0, text)]), phase(.low, 20)])
    let onTheSpot = try WordScript([workout]).check(at: 19)
    #expect(onTheSpot.first?.contains("faster") == true)
    let script = try WordScript([workout], canWait: true)
    script.missingFaster = [Self.crowded]
    let asked = try #require(script.check(at: 19).first)
    #expect(asked.hasPrefix("render 1 \(Self.crowded) in"))
    script.missingFaster = []
    #expect(script.rendered(1, at: 19.1) == onTheSpot)
  }

  @Test func aCountThatCannotBeSpokenIsBeepedAfterItsTries() throws {
    let script = try WordScript([workout(sets: 1, [phase(.high, 20)])], canWait: true)
    script.isSpeakable = false
    script.missing = ["Set 1 completing in", "3", "2", "1", "0"]
    #expect(script.check(at: 13).count == 1)
    for number in 1...3 { #expect(script.rendered(number, at: 14).first?.first == "r") }
    #expect(
      script.rendered(4, at: 14) == [
        "send beep 3@17.000 2@18.000 1@19.000 (it cannot be spoken, beeps instead)"
      ])
  }

  @Test func aCountThatIsRenderedInTimeHasItsWordsBefore() throws {
    let script = try WordScript([workout(sets: 1, [phase(.high, 20)])], canWait: true)
    script.missing = ["3"]
    #expect(script.check(at: 13).count == 1)
    script.missing = []
    #expect(
      script.rendered(1, at: 14) == [
        "send Set 1 completing in@15.710 3@17.000 2@18.000 1@19.000 0@20.000"
      ])
  }

  @Test func wordsThatAreRenderedTakeThePlaceOfNoOthers() throws {
    let script = try WordScript(
      [
        workout([phase(.high, 60, [(10, "Breathe")])]),
        workout([phase(.high, 60, [(10, "Relax")])]),
      ], canWait: true)
    script.missing = ["ben: Relax"]
    #expect(script.check(at: 8) == ["send anna: Breathe@10.000", "render 1 ben: Relax"])
    script.missing = []
    #expect(script.rendered(1, at: 8.5) == ["send ben: Relax@9.300 (0.7 s earlier)"])
  }

  @Test func aTextWaitsForTheTextBeforeIt() throws {
    let script = try WordScript(
      [workout([phase(.high, 60, [(10, "First of them"), (11, "Second")])])], canWait: true)
    script.missing = ["First of them"]
    #expect(script.check(at: 9) == ["render 1 First of them", "render 2"])
    script.missing = []
    #expect(script.rendered(1, at: 12) == ["send First of them@12.000 (2.0 s later)"])
    #expect(script.rendered(2, at: 12) == ["send Second@12.880 (1.9 s later)"])
  }
}
