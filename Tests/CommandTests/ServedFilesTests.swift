import ControlProtocol
import CueSound
import Dispatch
import InstalledFiles
import IntervalTimeline
import Synchronization
import TestSupport
import Testing

@testable import cuecoach

/// What a service reads, on a disk that takes its time.
@Suite struct ServedFilesTests {
  private let space = Workspace()

  /// A disk that answers when it may.
  private final class SlowDisk: Sendable {
    let asked = DispatchSemaphore(value: 0)
    let mayAnswer = DispatchSemaphore(value: 0)
    /// Protects how often it was asked.
    let count = Mutex(0)

    func presets() -> [PresetEntry] {
      let number = count.withLock { count in
        count += 1
        return count
      }
      asked.signal()
      mayAnswer.wait()
      return [PresetEntry(name: "reading \(number)")]
    }
  }

  @Test func nothingWaitsForPresetsThatAreRead() async throws {
    let disk = SlowDisk()
    let installed = try Installation(InstalledFolders(), voices: nil)
    let files = ServedFiles(installed, nil, list: { _, _ in disk.presets() })
    async let first = apart { try files.presets(nil, outline: false).entries.map(\.name) }
    try await apart {
      disk.asked.wait()
      // Each would wait for ever if the reader had the lock.
      _ = files.installed
      files.replace(installed)
      #expect(throws: ControlError.self) { try files.workout(StartOrder(preset: "nothing")) }
      disk.mayAnswer.signal()
    }
    #expect(try await first == ["reading 1"])
    disk.mayAnswer.signal()
    #expect(
      try await apart { try files.presets(nil, outline: false).entries.map(\.name) } == [
        "reading 2"
      ])
  }

  /// Another voice would speak.
  @Test func voicesThatAreNotInstalledAreNotOffered() throws {
    struct Voices: VoiceList {
      func check(_ voice: SpeechVoice) throws(SpeechError) {
        guard ["en-gb", "pack:anna"].contains(voice.name), voice.variant != "x" else {
          throw SpeechError(kind: .unknownVoice, detail: "there is none")
        }
      }
      func languages() -> [String] { ["en-gb"] }
      func variants() -> [String] { [] }
    }
    try space.write(
      "speech: {offered: [en-gb, en-gb+f3, en-gb+x, flite:slt, pack:anna, pack:ben]}\n",
      to: "config/config.yaml")
    let folders = InstalledFolders(configuration: space.path("config"))
    let files = ServedFiles(try Installation(folders, voices: Voices()), nil)
    #expect(files.offeredVoices == ["en-gb", "en-gb+f3", "pack:anna"])
  }

  @Test(arguments: [
    (QuickTimer(sets: 8, work: 30, rest: 15), "8 × 0:30 / 0:15", [10.0, 30, 15], 355.0),
    (
      QuickTimer(sets: 24, work: 3600, rest: 0, prepare: 0), "24 × 1:00:00", [3600, 3600, 3600],
      86_400
    ),
    (QuickTimer(sets: 1, work: 1, rest: 3600, prepare: 60), "1 × 0:01 / 1:00:00", [60, 1], 61),
  ]) func aQuickTimerIsAWorkout(
    _ quick: QuickTimer, _ name: String, _ first: [Double], _ seconds: Double
  ) throws {
    let files = ServedFiles(try Installation(InstalledFolders(), voices: nil), nil)
    var order = StartOrder()
    order.quick = quick
    let workout = try files.workout(order)
    #expect(workout.name == name && workout.timeline.workout.preset == nil)
    #expect(workout.timeline.length == .seconds(seconds))
    let lengths = workout.timeline.entries.prefix(3).map { $0.phase.length.duration ?? .zero }
    #expect(lengths.map { $0 / .seconds(1) } == first)
    #expect(workout.timeline.entries.last?.set == quick.sets)
  }

  /// Of the file nothing is quoted, because it is not read.
  @Test func aPathIsNoLanguage() throws {
    try space.write("secret: 1\n", to: "secret.yaml")
    let folders = InstalledFolders(data: space.folder, configuration: space.path("config"))
    try space.write(Preset.tiny, to: "Presets/tiny.yaml")
    try space.write("", to: "config/phrases/note.txt")
    let files = ServedFiles(try Installation(folders, voices: nil), nil)
    let line = #"{"id":1,"verb":"start","preset":"tiny","style":{"language":"../../secret"}}"#
    #expect(
      throws: ControlError(
        .invalid, "style.language \"../../secret\": expected a language such as en or pt-br")
    ) {
      do {
        _ = try ControlCoding.request(Array(line.utf8))
      } catch let failure as ControlFailure {
        throw failure.error
      }
    }
    let style = AnnouncementStyle(language: "../../secret")
    #expect(throws: ControlError.self) {
      try files.workout(StartOrder(preset: "tiny", style: style))
    }
  }

  /// So that it is found by what it is called.
  @Test func aPresetWithAMistakeHasItsName() throws {
    try space.write("name: Broken\nlow: 1m\nhigh: abc\n", to: "Presets/broken.yaml")
    let folders = InstalledFolders(data: space.folder, state: space.path("state"))
    let files = ServedFiles(try Installation(folders, voices: nil), nil)
    let broken = try files.presets("broken", outline: false).entries.first
    #expect(broken?.workout == "Broken" && broken?.error?.isEmpty == false)
  }

  @Test func textsOfPresetsAreReadAndThoseOfSurfacesChanged() throws {
    try space.write(Preset.tiny, to: "Presets/tiny.yaml")
    let folders = InstalledFolders(data: space.folder, state: space.path("state"))
    let files = ServedFiles(try Installation(folders, voices: nil), nil)
    #expect(files.isEditable)
    #expect(
      try files.preset("tiny", version: nil) == PresetText(name: "tiny", workout: Preset.tiny))
    let refused = failure(ControlError.self) {
      _ = try files.save(PresetChange(preset: "Tiny", workout: "name: Mine"))
    }
    #expect(refused?.code == .nameTaken)
    let nameless = failure(ControlError.self) {
      _ = try files.save(PresetChange(preset: ".mine", workout: Preset.tiny))
    }
    #expect(nameless?.code == .badName)
    let copy = try files.save(PresetChange(preset: "mine", workout: Preset.tiny))
    #expect(try files.preset("mine", version: nil) == copy)
    #expect(try files.workout(StartOrder(preset: "mine")).name == "mine")
    #expect(try files.presets(nil, outline: false).entries.map(\.name) == ["mine", "tiny"])
    let changed = try files.save(
      PresetChange(preset: "mine", workout: "# mine\n" + Preset.tiny, tag: copy.tag))
    #expect(changed.versions?.map(\.number) == [1])
    #expect(changed.versions?.first?.saved.hasPrefix("20") == true)
    #expect(try files.preset("mine", version: 1).workout == Preset.tiny)
    let late = failure(ControlError.self) {
      _ = try files.save(PresetChange(preset: "mine", workout: "other", tag: copy.tag))
    }
    #expect(late == ControlError(.changed, "\"mine\" has been changed meanwhile"))
    let large = failure(ControlError.self) {
      _ = try files.save(
        PresetChange(preset: "large", workout: String(repeating: "#", count: 49_153)))
    }
    #expect(large == ControlError(.tooLarge, "49153 bytes; a preset has at most 49152"))
    try files.delete("mine", tag: try #require(changed.tag))
    #expect(
      failure(ControlError.self) { _ = try files.preset("mine", version: nil) }?.code
        == .unknownPreset)
  }

  /// A program may fetch a voice for every name.
  @Test func presetOfASurfaceHasAVoiceThatIsOffered() throws {
    let text = "voice: \"wyoming:any\"\n" + Preset.tiny
    try space.write(text, to: "Presets/shipped.yaml")
    let folders = InstalledFolders(data: space.folder, state: space.path("state"))
    let files = ServedFiles(try Installation(folders, voices: nil), nil)
    _ = try files.save(PresetChange(preset: "mine", workout: text))
    let refused = failure(ControlError.self) {
      _ = try files.workout(StartOrder(preset: "mine"))
    }
    #expect(
      refused
        == ControlError(
          .notAllowed,
          "mine: voice: wyoming:any is not \"offered\" in config.yaml, or not installed"))
    #expect(try files.workout(StartOrder(preset: "shipped")).name == "shipped")
  }

  @Test func configurationForbidsEditing() throws {
    try space.write("page: {edit: no}\n", to: "config/config.yaml")
    let folders = InstalledFolders(configuration: space.path("config"))
    #expect(!ServedFiles(try Installation(folders, voices: nil), nil).isEditable)
  }

  @Test func allPresetsAreListedInTheOrderThatIsSeen() throws {
    let names = ["a!", "a\u{7f}"] + (1000..<1600).map { "p\($0)" }
    for name in names { try space.write(Preset.tiny, to: "Presets/\(name).yaml") }
    try space.write(Preset.tiny, to: "Presets/hiit/a.yaml")
    let folders = InstalledFolders(data: space.folder)
    let files = ServedFiles(try Installation(folders, voices: nil), nil)
    let (entries, omitted) = try files.presets(nil, outline: false)
    #expect(entries.map(\.name) == ["a ", "a!"] + names.dropFirst(2) + ["a"])
    #expect(omitted == 0)
  }
}
