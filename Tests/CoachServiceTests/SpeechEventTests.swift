import ControlProtocol
import CueEngine
import CueTesting
import IntervalTimeline
import Testing

@testable import CoachService

/// What is said, as captions show it: before it is heard, and withdrawn where it will not be.
@Suite struct SpeechEventTests {
  private static let sounds: Set = ["countdown", "transition", "set-end", "signal"]

  @Test func eachTextComesBeforeItIsHeard() throws {
    let run = ControlRun(speech: ScriptedSpeech())
    #expect(run.start("busy", lane: "anna").ok)
    run.speak(.seconds(60))
    let heard = run.announced.filter { !Self.sounds.contains($0.kind) && $0.onset != nil }
    #expect(heard.count >= 8)
    for cue in heard {
      let event = try #require(run.speech.first { $0.from == cue.parts[0].due.nanoseconds })
      #expect(event.text == cue.text && event.lanes == ["anna"] && event.withdrawn == nil)
      #expect(event.until > event.from && event.from == cue.onset?.nanoseconds)
      // Known at the start, the first words are said at once.
      #expect(event.from - event.at >= 1_000_000_000 || cue.phase == 0)
    }
    // A count is one text.
    let count = try #require(heard.first { $0.kind == "set-completion" })
    #expect(count.parts.count > 3 && count.text.hasSuffix("3, 2, 1, 0"))
    #expect(run.speech.count { $0.text == count.text } == 1)
    #expect(Set(run.speech.map(\.from)).count == run.speech.count)
  }

  @Test func whatIsNotHeardIsWithdrawn() throws {
    let run = ControlRun(speech: ScriptedSpeech())
    run.start("busy", lane: "anna")
    // The count of a set's end is at the mixer, and has not begun.
    while run.speech.last?.text.hasSuffix("0") != true { run.speak(.milliseconds(500)) }
    let count = try #require(run.speech.last)
    #expect(count.from > run.clock.now.nanoseconds)
    #expect(run.send(.command(.pause, lane: nil)).ok)
    run.settle()
    let withdrawn = try #require(run.speech.first { $0.withdrawn == true && $0.from == count.from })
    #expect(withdrawn.text == count.text && withdrawn.until == count.until)
    #expect(withdrawn.at >= count.at)
    run.speak(.seconds(20))
    #expect(run.send(.command(.resume, lane: nil)).ok)
    run.speak(.seconds(7))
    let again = run.speech.last { $0.text == count.text }
    #expect(again?.withdrawn == nil && (again?.from ?? 0) > count.from)
    // What has been heard is not withdrawn any more.
    run.speak(.seconds(3))
    let known = run.speech.count { $0.withdrawn == true && $0.text == count.text }
    run.send(.command(.pause, lane: nil))
    #expect(run.speech.count { $0.withdrawn == true && $0.text == count.text } == known)
  }

  @Test func wordsForSeveralNameAllOfThem() throws {
    let run = ControlRun(speech: ScriptedSpeech())
    run.start("busy", lane: "anna", in: .seconds(10))
    run.start("busy", lane: "ben", in: .seconds(10))
    run.run(.seconds(7))
    run.ring()
    run.speak(.seconds(30))
    let shared = run.speech.filter { $0.lanes.count == 2 }
    #expect(shared.count > 3 && shared.allSatisfy { $0.lanes.sorted() == ["anna", "ben"] })
  }

  @Test func whatIsSaidRaisesNoRevision() throws {
    let run = ControlRun(speech: ScriptedSpeech())
    run.start("busy", lane: "anna")
    run.speak(.milliseconds(5_500))
    let (revision, count) = (run.snapshot.revision, run.speech.count)
    #expect(run.send(.say("Well done", lane: nil)).ok)
    run.finishRendering()
    #expect(run.speech.count > count)
    #expect(run.speech.last?.text == "Well done" && run.speech.last?.revision == revision)
    #expect(run.snapshot.revision == revision)
  }
}
