import Foundation
import Glibc
import TestSupport
import Testing

/// Commands with a program in config.yaml whose voices may speak.
struct OtherVoicesTests {
  private static let child = SourceTree.path("Tests/wyoming/child")

  private let space = Workspace()

  private func run(with kind: String, _ arguments: String...) async throws -> Outcome {
    try configure("[\(Self.child), \(kind)]")
    return try await space.program.run(arguments)
  }

  private func configure(_ command: String, voice: String = "tone") throws {
    try space.write(
      "speech:\n  command: \(command)\n  voice: \(voice)\n", to: ".config/cuecoach/config.yaml")
  }

  /// That it is placed at its time is all that there is to be told of a text.
  @Test func aTextByAnotherVoiceIsNotMoved() async throws {
    try space.write(
      "name: One\nblocks:\n  - phases:\n    - work: 9s\n      say: [{at: 4s, text: Bad}]\n",
      to: "one.yaml")
    let outcome = try await run(with: "error", "timeline", "one.yaml")
    outcome.expect(0)
    let line = try #require(outcome.lines.first { $0.contains("text: Bad") })
    #expect(line.contains("0:04  text: Bad  (not by wyoming:tone: "))
    #expect(!outcome.output.contains("moved:"))
  }

  /// A program may be configured besides.
  @Test func aVoicesNameSaysWhoseItIs() async throws {
    try space.write(Preset.oneSet, to: "one.yaml")
    try configure("[\(Self.child), good]", voice: "pack:anna")
    let outcome = try await space.run("timeline", "one.yaml")
    #expect(outcome.errors.contains("there is no recorded voice \"pack:anna\""))
    #expect(!outcome.output.contains("wyoming"))
    // One with a colon of its own.
    try configure("[\(Self.child), good]", voice: "\"a:b\"")
    let other = try await space.run(
      "render", "one.yaml", "--output", "one.wav", "--ledger", Workspace.ledgerName)
    other.expectSuccess()
    #expect(space.ledger.cues.contains { $0.voice == "wyoming:a:b" })
  }

  /// A voice that has to be loaded may take a minute.
  @Test func aTerminalSaysWhatIsWaitedFor() async throws {
    try configure("[\(Self.child), no-reader]")
    let terminal = try PseudoTerminal()
    let voices = try await space.program.start(["voices"], on: terminal)
    try await voices.until("it says so") {
      voices.output.contains("waiting for wyoming, which may take a minute …")
    }
    _ = await voices.end(by: SIGKILL)
    // A pipe does not.
    try await run(with: "slow-start, 1.5", "voices").expectSuccess()
  }

  @Test func wordsThatCannotBeKeptAreALine() async throws {
    try space.write(Preset.oneSet, to: "one.yaml")
    try configure("[\(Self.child), good]")
    let full = space.program.with(\.setUp, "trap '' XFSZ && ulimit -f 4")
    let outcome = try await full.run(["voices", "--prepare", "one.yaml"])
    outcome.expect(1)
    // A library has a line of its own about the limit.
    let lines = outcome.errorLines.filter { $0.hasPrefix("cuecoach: ") }
    #expect(lines.count == 1)
    #expect(lines.first?.hasSuffix("File too large: no more words can be kept") == true)
    #expect(outcome.output == "")
    try await space.run("voices", "--prepare", "one.yaml").expectSuccess()
  }

  @Test func voicesThatNobodyCouldNameAreNotListed() async throws {
    let outcome = try await run(with: "odd-names", "voices")
    #expect(outcome.status == .exited(0))
    let voices = outcome.lines.filter { $0.hasPrefix("wyoming:") }
    #expect(voices.first == "wyoming:good  (wyoming, en)")
    #expect(voices.count == 1000 && voices.last == "wyoming:v998  (wyoming, en)")
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.hasPrefix("cuecoach: 4005 of 5005 voices of wyoming are left out: "))
  }

  /// Also what the program has started, and what no signal but that to kill ends.
  @Test func nothingOutlivesACoachThatIsKilled() async throws {
    try space.write(Preset.long, to: "long.yaml")
    let file = space.path("group")
    try configure("[\(Self.child), family, \(file)]")
    let coach = try await space.program.start(["run", "long.yaml", "--no-sound"])
    try await coach.until("the voice speaks") {
      (try? String(contentsOfFile: file, encoding: .utf8))?.isEmpty == false
    }
    let group = try #require(pid_t(String(contentsOfFile: file, encoding: .utf8)))
    #expect(Glibc.kill(-group, 0) == 0)
    _ = await coach.end(by: SIGKILL)
    #expect(await eventually { Glibc.kill(-group, 0) != 0 })
    Glibc.kill(-group, SIGKILL)
  }

  /// As in a workout, one voice says all numbers of a count.
  @Test func aVoiceThatLacksANumberIsTriedWithoutACount() async throws {
    try configure("[\(Self.child), refuses-bad]")
    let card = try SoundCard(in: space)
    let outcome = try await card.program.run(["voices", "--try", "wyoming:tone"])
    #expect(
      outcome.lines.dropFirst().first
        == "wyoming:tone  (Set 3 of 8. Next: Hard, 4 minutes. 3, 2, 1, 0), the count by en-us")
  }

  /// A command that ends does not promise another attempt.
  @Test func aProgramAtFaultIsNamedOnce() async throws {
    try space.write(Preset.oneSet, to: "one.yaml")
    let outcome = try await run(
      with: "garbage", "render", "one.yaml", "--output", "out.wav", "--ledger", "ledger.jsonl")
    #expect(outcome.status == .exited(0) && outcome.errorLines.count == 1)
    #expect(
      outcome.errorLines.first
        == "cuecoach: the voice's server \(Self.child): a line that is no event of the Wyoming protocol"
    )
    #expect(!outcome.errors.contains("again"))
    let ledger = try String(contentsOfFile: space.path("ledger.jsonl"), encoding: .utf8)
    #expect(ledger.contains("a line that is no event of the Wyoming protocol"))
  }

  /// The program in the documentation speaks for one that writes a file: here it is one of the sounds.
  @Test func aProgramThatWritesAFileSpeaks() async throws {
    let blocks = DocumentationPage.all.flatMap(\.blocks)
    let block = try #require(
      blocks.first { $0.language == "python" && $0.text.contains("wav-voice") })
    let script = try space.write(block.text, to: "wav-voice")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let sound = SourceTree.path("Sounds/default/finish.wav")
    try configure("[\(script), en, cp, \(sound), \"{file}\"]")
    let voices = try await space.run("voices")
    voices.expectSuccess()
    #expect(voices.lines.last == "wyoming:voice  (wyoming, en)")
    try space.write(Preset.oneSet, to: "one.yaml")
    let outcome = try await space.run(
      "render", "one.yaml", "--output", "out.wav", "--ledger", "ledger.jsonl")
    outcome.expectSuccess()
    let ledger = try String(contentsOfFile: space.path("ledger.jsonl"), encoding: .utf8)
    #expect(ledger.contains("\"voice\":\"wyoming:tone\""))
  }
}
