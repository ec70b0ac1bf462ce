import CueSound
import CueTesting
import Synchronization
import Testing

@testable import Speech

/// What is rendered, and what of it is kept.
struct SpeechLibraryTests {
  private let speech = ScriptedSpeech()
  private let voice = SpeechVoice()

  private func library(
    capacity: Int = 1 << 19, cache: CacheInMemory? = nil, isHeard: Bool = true
  ) -> SpeechLibrary {
    SpeechLibrary(
      speech, converter: RepeatedSamples(), capacity: capacity, cache: cache, isHeard: isHeard,
      level: { _ in 1 })
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
    let library = library(capacity: 100, cache: cache)
    library.renderFirst([], lengthsOf: [("three", voice, nil)], for: .seconds(600))
    #expect(cache.length(of: "three", voice: voice) == .milliseconds(300))
    #expect(cache.clip(of: "three", voice: voice) == nil)
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
    let first = library(cache: cache)
    let length = first.length(of: "completing", voice: voice)
    let next = library(cache: cache)
    next.renderFirst([("completing", voice, nil)], lengthsOf: [], for: .seconds(600))
    #expect(next.isReady(["completing"], lengthsOf: ["completing"], voice: voice))
    #expect(next.length(of: "completing", voice: voice) == length)
    #expect(next.clip("completing", voice: voice)?.peak == 8_000)
    #expect(speech.texts == ["completing"])
  }

  @Test func wordsOfAReadingAreOnNoDisk() {
    let cache = CacheInMemory()
    var passing = voice
    passing.isPassing = true
    let library = library(cache: cache)
    #expect(library.clip("completing", voice: passing)?.peak == 8_000)
    #expect(cache.length(of: "completing", voice: voice) == nil)
    #expect(cache.clip(of: "completing", voice: passing) == nil)
  }

  @Test func lengthsThatNobodyHearsAreKeptWithoutTheirWords() {
    let cache = CacheInMemory()
    let silent = library(cache: cache, isHeard: false)
    let length = silent.length(of: "completing", voice: voice)
    let next = library(cache: cache, isHeard: false)
    #expect(next.clip("completing", voice: voice)?.length == length)
    #expect(speech.texts == ["completing"])
    let heard = library(cache: cache)
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
      ], SpeechUrgency(by: BootInstant(nanoseconds: 0)), as: .init(client: 1, number: 1),
      for: .init(client: 1, lane: 1)
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

  @Test func voicesOfDifferentGainShareAClip() {
    let library = library()
    let clip = library.clip("three", voice: voice)
    #expect(library.clip("three", voice: SpeechVoice(gain: 0.5)) === clip)
    #expect(library.clip("three", voice: SpeechVoice(pitch: 51)) !== clip)
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

/// A cache in memory instead of on disk.
private final class CacheInMemory: SpeechCache {
  /// Protects the cached words.
  private let kept = Mutex<[String: (length: Duration, clip: PCMClip?)]>([:])

  func load() {}
  func length(of text: String, voice: SpeechVoice) -> Duration? {
    kept.withLock { $0[text]?.length }
  }
  func clip(of text: String, voice: SpeechVoice) -> PCMClip? { kept.withLock { $0[text]?.clip } }
  func keep(_ length: Duration, _ clip: PCMClip?, of text: String, voice: SpeechVoice) {
    kept.withLock { $0[text] = (length, clip) }
  }
  func save() {}
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
