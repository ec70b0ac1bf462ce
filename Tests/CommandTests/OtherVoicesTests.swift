import Foundation
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

  private func configure(_ command: String) throws {
    try space.write(
      "speech:\n  command: \(command)\n  voice: tone\n", to: ".config/cuecoach/config.yaml")
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
