import CueSound
import CueTesting
import IntervalTimeline
import Synchronization
import Testing

@testable import CueEngine

/// Voices and converters of other rates than the sounds.
struct SpeechRateTests {
  private let speech = ScriptedSpeech()
  private let voice = SpeechVoice()

  @Test func aVoiceThatSpeaksAtTheRateOfTheSoundsNeedsNoConverter() throws {
    let library = SpeechLibrary(speech, converter: nil, rate: 8_000)
    let clip = try #require(library.clip("three", voice: voice))
    #expect(clip.rate == 8_000 && clip.length == .milliseconds(300))
    #expect(library.takeFailure() == nil)
  }

  @Test func wordsOfAnotherRateAreNotSaidAndTheFaultNamesBothRates() {
    let library = SpeechLibrary(speech, converter: nil)
    #expect(library.clip("three", voice: voice) == nil)
    #expect(library.length(of: "three", voice: voice) == nil)
    let fault = SpeechError(
      kind: .sampleRate,
      detail:
        "the voice speaks at 8000 samples a second, the sounds have 48000: the speech library "
        + "needs a converter, such as SampleRateLibrary of SoundFiles")
    #expect(library.takeFailure() == fault)
    // That does not pass: it is not tried again.
    #expect(speech.texts == ["three"])
  }

  @Test func aConverterToAnotherRateIsAFaultOfItsOwn() {
    let library = SpeechLibrary(speech, converter: NoConversion())
    #expect(library.clip("three", voice: voice) == nil)
    let fault = SpeechError(
      kind: .sampleRate,
      detail: "the converter was asked for 48000 samples a second and made 8000")
    #expect(library.takeFailure() == fault)
  }

  @Test func anEngineReportsWordsOfAnotherRateAndPlaysItsSounds() throws {
    let clock = ManualClock()
    let output = RecordingOutput(origin: clock.now)
    let failures = Mutex<Set<SpeechError.Kind>>([])
    let outcomes = Mutex<[String: Set<LedgerEvent.Outcome>]>([:])
    let library = SpeechLibrary(speech, converter: nil)
    var settings = CueEngine.Settings()
    settings.checksByItself = false
    let engine = CueEngine(
      output: output, sounds: SoundPack(), speech: library, settings: settings,
      clock: { clock.now }, sleepClock: { .zero },
      ledger: { event in
        guard case .cue(let cue) = event else { return }
        outcomes.withLock { _ = $0[cue.kind, default: []].insert(cue.outcome) }
      },
      events: { event in
        guard case .speechFailed(let error) = event else { return }
        failures.withLock { _ = $0.insert(error.kind) }
      })
    let work = Block.Step(Phase(.work, .fixed(.seconds(15))))
    let workout = Workout(name: "Short", blocks: [Block(sets: 1, steps: [work])])
    let lane = try engine.addLane("anna", timeline: Timeline(workout))
    engine.prepare()
    engine.send(.start, to: lane)
    // Waits until it has been handled.
    _ = engine.statuses()
    for _ in 0..<60 {
      clock.advance(by: .milliseconds(500))
      output.advance(to: clock.now)
      engine.checkNow()
      library.finishAllRendering()
    }
    engine.shutDown()
    #expect(failures.withLock { $0 } == [.sampleRate])
    #expect(outcomes.withLock { $0["transition"] } == [.played])
    #expect(outcomes.withLock { $0["finish"] } == [.dropped])
  }
}

private struct NoConversion: SampleRateConverter {
  func convert(_ clip: PCMClip, to rate: Int) -> PCMClip { clip }
}
