import CueSound
import EspeakSpeech
import Testing

/// Rate, pitch and variant in the rendered sound.
struct EspeakVoiceTests {
  private let synthesizer = EspeakSynthesizer()
  private static let sentence = "Set three completing in one minute and twenty seconds"

  private func spoken(_ text: String, _ voice: SpeechVoice) throws -> PCMClip {
    try synthesizer.render(text, voice: voice).trimmed()
  }

  /// The pitch of a vowel in Hz: a median, because espeak-ng never speaks the same way twice, and in up to
  /// one of ten an overtone is mistaken for the pitch.
  private func height(_ voice: SpeechVoice) throws -> Double {
    var heights: [Double] = []
    for _ in 1...21 {
      if let height = try heightOnce(voice) { heights.append(height) }
    }
    try #require(heights.count >= 15)
    return heights.sorted()[heights.count / 2]
  }

  /// Uses the shortest lag whose autocorrelation is close to the best.
  private func heightOnce(_ voice: SpeechVoice) throws -> Double? {
    var voice = voice
    voice.rate = 80
    let clip = try spoken("a", voice)
    let length = 2_000
    let start = clip.count / 2 - length / 2
    let middle = clip.samples[start..<start + length].map(Double.init)
    let likenesses = (clip.rate / 400...clip.rate / 50).map { ($0, likeness(middle, lag: $0)) }
    let best = likenesses.map(\.1).max()!
    // The slope down from lag zero is no peak.
    let peaks = likenesses.indices.dropFirst().dropLast().filter {
      likenesses[$0].1 >= likenesses[$0 - 1].1 && likenesses[$0].1 >= likenesses[$0 + 1].1
    }
    return peaks.first { likenesses[$0].1 > 0.85 * best }.map {
      Double(clip.rate) / Double(likenesses[$0].0)
    }
  }

  /// The autocorrelation of a sound at `lag` samples.
  private func likeness(_ sound: [Double], lag: Int) -> Double {
    sound.withUnsafeBufferPointer { sound in
      let base = sound.baseAddress!
      let count = sound.count - lag
      var sum = 0.0
      var index = 0
      while index < count {
        sum += base[index] * base[index + lag]
        index += 1
      }
      return sum / Double(count)
    }
  }

  @Test(arguments: [80, 100, 130, 175, 260, 300, 350, 400, 450])
  func rateIsHeard(_ rate: Int) throws {
    let usual = try spoken(Self.sentence, SpeechVoice(rate: 175)).count
    let clip = try spoken(Self.sentence, SpeechVoice(rate: rate))
    let expected = Double(usual) * 175 / Double(rate)
    #expect((0.85...1.15).contains(Double(clip.count) / expected))
  }

  @Test(arguments: [(-5, 80), (0, 80), (79, 80), (451, 450), (10_000, 450)])
  func rateOutOfRangeIsTheNearestWithin(_ rate: Int, _ nearest: Int) throws {
    let clip = try spoken(Self.sentence, SpeechVoice(rate: rate))
    let expected = try spoken(Self.sentence, SpeechVoice(rate: nearest))
    #expect(abs(clip.count - expected.count) < expected.count / 50)
  }

  @Test func pitchIsHeard() throws {
    let heights = try [0, 50, 99].map { try height(SpeechVoice(name: "en", pitch: $0)) }
    #expect(heights[1] > heights[0] * 1.15)
    #expect(heights[2] > heights[1] * 1.15)
  }

  private static let bases = ["en", "en-gb", "en-us", "de", "fr-fr", "es", "it", "nl", "pt", "pl"]

  @Test(arguments: bases) func variantIsHeardWithAnyVoiceAndGoneFromTheNext(_ name: String) throws {
    let plain = try height(SpeechVoice(name: name))
    let variant = try height(SpeechVoice(name: name, variant: "f3"))
    #expect(variant > plain * 1.15)
    let next = try height(SpeechVoice(name: name))
    #expect(abs(next - plain) < plain * 0.1)
  }

  @Test func variantMayFollowTheVoicesName() throws {
    let plain = try height(SpeechVoice(name: "en"))
    #expect(try height(SpeechVoice(name: "en+f3")) > plain * 1.15)
    // A separate variant overrides the voice's.
    #expect(try height(SpeechVoice(name: "en+f3", variant: "m3")) < plain * 1.15)
  }

  @Test func everyVariantListedCanBeChosen() throws {
    let variants = try synthesizer.variants()
    #expect(variants.count > 80)
    #expect(Set(variants).isSuperset(of: ["f3", "m1", "croak", "whisper"]))
    for variant in variants {
      try synthesizer.check(SpeechVoice(name: "en-gb", variant: variant))
    }
  }

  @Test(arguments: ["nope", "", "F3", "f3+m1", "!v/f3", "../../lang/gmw/de", "f3\u{0}", "female3"])
  func variantThatIsNotThereIsRefusedAndTheNextTextIsSpokenProperly(_ variant: String) throws {
    let plain = try height(SpeechVoice())
    #expect {
      try synthesizer.render("7", voice: SpeechVoice(name: "de", variant: variant))
    } throws: { ($0 as? SpeechError)?.kind == .unknownVariant }
    let next = try height(SpeechVoice())
    #expect(abs(next - plain) < plain * 0.1)
    #expect(try synthesizer.render("Halfway", voice: SpeechVoice()).peak > 8_000)
  }
}
