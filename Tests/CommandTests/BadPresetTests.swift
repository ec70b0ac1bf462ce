import Foundation
import Testing

/// Invalid presets: every command that reads one reports the location and does nothing else.
@Suite struct BadPresetTests {
  private let space = Workspace()

  /// The command line before and after the preset.
  static let commands: [[String]] = [
    ["run", "PRESET", "--no-sound", "--record", "kept.wav", "--ledger", "kept.wav"],
    ["run", "tiny.yaml", "ben=PRESET", "--no-sound", "--record", "kept.wav"],
    ["check", "PRESET"], ["timeline", "PRESET"], ["timeline", "PRESET", "--json"],
    ["render", "PRESET", "--output", "kept.wav"], ["show", "PRESET"], ["convert", "PRESET"],
  ]

  @Test(arguments: commands) func everyCommandGoesNoFurther(command: [String]) async throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    try space.write("as it was", to: "kept.wav")
    try space.write("name: A\nsets: 2\nlow: 30s\nhigh: 30s\nhihg: 3\n", to: "bad.yaml")
    try space.write("", to: "folder.yaml/file")
    for (name, says) in [
      ("bad.yaml", "bad.yaml:5: unknown key \"hihg\""), ("none.yaml", "none.yaml: no such file"),
      ("folder.yaml", "folder.yaml: a folder"),
    ] { try await expectRefusal(of: name, says: says, by: command) }
  }

  /// One command for all of them: what a file is, is asked in the same way.
  @Test func whatIsNoFileIsOneLine() async throws {
    try space.write("as it was", to: "kept.wav")
    try space.write("", to: "rides/file")
    #expect(mkfifo(space.path("pipe.yaml"), 0o600) == 0)
    for (name, says) in [
      ("rides", "rides: a folder"), (".", ".: a folder"), ("pipe.yaml", "pipe.yaml: a pipe"),
      ("a\nb\u{1b}[2J.yaml", "a\\u{A}b\\u{1B}[2J.yaml: no such file"),
    ] { try await expectRefusal(of: name, says: says, by: ["timeline", "PRESET"]) }
  }

  private func expectRefusal(
    of preset: String, says: String, by command: [String]
  ) async throws {
    let arguments = command.map { $0.replacingOccurrences(of: "PRESET", with: preset) }
    let outcome = try await space.program.run(arguments).expectOneLine(2)
    #expect(outcome.errors.hasPrefix(says), "\(outcome.errors)")
    #expect(outcome.errors.contains(", expected "))
    #expect(try space.text("kept.wav") == "as it was")
  }
}
