import ArgumentParser
import CueSound
import EspeakSpeech
import InstalledFiles
import IntervalTimeline
import Testing

@testable import cuecoach

/// The voice as chosen by the options, the preset and the configuration.
@Suite struct SpeechOptionsTests {
  private let space = Workspace()

  private func resolve(
    _ options: String = "", preset: VoiceSettings = VoiceSettings(),
    configured: VoiceSettings = VoiceSettings(),
    catalogue: String = "de"
  ) throws -> (voice: SpeechVoice, warnings: [String]) {
    let words = options.split(separator: " ").map(String.init)
    var warnings: [String] = []
    let wish = try SpeechOptions.parse(words).style().voice
    let voice = try UserError.wrapping {
      try VoiceSelection(among: EspeakSynthesizer()).voice(
        requested: wish, preset: preset, configured: configured, catalogueVoice: catalogue
      ) { warnings.append($0.text) }
    }
    return (voice, warnings)
  }

  @Test func byDefaultTheCataloguesVoiceSpeaks() throws {
    let (voice, warnings) = try resolve(catalogue: "en-us+f5")
    #expect(voice == SpeechVoice(name: "en-us", variant: "f5", rate: 150))
    #expect(warnings == [])
  }

  @Test func eachVoiceSettingComesFromTheFirstThatHasIt() throws {
    let (voice, warnings) = try resolve(
      "--voice fr-fr --pitch 0 --speech-volume 50",
      preset: VoiceSettings(name: "it", variant: "m1"),
      configured: VoiceSettings(variant: "f1", rate: 450, pitch: 99))
    #expect(
      voice == SpeechVoice(name: "fr-fr", variant: "m1", rate: 450, pitch: 0, gain: 0.25))
    #expect(warnings == [])
  }

  @Test func variantInAVoicesNameGoesWithThatVoiceAlone() throws {
    let other = try resolve("--voice de", preset: VoiceSettings(name: "en+f3"), catalogue: "en+m1")
    #expect(other.voice.name == "de" && other.voice.variant == nil)
    let same = try resolve(preset: VoiceSettings(name: "en+f3"), catalogue: "en+m1")
    #expect(same.voice.name == "en" && same.voice.variant == "f3")
    let another = try resolve("--variant m3", preset: VoiceSettings(name: "en+f3"))
    #expect(another.voice.name == "en" && another.voice.variant == "m3")
  }

  private static let refused: [(String, String)] = [
    ("--voice en-gv", "there is no voice \"en-gv\"; the nearest are en-gb"),
    ("--voice de-de", "there is no voice \"de-de\"; the nearest is de"),
    ("--voice klingon-x", "there is no voice \"klingon-x\"; cuecoach voices lists them"),
    ("--voice mb-de4", "the voice \"mb-de4\" needs mbrola and its data \"de4\""),
    ("--variant f33", "there is no variant \"f33\"; the nearest "),
    ("--voice en+nosuchone", "no variant \"nosuchone\"; cuecoach voices --variants lists them"),
    ("--rate 79", "--rate 79: expected a whole number from 80 to 450"),
    ("--rate 451", "--rate 451: "),
    ("--pitch -1", "--pitch -1: expected a whole number from 0 to 99"),
    ("--pitch 100", "--pitch 100: "), ("--speech-volume 101", "--speech-volume 101: "),
  ]

  @Test(arguments: refused) func mistakeInAnOptionIsOneLineAndExitCodeTwo(
    options: String, says: String
  ) {
    #expect {
      try resolve(options)
    } throws: {
      let error = $0 as? UserError
      return error?.code == 2 && error?.message.contains(says) == true
        && error?.message.contains("\n") == false
    }
  }

  @Test func voiceOfAPresetThatIsNotThereIsPassedOver() throws {
    let (voice, warnings) = try resolve(
      preset: VoiceSettings(name: "xx-x", variant: "nope"),
      configured: VoiceSettings(name: "es", variant: "f2"))
    #expect(voice.name == "es" && voice.variant == "f2")
    #expect(warnings.count == 2)
    #expect(warnings.first?.hasPrefix("there is no voice \"xx-x\", ") == true)
    #expect(warnings.last?.hasPrefix("there is no variant \"nope\", ") == true)
  }

  private static let lists: [(String?, [Acknowledgement]?)] = [
    (nil, nil), ("none", []), ("all", [.pause, .resume, .next, .back]), ("pause", [.pause]),
    ("next,back", [.next, .back]), ("back,back", [.back]),
  ]

  @Test(arguments: lists)
  func acknowledgementsAreAList(list: String?, commands: [Acknowledgement]?) throws {
    let options = try SpeechOptions.parse(list.map { ["--acknowledge", $0] } ?? [])
    #expect(try options.style().acknowledge == commands.map(Set.init))
  }

  @Test(arguments: ["", "stop", "pause,", "pause resume", "all,next"])
  func whatCannotBeAcknowledgedIsRefused(list: String) throws {
    let options = try SpeechOptions.parse(["--acknowledge", list])
    #expect {
      _ = try options.style()
    } throws: { ($0 as? UserError)?.code == 2 }
  }

  @Test(arguments: Density.allCases) func densityIsAWord(_ density: Density) throws {
    #expect(try SpeechOptions.parse(["--density", density.rawValue]).density == density)
    #expect(throws: (any Error).self) { try SpeechOptions.parse(["--density", "loud"]) }
  }

  /// What is heard of a workout with this configuration, preset and options.
  private func timeline(
    _ configuration: String, _ style: String = "", _ options: String...
  ) async throws -> TimelineObject {
    try space.write(configuration, to: ".config/cuecoach/config.yaml")
    try space.write("name: A\n\(style)sets: 1\nlow: 120s\nhigh: 20s\n", to: "a.yaml")
    let outcome = try await space.program.run(["timeline", "a.yaml", "--json"] + options).expect(0)
    return try TimelineObject(outcome.output)
  }

  @Test func countdownComesFromTheOptionThePresetOrTheConfiguration() async throws {
    let settings = "countdown: 5\n"
    func beeps(_ timeline: TimelineObject) -> Int {
      timeline.cues.count { $0.kind == "countdown" }
    }
    #expect(beeps(try await timeline("")) == 3)
    #expect(beeps(try await timeline(settings)) == 5)
    #expect(beeps(try await timeline(settings, "countdown: 4\n")) == 4)
    #expect(beeps(try await timeline(settings, "countdown: 4\n", "--countdown=2")) == 2)
  }

  @Test func phrasesComeFromThePresetTheConfigurationOrTheCatalogue() async throws {
    let settings = "phrases: {halfway: Half of it, finish: silent}\n"
    func said(_ timeline: TimelineObject, _ kind: String) -> String? {
      timeline.cues.first { $0.kind == kind }?.text
    }
    let configured = try await timeline(settings)
    #expect(said(configured, "halfway") == "Half of it")
    #expect(said(configured, "finish") == "")
    let preset = try await timeline(settings, "phrases: {halfway: The middle}\n")
    #expect(said(preset, "halfway") == "The middle")
    #expect(said(preset, "finish") == "")
    // The configuration's phrases apply to its own language.
    #expect(said(try await timeline(settings, "", "--language=de"), "halfway") == "Halbzeit")
    let german = try await timeline("speech: {language: de}\nphrases: {halfway: Mitte}\n")
    #expect(said(german, "halfway") == "Mitte")
  }

  @Test func voicesListsVariantsToo() async throws {
    let outcome = try await space.run("voices", "--variants")
    #expect(outcome.status == .exited(0) && outcome.errors == "")
    #expect(outcome.lines.contains("f5"))
    let json = try await space.run("voices", "--variants", "--json")
    #expect(json.lines.contains("{\"variant\":\"f5\"}"))
  }

  /// Texts that once crashed the program, as names that are announced.
  private static let texts = [
    "[[h@l'oU]] <break time='9s'/>", "\\u28ff\\u28fe", "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a",
    String(repeating: "b", count: 190), String(repeating: "y.z ., ", count: 28), "\\ue03c\\uffff",
  ]

  @Test(arguments: texts) func noTextOfAPresetEndsTheProgram(text: String) async throws {
    try space.write(
      "name: A\nblocks:\n  - phases:\n      - rest: 10s\n      - work: 1s\n        name: \"\(text)\"\n",
      to: "a.yaml")
    let outcome = try await space.run("render", "a.yaml", "--output", "a.wav", "--voice", "pl")
    #expect([.exited(0), .exited(2)].contains(outcome.status))
    #expect(outcome.errorLines.count <= 1)
  }
}
