import CueEngine
import CueSound
import Foundation
import InstalledFiles
import IntervalTimeline
import TestSupport
import Testing

/// What becomes of a preset's name, what was chosen for the run, and what is installed.
@Suite struct InstallationTests {
  private let space = InstalledSpace()

  private func prepared(
    _ preset: String, _ style: AnnouncementStyle = AnnouncementStyle()
  ) throws -> (workout: PreparedWorkout, warnings: [String]) {
    var warnings: [String] = []
    let installed = try Installation(space.shippedFolders, voices: ScriptedVoices())
    return (try installed.prepared(preset, style) { warnings.append($0) }, warnings)
  }

  private func install(_ style: String = "", in file: String = "near/mine.yaml") throws {
    try space.write(InstalledSpace.preset("Mine", style), to: file)
  }

  private func configure(_ text: String) throws {
    try space.write(text, to: "config/config.yaml")
  }

  private func samples(_ pack: SoundPack, _ meaning: SoundRole) -> [Int16] {
    Array(pack[meaning].samples)
  }

  @Test func aNameIsAllThatARunNeeds() throws {
    let (workout, warnings) = try prepared("tabata")
    #expect(warnings == [])
    #expect(workout.requested.name == "tabata")
    #expect(
      workout.requested.order
        == StartOrder(preset: ShippedPresets.path("hiit/tabata.yaml")))
    #expect(workout.timeline.length == .seconds(240))
    #expect(workout.style.voice == SpeechVoice(name: "en-us", variant: "f5", rate: 150))
    #expect(workout.style.phrases.language == "en")
    #expect(workout.style.acknowledged == Set(Acknowledgement.allCases))
    #expect(samples(workout.sounds, .finish) == samples(SoundPack(), .finish))
  }

  @Test func whatIsRequestedComesBeforeThePresetAndThatBeforeTheConfiguration() throws {
    try configure(
      "density: full\ncountdown: 5\nsounds: gym\nacknowledge: pause\nspeech: {rate: 100, pitch: 9}")
    try install()
    let configured = try prepared("mine").workout
    #expect(configured.style.density == .full && configured.style.countdown == 5)
    #expect(configured.style.acknowledged == [.pause])
    #expect(configured.style.voice.rate == 100 && configured.style.voice.pitch == 9)
    #expect(samples(configured.sounds, .finish) == samples(SoundPack(tones: .gym), .finish))

    try install("density: counts\ncountdown: 4\nsounds: low\nrate: 110\n")
    let preset = try prepared("mine").workout
    #expect(preset.style.density == .counts && preset.style.countdown == 4)
    #expect(preset.style.voice.rate == 110 && preset.style.voice.pitch == 9)
    #expect(samples(preset.sounds, .finish) == samples(SoundPack(tones: .low), .finish))

    let wanted = AnnouncementStyle(
      voice: VoiceSettings(rate: 120), sounds: "default", density: .quiet, countdown: 2)
    let requested = try prepared("mine", wanted).workout
    #expect(requested.style.density == .quiet && requested.style.countdown == 2)
    #expect(requested.style.voice.rate == 120 && requested.style.voice.pitch == 9)
    #expect(samples(requested.sounds, .finish) == samples(SoundPack(), .finish))
    #expect(requested.requested.order.style == wanted)
  }

  @Test func aVoiceBelongsToTheLanguageItWasChosenFor() throws {
    try configure("speech: {language: de, voice: de, variant: f1}\nphrases: {halfway: Mitte}\n")
    try install("language: fr\nvariant: m1\n")
    let french = try prepared("mine").workout.style
    #expect(french.phrases.language == "fr" && french.phrases.phrases[.halfway] != nil)
    #expect(french.voice.name == "fr" && french.voice.variant == "m1")
    let german = try prepared("mine", AnnouncementStyle(language: "de")).workout.style
    #expect(german.voice.name == "de" && german.voice.variant == "f1")
    let english = try prepared("mine", AnnouncementStyle(language: "en")).workout.style
    #expect(english.voice.name == "en-us" && english.voice.variant == "f5")
  }

  private static let mistakes: [(AnnouncementStyle, InstallationError.Kind, String)] = [
    (AnnouncementStyle(language: "xx"), .language, "there is no language \"xx\"; there are "),
    (AnnouncementStyle(sounds: "gim"), .sounds, "there is no sound pack \"gim\"; did you mean "),
    (AnnouncementStyle(voice: VoiceSettings(name: "xx")), .voice, "there is no voice \"xx\"; "),
  ]

  @Test(arguments: mistakes) func whatIsRequestedMustBeThere(
    style: AnnouncementStyle, kind: InstallationError.Kind, line: String
  ) throws {
    #expect {
      try prepared("tabata", style)
    } throws: {
      let error = $0 as? InstallationError
      return error?.kind == kind && error?.description.hasPrefix(line) == true
        && error?.description.contains("\n") == false
    }
  }

  @Test func whatAPresetWantsAndIsNotThereIsAWarning() throws {
    try install("language: xx\nsounds: gim\nvoice: yy\n")
    let (workout, warnings) = try prepared("mine")
    #expect(workout.style.phrases.language == "en" && workout.style.voice.name == "en-us")
    #expect(samples(workout.sounds, .finish) == samples(SoundPack(), .finish))
    #expect(warnings.count == 3)
    #expect(warnings.contains { $0.hasPrefix("there is no language \"xx\", so English is spoken") })
    #expect(warnings.contains { $0.hasPrefix("there is no voice \"yy\", so another voice speaks") })
    #expect(warnings.contains { $0.hasSuffix("; the default sounds are played") })
  }

  // MARK: What is kept with a session

  @Test func pathsThatAreKeptAreAbsolute() throws {
    let here = FileManager.default.currentDirectoryPath
    let installed = try Installation(space.shippedFolders, voices: nil)
    let path = try space.write(InstalledSpace.preset("Mine"), to: "some/rows.of.mine.yaml")
    let requested = try installed.requested(path, AnnouncementStyle(sounds: "./pack"))
    #expect(requested.order.preset == path)
    #expect(requested.order.style.sounds == "\(here)/pack")
    #expect(requested.name == "rows")
    // A name is none.
    let named = try installed.requested("tabata", AnnouncementStyle(sounds: "gym"))
    #expect(named.order.style.sounds == "gym")
  }

  @Test func aNameForTheSessionFitsOneLineAndHasRoomForANumber() throws {
    let installed = try Installation(space.folders, voices: nil)
    let long = String(repeating: "x", count: 60)
    try install(in: "near/\(long).yaml")
    #expect(try installed.requested(long).name == String(repeating: "x", count: 32))
  }

  private static let gone: [(AnnouncementStyle, String, Bool)] = [
    (AnnouncementStyle(sounds: "gim", density: .full), "the usual sounds are played", true),
    (
      AnnouncementStyle(language: "xx", density: .full), "it is announced as its preset says", false
    ),
  ]

  /// A session that is resumed is not kept from it by what was removed meanwhile.
  @Test(arguments: gone) func whatASessionUsedAndIsGoneIsLeftOut(
    style: AnnouncementStyle, says: String, keepsDensity: Bool
  ) throws {
    let installed = try Installation(space.shippedFolders, voices: ScriptedVoices())
    let workout = try installed.requested("tabata").timeline.workout
    #expect(throws: InstallationError.self) {
      try installed.announcement(of: workout, style) { _ in }
    }
    var warnings: [String] = []
    let (restored, sounds) = try installed.restoredAnnouncement(
      of: workout, style, session: "anna"
    ) { warnings.append($0.text) }
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("anna: there is no ") == true)
    #expect(warnings.first?.hasSuffix("; \(says)") == true)
    #expect((restored.density == .full) == keepsDensity)
    #expect(samples(sounds, .finish) == samples(SoundPack(), .finish))
  }

  // MARK: The configuration

  @Test func mistakeInTheConfigurationHasItsPlace() throws {
    try configure("device: default\noutput:\n")
    #expect {
      try Installation(space.folders, voices: nil)
    } throws: {
      let error = $0 as? InstallationError
      let place = "\(space.path("config/config.yaml")):2: unknown key \"output\""
      return error?.kind == .file && error?.description.hasPrefix(place) == true
    }
  }

  @Test func withoutFoldersThereAreTheBuiltInThingsAlone() throws {
    let installed = try Installation(InstalledFolders(), voices: nil)
    #expect(installed.configuration.device == nil)
    #expect(installed.catalogues.languages == ["en"])
    let path = try space.write(InstalledSpace.preset("Mine"), to: "mine.yaml")
    let workout = try installed.prepared(path) { Issue.record("\($0)") }
    #expect(workout.style.phrases == .english)
    #expect(workout.timeline.count == 1)
  }

  @Test func theLanguageIsKnownBeforeAnythingIsAnnounced() throws {
    let installed = try Installation(space.shippedFolders, voices: ScriptedVoices())
    let workout = Workout(name: "", blocks: [])
    #expect(installed.phrases(of: workout, AnnouncementStyle(language: "de")).language == "de")
    #expect(installed.phrases(of: workout, AnnouncementStyle(language: "xx")) == .english)
  }
}
