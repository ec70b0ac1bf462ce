import CueSound
import EspeakSpeech
import Testing

/// No text crashes the program: it is spoken, or refused.
struct EspeakTextTests {
  private let synthesizer = EspeakSynthesizer()

  /// Pieces of unusual texts.
  private static let pieces: [String] = [
    "Set 3", " ", "\u{a0}", "\n", "\u{0}", "\u{1}50S", "\u{1}+9P", "\u{7f}", "\u{85}", "<speak>",
    "<prosody rate='500%'>", "<break time='99s'/>", "<voice name='zz'>", "&#x0;", "&lt;",
    "[[h@l'oU]]",
    "[[", "]]", "^", "{}", "%s%n", "\\", "|", "999999999999", "1,000,000.5", "12:34:56", "1e309",
    "٣٤٥", "१२", "½", "Ⅻ", "a.b.c.", "?!?!", "x@y.z", "€5", "\u{200f}אבג", "مرحبا", "日本語", "한국어",
    "Привет", "ไทย", "ß", "ﷺ", "e\u{301}", "👨\u{200d}👩\u{200d}👧", "🇩🇪", "1\u{fe0f}\u{20e3}",
    "\u{3000}",
    "\u{202e}", "\u{feff}", "\u{200b}", "\u{e000}", "\u{e03c}", "\u{f8ff}", "\u{ffff}", "\u{d7ff}",
    "\u{10ffff}", "\u{e0041}", "\u{fffd}", "𝔄𝔅", "⠿", "…", "'s", "-", ".", "XXXVIII",
    String(repeating: "b", count: 180), String(repeating: "9", count: 120),
    String(repeating: "\u{301}", count: 90), String(repeating: "あ", count: 90),
    String(repeating: "!", count: 90), String(repeating: "(", count: 60),
  ]

  private static let voices = [
    "en", "de", "fr", "es", "it", "nl", "pt", "pl", "en-us", "pt-br", "en+f3", "de+whisper",
  ]

  @Test(arguments: 0..<4) func anyTextIsSpokenOrRefused(_ round: Int) throws {
    // A linear congruential generator: the same texts each time.
    var state = UInt64(round) &* 0x9e37_79b9_7f4a_7c15 | 1
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    var refused = 0
    for _ in 0..<40 {
      var text = (0..<1 + next(6)).map { _ in Self.pieces[next(Self.pieces.count)] }.joined()
      for _ in 0..<next(8) {
        if let scalar = Unicode.Scalar(UInt32(next(0x11_0000))) {
          text.unicodeScalars.append(scalar)
        }
      }
      let voice = SpeechVoice(
        name: Self.voices[next(Self.voices.count)], rate: [175, 300, 450][next(3)])
      do throws(SpeechError) {
        let clip = try synthesizer.render(text, voice: voice)
        #expect(clip.count < 121 * clip.rate)
      } catch {
        #expect(error.kind == .text)
        refused += 1
      }
    }
    #expect(refused < 30)
    #expect(try synthesizer.render("Workout complete", voice: SpeechVoice()).peak > 8_000)
  }

  private static let fatal: [(String, String)] = [
    // More than 160 bytes in a word.
    ("en", "y.z" + String(repeating: "b", count: 200)),
    ("fr", "x@y.z" + String(repeating: "é", count: 120)),
    ("de", String(repeating: "a.", count: 150)), ("pl", "y.z" + String(repeating: "あ", count: 80)),
    ("en", "y.z" + String(repeating: "\u{301}", count: 120)),
    // More than eighty full stops.
    ("de", String(repeating: "a. ", count: 160)), ("fr", String(repeating: "é.b.", count: 100)),
    ("pt-br", String(repeating: "., y.z  ", count: 60)),
    ("nl", String(repeating: "é.., ß.", count: 70)),
    ("it", "y.z" + String(repeating: "한", count: 60)),
    // Scripts of several languages.
    ("fr", "Next: ಌङතඞஔๆँભതണਵධ, 1 second"), ("hi", "తमிκქ한 abc தமிழ் ಕನ್ನಡ"),
    // The names of braille patterns.
    ("ar", "\u{28ff}"), ("ar", "\u{28df}"), ("en", "\u{28ff}\u{28fe}"),
  ]

  @Test(arguments: fatal) func textThatOnceEndedTheProgramDoesNot(voice: String, text: String)
    throws
  {
    _ = try? synthesizer.render(text, voice: SpeechVoice(name: voice))
    #expect(try synthesizer.render("Halfway", voice: SpeechVoice()).peak > 8_000)
  }

  @Test(arguments: [("hi", "नमस्ते"), ("ko", "안녕"), ("el", "γεια"), ("ta", "வணக்கம்"), ("ru", "Привет")])
  func scriptOfTheVoiceItselfIsSpoken(voice: String, text: String) throws {
    let clip = try synthesizer.render(text, voice: SpeechVoice(name: voice)).trimmed()
    #expect(clip.count > clip.rate / 10)
  }

  @Test func longWordIsSpokenWhole() throws {
    let ten = try synthesizer.render(String(repeating: "la", count: 10), voice: SpeechVoice())
    let hundred = try synthesizer.render(String(repeating: "la", count: 100), voice: SpeechVoice())
    #expect(hundred.count > 5 * ten.count)
  }

  @Test(arguments: ["[[h@l'oU]]", "<emphasis>hello", "&lt;&lt;&lt;hello"])
  func markupIsTextLikeAnyOther(_ text: String) throws {
    let plain = try synthesizer.render("hello", voice: SpeechVoice()).trimmed()
    let marked = try synthesizer.render(text, voice: SpeechVoice()).trimmed()
    #expect(marked.count > plain.count * 3 / 2)
  }

  @Test(arguments: ["<break time='20s'/>now", "<prosody rate='10%'>now now now now now now"])
  func markupChangesNothing(_ text: String) throws {
    let before = try synthesizer.render("Workout complete", voice: SpeechVoice())
    let clip = try synthesizer.render(text, voice: SpeechVoice())
    #expect(clip.count < 10 * clip.rate)
    let after = try synthesizer.render("Workout complete", voice: SpeechVoice())
    #expect(abs(before.count - after.count) < before.rate / 10)
  }

  @Test func textThatTakesMinutesIsRefusedAndTheNextIsWhole() throws {
    let before = try synthesizer.render("Workout complete", voice: SpeechVoice())
    #expect {
      try synthesizer.render(String(repeating: "9", count: 500), voice: SpeechVoice(rate: 80))
    } throws: { ($0 as? SpeechError)?.kind == .text }
    let after = try synthesizer.render("Workout complete", voice: SpeechVoice())
    #expect(abs(before.count - after.count) < before.rate / 10)
  }

  @Test(arguments: ["\u{e000}\u{f8ff}", "\u{202e}\u{2066}", "\u{28ff}", "\u{ffff}", "\u{fe0f}"])
  func textWithoutASoundIsAnErrorOfTheText(_ text: String) {
    #expect {
      try synthesizer.render(text, voice: SpeechVoice())
    } throws: { ($0 as? SpeechError)?.kind == .text }
  }
}
