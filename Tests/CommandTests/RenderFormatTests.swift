import CueSound
import Foundation
import SoundFiles
import Testing

/// Rendering to files for phones and players: formats, a file a set, chapters, music.
@Suite struct RenderFormatTests {
  private let space = Workspace()

  /// Without words, because espeak-ng never speaks the same way twice.
  private static let preset = """
    name: Zäh "Rows"
    density: quiet
    blocks:
      - phases:
          - prepare: 3s
      - sets: 2
        phases:
          - work: 2s
          - low: 1.49s
        between: {rest: 2s}
      - phases:
          - rest: {until: next, at-most: 6s}

    """

  init() throws { try space.write(Self.preset, to: "p.yaml") }

  private func render(_ arguments: String...) async throws {
    let outcome = try await space.program.run(["render", "p.yaml"] + arguments).expect(0)
    #expect(outcome.output == "" && outcome.errors == "")
  }

  private func sound(_ name: String) throws -> [Int16] {
    Array(try SoundFile.read(space.path(name), rate: 48_000).samples)
  }

  /// The frames at which sound begins after a fifth of a second of silence.
  private func onsets(_ samples: [Int16]) -> [Int] {
    var onsets: [Int] = []
    var last = -9_600
    for (frame, sample) in samples.enumerated() where sample.magnitude > 600 {
      if frame - last >= 9_600 { onsets.append(frame) }
      last = frame
    }
    return onsets
  }

  @Test(arguments: ["flac", "ogg", "opus"])
  func everyFormatHasTheSoundsOfTheWave(ending: String) async throws {
    try await render("--output", "a.wav")
    try await render("--output", "a.\(ending)")
    let (wave, other) = (try sound("a.wav"), try sound("a.\(ending)"))
    #expect(other.count == wave.count)
    if ending == "flac" { #expect(other == wave) }
    let (expected, found) = (onsets(wave), onsets(other))
    #expect(expected.count > 10)
    #expect(found.count == expected.count)
    // Within 3 ms.
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 144 })
  }

  @Test func aFileForEachSetIsCutWhereTheSetBegins() async throws {
    try await render("--output", "a.wav")
    try await render("--output", "s.flac", "--split", "--cue-sheet", "s.cue")
    let parts = try (1...4).map { try sound("s-0\($0).flac") }
    #expect(!space.has("s.flac") && !space.has("s-05.flac"))
    let lengths = parts[..<3].map(\.count)
    #expect(lengths == [144_000, 263_520, 167_520])
    #expect(try Array(parts.joined()) == sound("a.wav"))
    let lines = try space.text("s.cue").split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.hasPrefix("FILE") } == (1...4).map { "FILE \"s-0\($0).flac\" WAVE" })
    #expect(lines.filter { $0.contains("INDEX 01 00:00:00") }.count == 4)
    #expect(
      lines[11..<14] == [
        "    INDEX 01 00:02:00", "  TRACK 04 AUDIO", "    TITLE \"Rest, set 1 of 2\"",
      ])

    let again = try await space.run("render", "p.yaml", "--output", "s.flac", "--split").expect(2)
    #expect(
      again.errors
        == "cuecoach: --split: s-01.flac exists; expected another name, or --force\n")
    // The tracks of a longer workout go, and nothing else that is named alike.
    let track = try space.data("s-04.flac")
    for name in ["s-05.flac", "s-101.flac"] { try space.write(track, to: name) }
    try space.write("no sound", to: "s-06.flac")
    let shorter = try await space.run(
      "render", "p.yaml", "--output", "s.flac", "--split", "--force"
    ).expect(0)
    #expect(
      shorter.errors.contains("removed, as tracks of a longer workout: s-05.flac, s-101.flac"))
    #expect(!space.has("s-05.flac") && !space.has("s-101.flac"))
    #expect(space.has("s-04.flac") && space.has("s-06.flac"))
  }

  /// In minutes, seconds and 75ths: where the phases begin in the timeline.
  @Test func aCueSheetHasThePhasesOfTheTimeline() async throws {
    try await render("--output", "a.ogg", "--cue-sheet", "a.cue")
    let lines = try space.text("a.cue").split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines.prefix(2) == ["TITLE \"Zäh 'Rows'\"", "FILE \"a.ogg\" WAVE"])
    let times = lines.filter { $0.hasPrefix("INDEX 01 ") }.map { line -> Double in
      let parts = line.dropFirst(9).split(separator: ":").compactMap { Double($0) }
      return parts[0] * 60 + parts[1] + parts[2] / 75
    }
    let json = try await space.run("timeline", "p.yaml", "--json")
    let starts = try TimelineObject(json.output).phases.compactMap(\.start)
    #expect(times.count == 7 && starts.count == 7)
    // Rounded down.
    #expect(zip(times, starts).allSatisfy { (0..<0.0134).contains($1 - $0) })
    #expect(lines.contains("TITLE \"Low, set 2 of 2\""))
  }

  @Test func aWorkoutOfMorePhasesThanTracksHasItsSets() async throws {
    func sheet(sets: Int) async throws -> Outcome {
      try space.write(
        "name: Long\ndensity: quiet\nsets: \(sets)\nlow: 1s\nhigh: 1s\n", to: "p.yaml")
      return try await space.run("render", "p.yaml", "--output", "a.flac", "--cue-sheet", "a.cue")
    }
    #expect(try await sheet(sets: 60).status == .exited(0))
    let text = try space.text("a.cue")
    #expect(text.contains("TRACK 60 AUDIO") && !text.contains("TRACK 61"))
    #expect(text.contains("TITLE \"Set 60 of 60\""))
    let refused = try await sheet(sets: 100)
    #expect(refused.status == .exited(2))
    #expect(refused.errors == "cuecoach: --cue-sheet: 100 sets, expected at most 99\n")
    // That is said before the sound is rendered.
    let unwritable = try await space.run(
      "render", "tabata", "--output", "late.wav", "--cue-sheet", "nowhere/a.cue"
    ).expect(1)
    #expect(unwritable.errors.contains("nowhere/a.cue: there is no folder nowhere;"))
    #expect(!FileManager.default.fileExists(atPath: space.path("late.wav")))
  }

  @Test func musicLiesUnderTheCuesFromTheBeginningToTheEnd() async throws {
    let writer = try SoundFileWriter(space.path("m.flac"), as: .flac, rate: 44_100, channels: 2)
    let tone = (0..<44_100).flatMap { frame -> [Int16] in
      let phase = 2 * Double.pi * 500 * Double(frame) / 44_100
      let sample = Int16(9_000 * sin(phase))
      return [sample, -sample / 2]
    }
    try writer.write(tone, count: 44_100)
    try writer.finish()
    try await render("--output", "a.wav")
    try await render("--output", "b.wav", "--music", "m.flac")
    let (plain, mixed) = (try sound("a.wav"), try sound("b.wav"))
    #expect(plain[Int(13 * 48_000)..<Int(14 * 48_000)].allSatisfy { $0 == 0 })
    // Until the music has faded out, two seconds after the finish.
    let seconds: Double = 3 + 2 * 3.49 + 2 + 6 + 2
    let expected = Int((seconds * 48_000).rounded())
    #expect(mixed.count == expected)
    // Without a cue, and under the first sound.
    func music(_ frames: Range<Int>) -> Double {
      let powers = frames.map { frame in
        let music = Double(mixed[frame]) - Double(frame < plain.count ? plain[frame] : 0)
        return music * music
      }
      return 10 * log10(powers.reduce(0, +) / Double(powers.count))
    }
    let quiet = music(Int(13.3 * 48_000)..<Int(13.7 * 48_000))
    #expect(abs(quiet - music(0..<4_800) - 10) < 0.3)
    // The files that a command reads are not written.
    try await space.run("render", "p.yaml", "--output", "m.flac", "--music", "m.flac").expect(2)
  }

  /// libmpg123 writes notes of its own on such a file.
  @Test func musicThatIsNoSoundIsOneLine() async throws {
    // A header of MPEG audio, and no frame.
    var bytes = Data([0xFF, 0xFB, 0x90, 0x64])
    bytes.append(Data(repeating: 0, count: 3000))
    try (bytes + bytes + bytes).write(to: URL(fileURLWithPath: space.path("m.mp3")))
    let refused = try await space.run("render", "p.yaml", "--output", "b.wav", "--music", "m.mp3")
      .expect(2)
    #expect(refused.errors.split(separator: "\n").count == 1, "\(refused.errors)")
  }
}
