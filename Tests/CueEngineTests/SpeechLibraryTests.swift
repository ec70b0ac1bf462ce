import CueSound
import CueTesting
import Dispatch
import IntervalTimeline
import Synchronization
import Testing

@testable import CueEngine

/// A cache in memory instead of on disk.
private final class CacheInMemory: SpeechCache {
  /// Protects the cached words.
  private let kept = Mutex<[String: (length: Nanoseconds, clip: PCMClip?)]>([:])

  func load() {}
  func length(of text: String, voice: SpeechVoice) -> Nanoseconds? {
    kept.withLock { $0[text]?.length }
  }
  func clip(of text: String, voice: SpeechVoice) -> PCMClip? { kept.withLock { $0[text]?.clip } }
  func keep(_ length: Nanoseconds, _ clip: PCMClip?, of text: String, voice: SpeechVoice) {
    kept.withLock { $0[text] = (length, clip) }
  }
  func save() {}
}

/// Knows one length, of any text at the usual rate, and keeps nothing.
private struct OneLength: SpeechCache {
  func load() {}
  func length(of text: String, voice: SpeechVoice) -> Nanoseconds? {
    voice.rate == SpeechVoice().rate ? .milliseconds(240) : nil
  }
  func clip(of text: String, voice: SpeechVoice) -> PCMClip? { nil }
  func keep(_ length: Nanoseconds, _ clip: PCMClip?, of text: String, voice: SpeechVoice) {}
  func save() {}
}

struct SpeechLibraryTests {
  private let speech = ScriptedSpeech()
  private let voice = SpeechVoice()

  private func library(capacity: Int = 1 << 19) -> SpeechLibrary {
    SpeechLibrary(
      speech, converter: RepeatedSamples(), capacity: capacity, level: { _ in 1 })
  }

  @Test func lengthIsKnownAfterTheClipHasGone() {
    let library = library(capacity: 10_000)
    #expect(library.length(of: "three", voice: voice) == .milliseconds(300))
    #expect(library.clip("completing", voice: voice)?.length == .milliseconds(600))
    #expect(library.length(of: "three", voice: voice) == .milliseconds(300))
    #expect(speech.texts == ["three", "completing"])
    #expect(library.clip("three", voice: voice) != nil)
    #expect(speech.texts == ["three", "completing", "three"])
  }

  @Test func whatCannotBeSpokenHasNoLength() {
    let silent = SpeechLibrary(
      ScriptedSpeech { _ in 0 }, converter: RepeatedSamples(), level: { _ in 1 })
    #expect(silent.length(of: "x", voice: voice) == nil)
    #expect(silent.clip("x", voice: voice, within: .seconds(1)) == nil)
    #expect(silent.takeFailure()?.kind == .failed)
  }

  /// A synthesizer that fails may work the next time; what cannot be said is remembered.
  @Test func aFailureThatMayPassIsTriedAgainAndTheFirstOneReported() {
    let failing = FailingSpeech()
    let library = SpeechLibrary(failing, converter: RepeatedSamples(), level: { _ in 1 })
    for text in ["failed", "failed", "text", "text", "silence"] {
      #expect(library.length(of: text, voice: voice) == nil)
      #expect(library.clip(text, voice: voice) == nil)
    }
    #expect(failing.texts == ["failed", "failed", "failed", "failed", "text", "silence"])
    #expect(library.takeFailure()?.kind == .failed)
    #expect(library.takeFailure() == nil)
  }

  @Test func wordsWithoutRoomAreCachedByTheirLengthAlone() {
    let cache = CacheInMemory()
    let library = SpeechLibrary(
      speech, converter: RepeatedSamples(), capacity: 100, cache: cache, level: { _ in 1 })
    library.renderFirst([], lengthsOf: [("three", voice, nil)], for: .seconds(600))
    #expect(cache.length(of: "three", voice: voice) == .milliseconds(300))
    #expect(cache.clip(of: "three", voice: voice) == nil)
  }

  private static let fits: [(limit: Nanoseconds, rates: [Int])] = [
    // 600 ms at 175 words a minute.
    (.milliseconds(600), [175]), (.seconds(2), [175]), (.milliseconds(500), [175, 215]),
    (.milliseconds(240), [175, 447]), (.milliseconds(235), [175, 450]),
  ]

  @Test(arguments: fits)
  func wordIsSpokenJustFastEnough(limit: Nanoseconds, rates: [Int]) throws {
    let library = library()
    for _ in 0..<2 {
      let clip = try #require(library.clip("completing", voice: voice, within: limit))
      #expect(clip.length <= limit)
      #expect(speech.rates == rates)
    }
  }

  private static let tooShort = [0, -1, 1, 230_000_000].map { Nanoseconds(Int64($0)) }

  @Test(arguments: tooShort)
  func wordThatCannotBeSpokenFastEnoughIsNot(limit: Nanoseconds) {
    #expect(library().clip("completing", voice: voice, within: limit) == nil)
    #expect(speech.rates.allSatisfy { $0 <= 450 })
    // In no time at all nothing can be said, however fast.
    if limit <= .zero { #expect(speech.rates == [175]) }
  }

  /// The cache remembers them as shorter than they are now.
  @Test func wordsThatHaveBecomeLongerAreSpokenFaster() throws {
    let speech = ScriptedSpeech { _ in 500 }
    let library = SpeechLibrary(speech, converter: RepeatedSamples(), cache: OneLength())
    let clip = try #require(library.clip("high", voice: voice, within: .milliseconds(250)))
    #expect(clip.length <= .milliseconds(250))
    #expect(speech.rates == [175, 357])
  }

  @Test func greatestRateIsObeyed() {
    let library = library()
    #expect(
      library.clip("completing", voice: voice, within: .milliseconds(500), greatestRate: 200) == nil
    )
    #expect(speech.rates == [175, 200])
    #expect(
      library.clip("completing", voice: voice, within: .milliseconds(530), greatestRate: 200) != nil
    )
    #expect(speech.rates == [175, 200])
  }

  @Test func whatIsWantedFirstIsRenderedAndTheRestMeasuredInOrder() {
    let library = library(capacity: 30_000)
    let texts = ["completing", "high", "recovering"]
    library.renderFirst(
      [("high", voice, nil)], lengthsOf: texts.map { ($0, voice, nil) }, for: .seconds(600))
    #expect(speech.texts == ["high", "completing", "recovering"])
    #expect(
      texts.map { library.length(of: $0, voice: voice) }
        == [600, 240, 600].map { .milliseconds($0) })
    #expect(library.clip("high", voice: voice) != nil)
    #expect(speech.texts.count == 3)
    // For the third there was no room.
    #expect(library.clip("recovering", voice: voice) != nil)
    #expect(speech.texts.count == 4)
  }

  @Test func measuringContinuesWhenPatienceIsOver() {
    let library = library()
    let texts = (0..<50).map { "text \($0)" }
    library.renderFirst([], lengthsOf: texts.map { ($0, voice, nil) }, for: .zero)
    library.measure(["later"], voice: voice)
    // Waits for all pending requests and for itself.
    library.renderFirst([], lengthsOf: [("the last", voice, nil)], for: .seconds(600))
    #expect(speech.texts == texts + ["later", "the last"])
    library.renderFirst([], lengthsOf: texts.map { ($0, voice, nil) }, for: .seconds(600))
    #expect(speech.texts.count == 52)
  }

  @Test func whatAnEarlierRunRenderedIsNotRenderedAgain() {
    let cache = CacheInMemory()
    let first = SpeechLibrary(
      speech, converter: RepeatedSamples(), cache: cache, level: { _ in 1 })
    let length = first.length(of: "completing", voice: voice)
    let next = SpeechLibrary(speech, converter: RepeatedSamples(), cache: cache, level: { _ in 1 })
    next.renderFirst([("completing", voice, nil)], lengthsOf: [], for: .seconds(600))
    #expect(next.isReady(["completing"], lengthsOf: ["completing"], voice: voice))
    #expect(next.length(of: "completing", voice: voice) == length)
    #expect(next.clip("completing", voice: voice)?.peak == 8_000)
    #expect(speech.texts == ["completing"])
  }

  @Test func lengthsThatNobodyHearsAreKeptWithoutTheirWords() {
    let cache = CacheInMemory()
    let silent = SpeechLibrary(
      speech, converter: RepeatedSamples(), cache: cache, isHeard: false, level: { _ in 1 })
    let length = silent.length(of: "completing", voice: voice)
    let next = SpeechLibrary(
      speech, converter: RepeatedSamples(), cache: cache, isHeard: false, level: { _ in 1 })
    #expect(next.clip("completing", voice: voice)?.length == length)
    #expect(speech.texts == ["completing"])
    let heard = SpeechLibrary(
      speech, converter: RepeatedSamples(), cache: cache, level: { _ in 1 })
    #expect(heard.clip("completing", voice: voice)?.peak == 8_000)
    #expect(speech.texts == ["completing", "completing"])
  }

  @Test func whatIsKnownIsReadyAndNotRenderedAgain() {
    let library = library()
    #expect(!library.isReady([], lengthsOf: ["three"], voice: voice))
    _ = library.clip("three", voice: voice)
    #expect(library.isReady(["three"], lengthsOf: ["three"], voice: voice))
    library.render(
      [
        SpeechOrder(text: "three", voice: voice, purpose: .clip),
        SpeechOrder(text: "three", voice: voice, purpose: .length),
      ], by: BootInstant(nanoseconds: 0), as: .init(client: 1, number: 1)
    ) {}
    library.finishRendering()
    library.prefetch(["three"], voice: voice)
    library.measure(["three"], voice: voice)
    library.renderFirst([], lengthsOf: [], for: .seconds(600))
    #expect(speech.texts == ["three"])
  }

  /// A year of a service: every workout has a name of its own in a dozen texts.
  @Test func aYearOfDistinctTextsLeavesBoundedMemory() {
    let library = SpeechLibrary(
      // Some cannot be spoken; they must not accumulate either.
      TextLengths(), converter: RepeatedSamples(), rate: 8_000, capacity: 5_000, texts: 500,
      level: { _ in 1 })
    var greatest = (clips: 0, samples: 0, lengths: 0)
    for workout in 0..<2_500 {
      let texts = (0..<12).map { "workout \(workout) text \($0)" }
      library.prefetch(Array(texts.prefix(4)), voice: voice)
      library.measure(texts, voice: voice)
      for text in texts.prefix(6) { _ = library.clip(text, voice: voice) }
      for text in texts { _ = library.length(of: text, voice: voice) }
      let held = library.held
      greatest.clips = max(greatest.clips, held.clips)
      greatest.samples = max(greatest.samples, held.samples)
      greatest.lengths = max(greatest.lengths, held.lengths)
    }
    // Each clip has 80 samples.
    #expect(greatest.samples <= 5_000 && greatest.samples > 4_500)
    #expect(greatest.clips <= 62)
    #expect(greatest.lengths <= 500 && greatest.lengths > 250)
  }

  @Test func textsThatCannotKeepUpWaitInABoundedQueue() {
    let stuck = StuckSpeech()
    let library = SpeechLibrary(stuck, converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
    library.prefetch(["first"], voice: voice)
    for number in 0..<20_000 {
      library.prefetch(["soon \(number)"], voice: voice)
      library.measure(["later \(number)"], voice: voice)
    }
    #expect(library.held.waiting <= 8_192 && library.held.waiting > 8_000)
    stuck.release()
    library.renderFirst([], lengthsOf: [], for: .seconds(600))
    #expect(library.held.waiting == 0)
  }

  // MARK: What does not wait

  @Test func whatIsNotThereIsKnownAtOnce() {
    let stuck = StuckSpeech()
    let library = SpeechLibrary(stuck, converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
    library.prefetch(["word"], voice: voice)
    #expect(library.renderedLength(of: "word", voice: voice).isMissing)
    #expect(library.renderedClip("word", voice: voice, within: .seconds(1)).isMissing)
    #expect(!library.isReady(["word"], lengthsOf: [], voice: voice))
    stuck.release()
    library.renderFirst([], lengthsOf: [], for: .seconds(600))
    guard case .there = library.renderedClip("word", voice: voice, within: .seconds(1)) else {
      Issue.record("it has been rendered")
      return
    }
  }

  @Test(arguments: fits) func aRequestedWordIsRenderedJustFastEnough(
    limit: Nanoseconds, rates: [Int]
  ) throws {
    let library = library()
    let order = SpeechOrder(text: "completing", voice: voice, purpose: .fitting(limit))
    library.render([order], by: .never, as: .init(client: 1, number: 1)) {}
    library.finishRendering()
    #expect(speech.rates == rates)
    guard case .there(let clip) = library.renderedClip("completing", voice: voice, within: limit)
    else {
      Issue.record("it has been rendered")
      return
    }
    #expect(clip.length <= limit)
  }

  @Test func whatFailsIsTriedOnceForAnAnnouncement() {
    let failing = ScriptedSpeech { _ in 0 }
    let library = SpeechLibrary(failing, converter: RepeatedSamples(), level: { _ in 1 })
    let purposes: [SpeechOrder.Purpose] = [.length, .clip, .fitting(.seconds(1))]
    library.render(
      purposes.map { SpeechOrder(text: "x", voice: voice, purpose: $0) }, by: .never,
      as: .init(client: 1, number: 1)
    ) {}
    library.finishRendering()
    #expect(failing.texts.count == 3)
  }

  @Test func whatIsNotNeededAnyMoreIsNotRendered() {
    let stuck = StuckSpeech()
    let library = SpeechLibrary(stuck, converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 })
    let done = Mutex<[Int]>([])
    library.prefetch(["first"], voice: voice)
    stuck.waitUntilItIsStuck()
    for number in 1...2 {
      library.render(
        [SpeechOrder(text: "text \(number)", voice: voice, purpose: .clip)], by: .never,
        as: .init(client: 1, number: number)
      ) { done.withLock { $0.append(number) } }
    }
    library.stopRendering(.init(client: 1, number: 1))
    // Another client's request of that number stays.
    library.stopRendering(.init(client: 2, number: 2))
    stuck.release()
    library.finishRendering()
    #expect(done.withLock { $0 } == [2])
    #expect(!library.isReady(["text 1"], lengthsOf: [], voice: voice))
  }

  @Test func voicesOfDifferentGainShareAClip() {
    let library = library()
    let clip = library.clip("three", voice: voice)
    #expect(library.clip("three", voice: SpeechVoice(gain: 0.5)) === clip)
    #expect(library.clip("three", voice: SpeechVoice(pitch: 51)) !== clip)
  }

  // MARK: Rates

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

  @Test func wordsAreAsLoudAsTheSoundsUnlessAGainIsGiven() throws {
    let voice = SpeechVoice()
    let plain = try #require(library().clip("three", voice: voice))
    let library = SpeechLibrary(speech, converter: RepeatedSamples())
    let clip = try #require(library.clip("three", voice: voice))
    #expect(plain.peak == 8_000)
    #expect(clip.peak == plain.scaled(by: Loudness.gain(of: plain)).peak)
    #expect(clip.peak != plain.peak)
  }

  @Test func clipsAreLevelledOnce() {
    let library = SpeechLibrary(
      speech, converter: RepeatedSamples(), level: { $0.peak == 8_000 ? 0.5 : 9 })
    #expect(library.clip("three", voice: voice)?.peak == 4_000)
    #expect(library.clip("three", voice: voice)?.peak == 4_000)
  }
}

private struct NoConversion: SampleRateConverter {
  func convert(_ clip: PCMClip, to rate: Int) -> PCMClip { clip }
}

/// 10 ms of sound for each text, except every fifth, which cannot be spoken.
private struct TextLengths: SpeechSynthesizer {
  func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    guard text.utf8.last != UInt8(ascii: "3") else {
      throw SpeechError(kind: .text, detail: "nothing to say")
    }
    return PCMClip(rate: 8_000, samples: Array(repeating: 8_000, count: 80))
  }
}

/// Fails as the text says, or gives nothing but silence.
private final class FailingSpeech: SpeechSynthesizer {
  /// Protects the list of requests.
  private let asked = Mutex<[String]>([])

  var texts: [String] { asked.withLock { $0 } }

  func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    asked.withLock { $0.append(text) }
    switch text {
    case "failed": throw SpeechError(kind: .failed, detail: text)
    case "text": throw SpeechError(kind: .text, detail: text)
    default: return PCMClip(rate: 8_000, samples: [0, 0, 0])
    }
  }
}

/// A synthesizer that waits until it is released.
private final class StuckSpeech: SpeechSynthesizer {
  private let gate = DispatchSemaphore(value: 0)
  private let begun = DispatchSemaphore(value: 0)

  func release() { gate.signal() }

  /// Returns when it has been asked for a text.
  func waitUntilItIsStuck() { begun.wait() }

  func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    begun.signal()
    gate.wait()
    gate.signal()
    return PCMClip(rate: 8_000, samples: [8_000])
  }
}
