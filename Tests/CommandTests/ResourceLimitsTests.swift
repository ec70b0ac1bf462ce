import TestSupport
import Testing

/// Resource limits that are too low: one line and exit code 1, never a trap or a hang.
@Suite struct ResourceLimitsTests {
  private let space = Workspace()

  private func run(_ limit: String, _ arguments: String...) async throws -> Outcome {
    try space.write(Preset.tiny, to: "tiny.yaml")
    return try await space.program.with(\.setUp, limit).run(arguments)
  }

  @Test(arguments: [6, 7, 8, 10, 12, 14, 16, 20, 30])
  func tooFewFiles(limit: Int) async throws {
    let outcome = try await run("ulimit -n \(limit)", "run", "tiny.yaml", "--no-sound")
    outcome.expectOneLine(1, "see ulimit -n")
  }

  private static let obeyed: ConditionTrait = .disabled(
    if: Emulator.isUsed, "qemu-user does not pass on this limit, or ends because of it itself")

  @Test(obeyed) func tooLittleMemory() async throws {
    // Enough for the program itself, which is largest in debug, and little more.
    let outcome = try await run("ulimit -v 110000", "run", "tiny.yaml", "--no-sound")
    outcome.expectOneLine(1, "see ulimit -v")
  }

  @Test(obeyed) func tooSmallAStack() async throws {
    let outcome = try await run("ulimit -s 300", "run", "tiny.yaml", "--no-sound")
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors == "cuecoach: a stack of 512 KB is needed, see ulimit -s\n")
  }

  @Test(obeyed) func filesThatMayNotGrowAreReportedAndTheWorkoutIsPlayed() async throws {
    // Blocks of 512 bytes.
    let outcome = try await run(
      "ulimit -f 4", "run", "tiny.yaml", "--no-sound", "--record", "x.wav")
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("the recording x.wav ends here"))
    #expect(outcome.lines.last?.contains("complete") == true)
  }
}
