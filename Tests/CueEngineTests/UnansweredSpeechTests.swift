import CueSound
import CueTesting
import Dispatch
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// A synthesizer that answers nothing until it is released, then as `ScriptedSpeech` does.
private final class HeldSpeech: SpeechSynthesizer {
  let speech = ScriptedSpeech()
  private let gate = DispatchSemaphore(value: 0)

  func release() { gate.signal() }

  func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    gate.wait()
    gate.signal()
    return try speech.render(text, voice: voice)
  }
}

/// A check never waits for words: sounds and beeps are on time whatever the synthesizer does, and each
/// announcement that is not heard has its line in the ledger.
@Suite(.timeLimit(.minutes(5))) struct UnansweredSpeechTests: AnnouncementChecks {
  private let held = HeldSpeech()

  private func lanes(_ count: Int, _ synthesizer: any SpeechSynthesizer) throws -> TestRun {
    let run = try TestRun(
      (0..<count).map { ("lane \($0)", .sets(99, [(.work, 5), (.rest, 6)])) },
      synthesizer: synthesizer, style: LaneStyle(density: .full))
    run.waitForWords(isInNoTime: false)
    return run
  }

  private func expectSoundsOnTime(_ run: TestRun) {
    let sounds = run.cues.filter { ["transition", "countdown", "set-end"].contains($0.kind) }
    #expect(sounds.count > 10)
    let wrong = sounds.filter { $0.outcome != .withdrawn && $0.onset != $0.due }
    #expect(wrong.isEmpty)
  }

  @Test func withoutAnyWordsEverySoundAndBeepIsOnTime() throws {
    defer { held.release() }
    let run = try lanes(1, held)
    run.play(.milliseconds(40_250))
    expectSoundsOnTime(run)
    let counts = run.cues.filter { $0.kind == "set-completion" }
    #expect(counts.count == 3)
    for count in counts {
      #expect(count.parts.map(\.text) == ["3", "2", "1"])
      #expect(count.parts.allSatisfy { $0.onset == $0.due })
      #expect(count.reason == "not rendered in time, beeps instead")
    }
    let others = ["transition", "countdown", "set-end", "set-completion"]
    let words = run.cues.filter { !others.contains($0.kind) }
    #expect(words.count > 2)
    #expect(words.allSatisfy { $0.outcome == .dropped && $0.reason == "not rendered in time" })
    // It ends as any other.
    run.send(.stop, then: .seconds(8))
    #expect(!run.coach.isRunning && run.coach.lanes.count == 0)
  }

  /// Those about the workout come 1.2 s after its beginning.
  @Test func aStartWaitsForNoWordsThatComeLater() throws {
    let held = HeldSpeech()
    let clock = ManualClock()
    var settings = CueEngine.Settings()
    settings.checksByItself = false
    let engine = CueEngine(
      output: RecordingOutput(origin: clock.now, rate: 8_000), sounds: SoundPack(rate: 8_000),
      speech: SpeechLibrary(held, converter: RepeatedSamples(), rate: 8_000), settings: settings,
      clock: { clock.now }, sleepClock: { .zero })
    _ = try engine.addLane("anna", timeline: try Timeline(.sets(4, [(.work, 60)])))
    engine.prepare(within: .seconds(3600))
    #expect(held.speech.texts.isEmpty)
    held.release()
    engine.shutDown()
  }

  @Test func wordsAreHeardAgainOnceTheSynthesizerAnswers() throws {
    let run = try lanes(1, held)
    run.play(.milliseconds(14_250))
    held.release()
    run.finishRendering()
    run.waitForWords()
    run.run(.seconds(33))
    expectSoundsOnTime(run)
    let later = run.cues.filter { $0.due > run.begin + .seconds(25) && $0.kind == "set-completion" }
    #expect(!later.isEmpty && later.allSatisfy { $0.parts.suffix(4).map(\.text).last == "0" })
    expectNoOverlap(run)
  }

  @Test func aTextThatIsNeededAtOnceIsSaidWhenItIsThere() throws {
    let run = try TestRun(
      [("anna", .sets(9, [(.low, 60), (.high, 60)]))], synthesizer: held)
    run.waitForWords(isInNoTime: false)
    run.play(.seconds(10))
    run.send(.whereAmI, then: .seconds(1))
    held.release()
    run.finishRendering()
    run.run(.seconds(9))
    let answer = try #require(run.cues.first { $0.kind == "where-am-i" })
    #expect(answer.onset == answer.due && answer.due >= run.begin + .seconds(11))
  }

  @Test(arguments: [false, true]) func lanesThatAreResumedAllAtOnceMissNoSound(answers: Bool) throws
  {
    defer { held.release() }
    let run = try lanes(32, held)
    for lane in run.lanes.indices { run.send(.start, lane: lane) }
    run.run(.milliseconds(7_300))
    for lane in run.lanes.indices { run.send(.pause, lane: lane) }
    run.run(.seconds(2))
    if answers {
      held.release()
      run.waitForWords()
    }
    for lane in run.lanes.indices { run.send(.resume, lane: lane) }
    run.run(.milliseconds(25_250))
    expectSoundsOnTime(run)
    #expect(!run.cues.contains { $0.outcome == .missed })
    for cue in run.cues where cue.outcome == .dropped { #expect(cue.reason != nil) }
    for lane in run.lanes { run.coach.handle(.stop, lane: lane, at: run.clock.now) }
    run.run(.seconds(8))
    #expect(!run.coach.isRunning && run.coach.lanes.count == 0)
  }

  // MARK: Lanes that have ended

  @Test func nothingIsRenderedForLanesThatHaveEnded() throws {
    let run = try lanes(2, held)
    for lane in run.lanes.indices { run.send(.start, lane: lane) }
    run.run(.seconds(1))
    let both = run.requestedAhead
    run.send(.stop, then: .seconds(1))
    let one = run.requestedAhead
    #expect(one > 0 && one < both)
    held.release()
    run.finishRendering()
    run.finishRenderingAhead()
    let texts = held.speech.texts
    #expect(!texts.contains { $0.hasPrefix("lane 0: Set 9") })
    #expect(texts.contains { $0.hasPrefix("Set 9") })
    run.send(.stop, lane: 1, then: .seconds(1))
    #expect(run.requestedAhead == 0)
  }
}
