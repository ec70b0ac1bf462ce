import CueSound
import Foundation
import TestSupport
import Testing

/// The list of sound packs, and writing the built-in sounds to files.
@Suite struct SoundsCommandTests {
  private struct Pack: Decodable {
    struct Sound: Decodable {
      let meaning: String
      let file: String
    }
    let pack: String
    let path: String
    let sounds: [Sound]
  }

  private let space = Workspace()

  private static let shipped = SourceTree.path("Sounds")

  private func list() async throws -> [Pack] {
    let outcome = try await space.run("sounds", "--json").expectSuccess()
    return try outcome.lines.map { try JSONDecoder().decode(Pack.self, from: Data($0.utf8)) }
  }

  @Test func everyShippedPackHasEverySound() async throws {
    let packs = try await list()
    #expect(packs.map(\.pack) == ["default", "gym", "low"])
    for pack in packs {
      #expect(pack.sounds.map(\.meaning) == SoundRole.allCases.map(\.rawValue))
      #expect(pack.sounds.allSatisfy { $0.file.hasPrefix(pack.path + "/") })
    }
  }

  @Test func packsOfTheUserComeFirstAndShowWhatTheyHave() async throws {
    let folder = ".config/cuecoach/sounds"
    for file in [
      "mine/count.flac", "mine/finish.ogg", "mine/finish.wav", "mine/paused.oga", "mine/gong.wav",
      "low/set-ends.wav", "empty/notes.txt", ".hidden/count.wav", "no-folder",
    ] {
      try space.write("", to: "\(folder)/\(file)")
    }
    let packs = try await list()
    #expect(packs.map(\.pack) == ["default", "empty", "gym", "low", "mine"])
    let mine = try #require(packs.last)
    #expect(mine.sounds.map(\.meaning) == ["count", "finish", "paused"])
    #expect(
      mine.sounds.map { $0.file.dropFirst(mine.path.count) }
        == ["/count.flac", "/finish.wav", "/paused.oga"])
    #expect(packs[3].path == space.path("\(folder)/low"))

    let lines = try await space.run("sounds").lines
    #expect(lines.count == 5)
    #expect(lines[0].hasSuffix("Sounds/default  (all sounds)"))
    #expect(lines[1].hasSuffix("/empty  (no sounds)"))
    #expect(lines[4] == "mine     \(mine.path)  (count, finish, paused)")
  }

  @Test(arguments: TonePack.allCases) func shippedFilesAreTheBuiltInSounds(pack: TonePack)
    async throws
  {
    try await space.run("sounds", "--output", "a/b", "--pack", pack.rawValue).expectSilentSuccess()
    for meaning in SoundRole.allCases {
      let name = "\(meaning.rawValue).wav"
      let sound = try space.recording("a/b/\(name)")
      #expect(sound.isWhole && sound.rate == 48_000 && sound.peak > 0, "\(name)")
      let file = URL(fileURLWithPath: "\(Self.shipped)/\(pack.rawValue)/\(name)")
      let shipped = try Recording(Data(contentsOf: file))
      #expect(shipped.samples == sound.samples, "\(name); make sounds writes them")
    }
  }

  @Test func withoutAPackItIsTheDefaultThatIsWritten() async throws {
    #expect(try await space.run("sounds", "--output", "x").status == .exited(0))
    #expect(try await space.run("sounds", "--output", "y", "--pack", "default").errors == "")
    let (x, y) = (try space.recording("x/count.wav"), try space.recording("y/count.wav"))
    #expect(x.samples == y.samples)
  }

  @Test func damagedFileOfTheUserIsReportedOnceAndReplaced() async throws {
    let preset = try space.write(Preset.counted, to: "counted.yaml")
    // Only sounds, because espeak-ng never speaks the same way twice.
    _ = try await space.run("render", preset, "--density", "quiet", "--output", "whole.wav")
    try space.write("no sound", to: ".config/cuecoach/sounds/default/count.wav")
    let outcome = try await space.run(
      "render", preset, "--density", "quiet", "--output", "damaged.wav"
    ).expect(0)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("sounds/default/count.wav is not used: "))
    #expect(
      try space.recording("damaged.wav").samples == (try space.recording("whole.wav").samples))
  }

  @Test func soundOfTheUserReplacesTheInstalledOne() async throws {
    let preset = try space.write(Preset.counted, to: "counted.yaml")
    let file = URL(fileURLWithPath: "\(Self.shipped)/gym/count.wav")
    let own = try Data(contentsOf: file)
    try space.write(own, to: ".config/cuecoach/sounds/default/count.wav")
    let outcome = try await space.run("render", preset, "--output", "x.wav")
    #expect(outcome.errors == "")
    // The beep of second 6.
    let beep = try Recording(own).samples
    let heard = try space.recording("x.wav").samples[288_000...].prefix(beep.count)
    #expect(Array(heard) == beep)
  }
}
