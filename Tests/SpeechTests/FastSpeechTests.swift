import CueSound
import CueTesting
import TestSupport
import Testing

@testable import Speech

/// Words that have to be said in some time.
struct FastSpeechTests {
  private let speech = ScriptedSpeech()
  private let voice = SpeechVoice()

  private func library() -> SpeechLibrary {
    SpeechLibrary(speech, converter: RepeatedSamples(), level: { _ in 1 })
  }

  private static let fits: [(limit: Duration, rates: [Int])] = [
    // 600 ms at 175 words a minute.
    (.milliseconds(600), [175]), (.seconds(2), [175]), (.milliseconds(500), [175, 215]),
    (.milliseconds(240), [175, 447]), (.milliseconds(235), [175, 450]),
  ]

  @Test(arguments: fits)
  func wordIsSpokenJustFastEnough(limit: Duration, rates: [Int]) throws {
    let library = library()
    for _ in 0..<2 {
      let clip = try #require(library.clip("completing", voice: voice, within: limit))
      #expect(clip.length <= limit)
      #expect(speech.rates == rates)
    }
  }

  private static let tooShort: [Duration] = [0, -1, 1, 230_000_000].map { .nanoseconds(Int64($0)) }

  @Test(arguments: tooShort)
  func wordThatCannotBeSpokenFastEnoughIsNot(limit: Duration) {
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

  @Test func noFasterRateIsAskedForThanTheVoiceHas() {
    let speech = ScriptedSpeech(fastest: 200)
    let library = SpeechLibrary(speech, converter: RepeatedSamples(), level: { _ in 1 })
    #expect(library.clip("completing", voice: voice, within: .milliseconds(500)) == nil)
    #expect(speech.rates == [175, 200])
    #expect(library.clip("completing", voice: voice, within: .milliseconds(530)) != nil)
    #expect(speech.rates == [175, 200])
  }

  @Test(arguments: fits) func aRequestedWordIsRenderedJustFastEnough(
    limit: Duration, rates: [Int]
  ) throws {
    let library = library()
    let order = SpeechOrder(text: "completing", voice: voice, purpose: .fitting(limit))
    library.render(
      [order], SpeechUrgency(by: .never), as: .init(client: 1, number: 1),
      for: .init(client: 1, lane: 1)
    ) {}
    library.finishRendering()
    #expect(speech.rates == rates)
    guard case .there(let clip) = library.renderedClip("completing", voice: voice, within: limit)
    else { throw Unexpected("it has been rendered") }
    #expect(clip.length <= limit)
  }
}

/// Knows one length, of any text at the usual rate, and keeps nothing.
private struct OneLength: SpeechCache {
  func load() {}
  func length(of text: String, voice: SpeechVoice) -> Duration? {
    voice.rate == SpeechVoice().rate ? .milliseconds(240) : nil
  }
  func clip(of text: String, voice: SpeechVoice) -> PCMClip? { nil }
  func keep(_ length: Duration, _ clip: PCMClip?, of text: String, voice: SpeechVoice) {}
  func save() {}
}
