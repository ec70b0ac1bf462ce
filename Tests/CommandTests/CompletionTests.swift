import Foundation
import Testing

/// What shells offer when Tab is pressed.
@Suite struct CompletionTests {
  private let space = Workspace()

  init() throws {
    try space.write(Preset.long, to: "Presets/long.yaml")
    try space.write(Preset.long, to: "Presets/lower.yaml")
    try space.write(Preset.tiny, to: "rows/tiny.yaml")
    try space.makeFolder("bin")
    try space.link("bin/cuecoach", to: Program.path)
  }

  /// Runs a script with the program in its path.
  private func run(_ shell: String, _ script: String) async throws -> Outcome {
    try space.write(script, to: "script")
    let program = space.programOfCoach.with("PATH", "\(space.path("bin")):/usr/bin:/bin").with(
      \.setUp, "{ \(shell) script\nexit; }")
    return try await program.run([])
  }

  /// What bash offers for the last word, by its own functions.
  private func offered(_ words: String...) async throws -> [String] {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let outcome = try await run(
      "bash",
      """
      eval "$(cuecoach --generate-completion-script bash)"
      COMP_WORDS=(\(list)) COMP_CWORD=\(words.count - 1)
      COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE} COMPREPLY=()
      function=$(complete -p cuecoach | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      "$function" cuecoach "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(outcome.errors == "")
    return outcome.lines
  }

  @Test func bashOffersCommandsAndPresets() async throws {
    #expect(try await offered("cuecoach", "ctl", "sta") == ["start", "status"])
    #expect(try await offered("cuecoach", "run", "lo") == ["long", "lower"])
    #expect(try await offered("cuecoach", "run", "anna=lo") == ["anna=long", "anna=lower"])
    #expect(try await offered("cuecoach", "check", "rows/") == ["rows/tiny.yaml"])
    #expect(try await offered("cuecoach", "timeline", "row") == ["rows/"])
    #expect(try await offered("cuecoach", "ctl", "start", "x", "--density", "c") == ["counts"])
    // No coach runs: the presets of this user.
    #expect(try await offered("cuecoach", "ctl", "start", "lo") == ["long", "lower"])
    #expect(try await offered("cuecoach", "ctl", "pause", "a").filter { !$0.isEmpty } == [])
  }

  @Test func bashOffersWhatRunsAndWhatWasInterrupted() async throws {
    let coach = try await RunningCoach(in: space)
    _ = try await coach.ctl("start", "long", "--as", "anna")
    _ = try await coach.ctl("start", "long", "--as", "anna lee")
    _ = try await coach.ctl("start", "long", "--as", "ben", "--in", "1h")
    #expect(try await offered("cuecoach", "ctl", "stop", "") == ["anna", "anna lee", "ben"])
    #expect(try await offered("cuecoach", "ctl", "next", "b") == ["ben"])
    #expect(
      try await offered("cuecoach", "ctl", "say", "x", "--lane", "a") == ["anna", "anna lee"])
    try space.write(Preset.long, to: "Presets/lofty.yaml")
    #expect(
      try await offered("cuecoach", "ctl", "start", "lo").sorted() == ["lofty", "long", "lower"])
    _ = await coach.end()
    #expect(try await offered("cuecoach", "resume", "").sorted() == ["anna", "anna lee"])
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func theScriptIsUnderstood(shell: String) async throws {
    let script = try await space.run("--generate-completion-script", shell).expect(0)
    #expect(script.output.contains("where-am-i"))
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)") else { return }
    let outcome = try await run("\(shell) -n", script.output)
    outcome.expectSuccess()
  }
}
