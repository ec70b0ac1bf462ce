import Foundation
import Testing

/// Rendering a workout to a sound file.
@Suite struct RenderCommandTests {
  private let space = Workspace()

  private func render(_ preset: String) async throws -> (TimelineObject, Recording) {
    let json = try await space.run("timeline", preset, "--json")
    try await space.run("render", preset, "--output", "out.wav").expectSilentSuccess()
    return (try TimelineObject(json.output), try space.recording("out.wav"))
  }

  private func render(text: String) async throws -> (TimelineObject, Recording) {
    return try await render(space.write(text, to: "preset.yaml"))
  }

  @Test func demoIsAWholeFileOfAtLeastItsLength() async throws {
    let (timeline, sound) = try await render("demo")
    let length = try #require(timeline.length)
    #expect(sound.isWhole)
    #expect(sound.rate == 48_000)
    #expect(sound.samples.count >= Int(length * 48_000))
    #expect(sound.peak > 1000)
  }

  @Test func everyBeepLiesOnItsFrame() async throws {
    let (timeline, sound) = try await render(text: Preset.counted)
    let beeps = timeline.cues.filter { $0.kind == "countdown" }.compactMap(\.at)
    #expect(beeps == [6, 7, 8])
    let first = try #require(sound.onsets.dropFirst().first)
    // The clip begins with silent samples, the same number each time.
    let lead = first - 288_000
    #expect((0..<48).contains(lead))
    let heard = sound.onsets.dropFirst().prefix(3).map { $0 - lead }
    #expect(heard == beeps.map { Int($0 * 48_000) })
    let clips = heard.map { Array(sound.samples[$0..<$0 + 24_000]) }
    #expect(clips.allSatisfy { $0 == clips[0] })
  }

  @Test func openPhaseLastsFiveSeconds() async throws {
    let (timeline, sound) = try await render(text: Preset.open)
    #expect(timeline.length == nil)
    #expect(sound.isWhole)
    #expect(sound.samples.count >= 3 * 5 * 48_000)
  }

  /// Without words, because espeak-ng never speaks the same way twice.
  @Test func sameWorkoutSoundsTheSame() async throws {
    let (_, first) = try await render(text: "density: quiet\n" + Preset.oneSet)
    let (_, second) = try await render(text: "density: quiet\n" + Preset.oneSet)
    #expect(first.peak > 1000)
    #expect(first.samples == second.samples)
  }

  @Test func theAthletesAlarmIsHeardAgainstReadings() async throws {
    try space.write(
      "athletes:\n  default: {heart-rate-alarm: 175}\n", to: ".config/cuecoach/config.yaml")
    try space.write("name: Alarm\nsets: 1\nlow: 20s\nhigh: 10s\n", to: "p.yaml")
    try space.write((0..<60).map { "\($0),heart-rate,180\n" }.joined(), to: "r.csv")
    try await space.run(
      "render", "p.yaml", "--with", "r.csv", "--output", "out.wav", "--ledger", "out.jsonl"
    ).expect(0)
    let ledger = try String(contentsOfFile: space.path("out.jsonl"), encoding: .utf8)
    #expect(ledger.contains("\"text\":\"alarm\""))
  }

  @Test func silenceTakesNoRoomOnTheDisk() async throws {
    let preset = try space.write(
      "name: Long\ndensity: quiet\nsets: 2\nlow: 60s\nhigh: 60s\n", to: "p.yaml")
    try await space.run("render", preset, "--output", "out.wav").expect(0)
    #expect(try space.recording("out.wav").isWhole)
    var info = stat()
    #expect(stat(space.path("out.wav"), &info) == 0)
    #expect(info.st_size > 240 * 96_000)
    #expect(Int(info.st_blocks) * 512 < Int(info.st_size) / 2)
  }

  @Test func aSignalLeavesNoEmptyFile() async throws {
    let preset = try space.write(
      "name: Long\ndensity: quiet\nsets: 5000\nlow: 5s\nhigh: 5s\n", to: "long.yaml")
    // It waits for the reader of its ledger, which does not read.
    let pipe = space.path("ledger")
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(reader) }
    let program = try await space.program.start([
      "render", preset, "--output", "out.wav", "--ledger", "ledger",
    ])
    try await program.until("the pipe is full") {
      var pipe = pollfd(fd: reader, events: Int16(POLLOUT), revents: 0)
      return poll(&pipe, 1, 0) == 0
    }
    #expect(space.has("out.wav"))
    let outcome = await program.end(by: SIGTERM)
    #expect(outcome.status == .killed(SIGTERM))
    #expect(!space.has("out.wav"))
  }

  @Test func fileThatIsThereIsReplaced() async throws {
    let preset = try space.write(Preset.tiny, to: "tiny.yaml")
    let old = "RIFF\u{1}\u{1}\u{1}\u{1}WAVE" + String(repeating: "x", count: 3_000_000)
    try space.write(old, to: "out.wav")
    try await space.run("render", preset, "--output", "out.wav").expect(0)
    let sound = try space.recording("out.wav")
    #expect(sound.isWhole)
    #expect(sound.samples.count < 1_000_000)
  }
}
