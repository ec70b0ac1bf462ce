import Testing

/// Standard output that accepts nothing: incomplete output must not look complete.
@Suite struct LostOutputTests {
  private let space = Workspace()

  private static let commands = [
    "--help", "--version", "run --help", "presets", "presets --json", "timeline tiny.yaml",
    "timeline tiny.yaml --json", "check tiny.yaml", "check tiny.yaml --json", "sounds --json",
    "voices --json", "devices --json", "history", "history --csv", "history --json",
    "history show a --json", "export", "run tiny.yaml --no-sound",
  ]

  private func run(_ command: String, _ redirection: String) async throws -> Outcome {
    try space.write(Preset.tiny, to: "tiny.yaml")
    try space.keep([PastSession.entry("a", at: 1_790_000_000_000_000_000)])
    let program = space.program.with(\.redirection, redirection)
    return try await program.run(command.split(separator: " ").map(String.init))
  }

  @Test(arguments: commands) func aFullDeviceIsOneLineAndExitCodeOne(command: String) async throws {
    let outcome = try await run(command, "> /dev/full")
    #expect(outcome.status == .exited(1))
    #expect(
      outcome.errorLines.last
        == "cuecoach: standard output cannot be written: No space left on device")
  }

  @Test(arguments: ["--version", "export", "history --json", "timeline tiny.yaml --json"])
  func aClosedStreamIsOneLineAndExitCodeOne(command: String) async throws {
    let outcome = try await run(command, ">&-")
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors == "cuecoach: standard output cannot be written: it is closed\n")
  }
}
