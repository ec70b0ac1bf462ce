import Testing

/// Standard streams that are closed, full or broken.
@Suite struct ConsoleTests {
  private let space = Workspace()

  private func run(
    _ change: (inout Program) -> Void
  ) async throws -> (outcome: Outcome, ledger: Ledger, recording: Recording) {
    try space.write(Preset.quiet, to: "tiny.yaml")
    var program = space.program
    change(&program)
    // The device is missing, so both streams are used.
    let outcome = try await program.run([
      "run", "tiny.yaml", "--ledger", Workspace.ledgerName, "--record", "take.wav",
    ])
    return (outcome, space.ledger, try space.recording("take.wav"))
  }

  private func expectWhole(_ ledger: Ledger, _ recording: Recording) {
    #expect(ledger.isWhole)
    #expect(ledger.has("finish"))
    #expect(recording.isWhole)
    #expect(recording.peak > 1000)
  }

  @Test func closedInputChangesNothing() async throws {
    let run = try await run { $0.inputIsClosed = true }
    #expect(run.outcome.status == .exited(0))
    #expect(run.outcome.lines.count == 2)
    #expect(run.outcome.errorLines.count == 1)
    expectWhole(run.ledger, run.recording)
  }

  @Test func readersThatGoAwayDoNotEndTheWorkout() async throws {
    let run = try await run {
      $0.output = .broken
      $0.errors = .broken
    }
    #expect(run.outcome.status == .exited(0))
    expectWhole(run.ledger, run.recording)
  }

  @Test(arguments: [[1], [2], [1, 2], [0, 1, 2]] as [Set<Int>])
  func whatHasNowhereToGoDoesNotGoIntoAFile(closed: Set<Int>) async throws {
    let run = try await run { program in
      program.inputIsClosed = closed.contains(0)
      if closed.contains(1) { program.output = .closed }
      if closed.contains(2) { program.errors = .closed }
    }
    #expect(run.outcome.status == .exited(0))
    expectWhole(run.ledger, run.recording)
  }
}
