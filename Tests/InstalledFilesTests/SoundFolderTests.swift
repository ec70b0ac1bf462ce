import CueEngine
import CueSound
import Foundation
import InstalledFiles
import SoundFiles
import TestSupport
import Testing

/// Finding sound packs, and their missing sounds.
@Suite struct SoundFolderTests {
  private let space = InstalledSpace()

  private static let shipped = SourceTree.path("Sounds")

  private func pack(_ name: String?) throws -> (pack: SoundPack, warnings: [String]) {
    var warnings: [String] = []
    let library = SoundLibrary(in: space.shippedFolders)
    let warn = { (warning: String) in warnings.append(warning) }
    let pack = try name.map { try library.pack(named: $0, warn: warn) } ?? library.pack(warn: warn)
    return (pack, warnings)
  }

  private func samples(_ pack: SoundPack, _ meaning: SoundRole) -> [Int16] {
    Array(pack[meaning].samples)
  }

  @Test(arguments: TonePack.allCases) func aShippedPackIsFoundByName(_ tones: TonePack) throws {
    let (pack, warnings) = try pack(tones.rawValue)
    #expect(warnings == [])
    let builtIn = SoundPack(tones: tones)
    for meaning in SoundRole.allCases {
      #expect(samples(pack, meaning) == samples(builtIn, meaning), "\(meaning)")
    }
  }

  @Test func withoutANameItIsTheDefault() throws {
    #expect(samples(try pack(nil).pack, .finish) == samples(SoundPack(), .finish))
  }

  @Test func whatAPackLacksComesFromTheDefault() throws {
    let gong = try Data(contentsOf: URL(fileURLWithPath: "\(Self.shipped)/low/finish.wav"))
    try space.write(gong, to: "mine/finish.wav")
    let (pack, warnings) = try pack(space.path("mine"))
    #expect(warnings == [])
    #expect(samples(pack, .finish) == samples(SoundPack(tones: .low), .finish))
    #expect(samples(pack, .count) == samples(SoundPack(), .count))
  }

  @Test func aDamagedFileIsOneWarningAndReplaced() throws {
    let path = try space.write("no sound", to: "mine/finish.ogg")
    try space.write(Data(count: 5), to: "mine/count.wav")
    let (pack, warnings) = try pack(space.path("mine") + "/")
    #expect(warnings.count == 2)
    #expect(warnings.last?.contains("mine//finish.ogg is not used: ") == true, "\(path)")
    #expect(samples(pack, .finish) == samples(SoundPack(), .finish))
    #expect(samples(pack, .count) == samples(SoundPack(), .count))
  }

  /// A sine that is far too quiet or too loud.
  @Test(arguments: [100, 32_000]) func aFileIsBroughtToTheLoudnessOfAll(_ level: Int) throws {
    try space.makeFolder("mine")
    do {
      let writer = try WAVWriter(space.path("mine/count.wav"))
      let samples = (0..<24_000).map { Int16(Double(level) * sin(Double($0) * 0.1)) }
      try writer.write(samples, count: samples.count)
    }
    let loudness = Loudness.momentary(of: try pack(space.path("mine")).pack[.count])
    #expect(abs(loudness - Loudness.target) < 0.1)
  }

  private static let mistakes = [
    ("gim", "there is no sound pack \"gim\"; did you mean \"gym\"? there are "),
    ("zither", "there is no sound pack \"zither\"; there are "),
    ("", "there is no sound pack \"\"; there are "),
    ("..", "there is no sound pack \"..\"; there are "),
    ("a\nb", "there is no sound pack \"a b\"; there are "),
    ("/nonexistent/x", "there is no folder /nonexistent/x, expected one with a sound pack"),
    ("/dev/null", "there is no folder /dev/null, expected one with a sound pack"),
    (
      "/proc/self",
      "there is no sound in /proc/self, expected .wav, .flac or .ogg files named count, "
        + "high-begins, low-begins, rest-begins, change, set-ends, finish, paused, resumed, too-low, too-high, alarm, "
        + "tick, accent, offbeat"
    ),
  ]

  @Test(arguments: mistakes) func aMissingPackIsAnErrorInTheCommand(
    _ name: String, _ message: String
  ) throws {
    do throws(InstallationError) {
      _ = try SoundLibrary(in: space.shippedFolders).pack(named: name) { Issue.record("\($0)") }
      Issue.record("it was found")
    } catch {
      let all = TonePack.allCases.map(\.rawValue).sorted().joined(separator: ", ")
      #expect(error.description == (message.hasSuffix("there are ") ? message + all : message))
      #expect(error.kind == .sounds)
    }
  }

  @Test func aPackOfOnesOwnHidesTheInstalledOne() throws {
    let gong = try Data(contentsOf: URL(fileURLWithPath: "\(Self.shipped)/low/finish.wav"))
    try space.write(gong, to: "config/sounds/gym/finish.wav")
    try space.write("no pack", to: "config/sounds/.hidden/finish.wav")
    let packs = SoundLibrary(in: space.shippedFolders).all()
    #expect(packs.map(\.name) == TonePack.allCases.map(\.rawValue).sorted())
    let gym = try #require(packs.first { $0.name == "gym" })
    #expect(gym.path == space.path("config/sounds/gym"))
    #expect(gym.files.map(\.meaning) == [.finish])
    #expect(samples(try pack("gym").pack, .finish) == samples(SoundPack(tones: .low), .finish))
  }

  @Test func whereNothingIsInstalledTheBuiltInSoundsArePlayed() throws {
    let library = SoundLibrary(in: InstalledFolders())
    #expect(library.all().isEmpty)
    let pack = library.pack { Issue.record("\($0)") }
    #expect(samples(pack, .finish) == samples(SoundPack(), .finish))
    #expect {
      try library.find("gym")
    } throws: {
      "\($0)" == "there is no sound pack \"gym\"; none is installed"
    }
  }
}
