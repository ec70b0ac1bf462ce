import CueSound
import InstalledFiles
import IntervalTimeline
import Testing

/// Which voice speaks, of those requested and those there are.
@Suite struct VoiceSelectionTests {
  private func voice(
    _ requested: VoiceSettings = VoiceSettings(), preset: VoiceSettings = VoiceSettings(),
    configured: VoiceSettings = VoiceSettings(), catalogue: String = "en",
    among voices: (any VoiceList)? = ScriptedVoices()
  ) throws -> (voice: SpeechVoice, warnings: [String]) {
    var warnings: [String] = []
    let voice = try VoiceSelection(among: voices).voice(
      requested: requested, preset: preset, configured: configured, catalogueVoice: catalogue
    ) { warnings.append($0.text) }
    return (voice, warnings)
  }

  @Test func withoutAWishTheCataloguesVoiceSpeaks() throws {
    let (voice, warnings) = try voice(catalogue: "de+f2")
    #expect(voice == SpeechVoice(name: "de", variant: "f2", rate: VoiceSelection.defaultRate))
    #expect(warnings == [])
  }

  @Test func eachWishIsTakenFromTheFirstThatHasIt() throws {
    let (voice, warnings) = try voice(
      VoiceSettings(name: "fr", pitch: 0, volume: 50),
      preset: VoiceSettings(name: "de", variant: "m1"),
      configured: VoiceSettings(variant: "f1", rate: 450, pitch: 99))
    #expect(voice == SpeechVoice(name: "fr", variant: "m1", rate: 450, pitch: 0, gain: 0.25))
    #expect(warnings == [])
  }

  @Test func variantInAVoicesNameGoesWithThatVoiceAlone() throws {
    let other = try voice(VoiceSettings(name: "de"), preset: VoiceSettings(name: "en+f3"))
    #expect(other.voice.name == "de" && other.voice.variant == nil)
    let same = try voice(preset: VoiceSettings(name: "en+f3"), catalogue: "en+m1")
    #expect(same.voice.name == "en" && same.voice.variant == "f3")
  }

  private static let refused: [(VoiceSettings, String)] = [
    (VoiceSettings(name: "en-gv"), "there is no voice \"en-gv\"; the nearest are en-gb, en-us"),
    (VoiceSettings(name: "de-de"), "there is no voice \"de-de\"; the nearest is de"),
    (VoiceSettings(name: "xx"), "there is no voice \"xx\"; cuecoach voices lists them"),
    (VoiceSettings(variant: "f33"), "there is no variant \"f33\"; the nearest is f3"),
    (
      VoiceSettings(name: "en+nosuch"),
      "there is no variant \"nosuch\"; cuecoach voices --variants lists them"
    ),
  ]

  @Test(arguments: refused) func whatIsRequestedMustBeThere(wish: VoiceSettings, line: String) {
    #expect {
      try voice(wish)
    } throws: {
      let error = $0 as? InstallationError
      return error?.kind == .voice && error?.description == line
    }
  }

  @Test func whatAPresetWantsAndIsNotThereIsPassedOverWithAWarning() throws {
    let (voice, warnings) = try voice(
      preset: VoiceSettings(name: "xx", variant: "nosuch"),
      configured: VoiceSettings(name: "de", variant: "f2"))
    #expect(voice.name == "de" && voice.variant == "f2")
    #expect(
      warnings == [
        "there is no voice \"xx\", so another voice speaks; cuecoach voices lists them",
        "there is no variant \"nosuch\", so the voice speaks without one; "
          + "cuecoach voices --variants lists them",
      ])
  }

  @Test(arguments: [true, false])
  func whereNothingSpeaksEveryVoiceIsAccepted(hasEngine: Bool) throws {
    let voices = ScriptedVoices(isAvailable: false)
    let (voice, warnings) = try voice(
      VoiceSettings(name: "xx", variant: "nosuch"), among: hasEngine ? voices : nil)
    #expect(voice.name == "xx" && voice.variant == "nosuch")
    #expect(warnings == [])
  }

  /// As a program with voices beside the usual synthesizer has them.
  private struct WithEngine: VoiceList {
    let usual = ScriptedVoices()

    func check(_ voice: SpeechVoice) throws(SpeechError) {
      guard let engine = voice.engine else { return try usual.check(voice) }
      guard engine == "flite", voice.withinEngine.name == "slt" else {
        throw SpeechError(kind: .unknownVoice, detail: "there is no voice \"\(voice.name ?? "")\"")
      }
    }
    func languages() throws(SpeechError) -> [String] { try usual.languages() + ["flite:slt"] }
    func variants() throws(SpeechError) -> [String] { try usual.variants() }
    func languages(of voice: SpeechVoice) -> [String]? { ["en"] }
  }

  private func engineVoice(
    _ requested: String? = nil, preset: String? = nil, language: String = "en"
  ) throws -> (voice: SpeechVoice, warnings: [String]) {
    var warnings: [String] = []
    let voice = try VoiceSelection(among: WithEngine()).voice(
      requested: VoiceSettings(name: requested), preset: VoiceSettings(name: preset),
      catalogueVoice: "en-us+f5", language: language
    ) { warnings.append($0.text) }
    return (voice, warnings)
  }

  /// Its stand-in is the voice that would speak without it.
  @Test func aVoiceOfAnEngineHasAStandIn() throws {
    let usual = VoiceSelection.defaultRate
    for voice in [try engineVoice("flite:slt"), try engineVoice(preset: "flite:slt")] {
      #expect(
        voice.voice
          == SpeechVoice(name: "flite:slt", variant: "f5", standIn: "en-us", rate: usual))
      #expect(voice.warnings == [])
    }
    let other = try engineVoice("flite:slt", preset: "en-gb")
    #expect(other.voice == SpeechVoice(name: "flite:slt", standIn: "en-gb", rate: usual))
    let own = try engineVoice("en-gb", preset: "flite:slt")
    #expect(own.voice.name == "en-gb" && own.voice.standIn == nil)
  }

  @Test func aVoiceOfAnEngineThatThereIsNotIsNamed() throws {
    #expect(throws: InstallationError.self) { try engineVoice("flite:abc") }
    let preset = try engineVoice(preset: "flite:abc")
    #expect(preset.voice.name == "en-us" && preset.voice.standIn == nil)
    #expect(preset.voice.refusal == "not by flite:abc: there is no such voice")
    #expect(
      preset.warnings == [
        "there is no voice \"flite:abc\", so another voice speaks; the nearest is flite:slt"
      ])
  }

  @Test func anotherLanguageIsSpokenByAnotherVoice() throws {
    let german = try engineVoice("flite:slt", language: "de")
    var voice = SpeechVoice(name: "en-us", variant: "f5", rate: VoiceSelection.defaultRate)
    voice.refusal = "not by flite:slt: it speaks en and not de"
    #expect(german.voice == voice)
    #expect(german.warnings == ["flite:slt speaks en and not de, so another voice speaks"])
    #expect(try engineVoice("flite:slt", preset: "flite:slt", language: "de").warnings.count == 1)
    #expect(try engineVoice("flite:slt", language: "en-gb").warnings == [])
  }
}
