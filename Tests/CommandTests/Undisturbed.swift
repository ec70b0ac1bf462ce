import TestSupport

/// Repeats `run` until the machine has kept up, and returns its result.
///
/// A busy machine may delay cues, which the ledger records: such a run is repeated, up to nine
/// times. A fault of the program occurs every time. `make test` counts the repetitions, and fails
/// if there are many.
func undisturbed<Run>(
  _ test: String = #function, _ run: () async throws -> Run, wasHeldUp: (Run) -> Bool
) async throws -> Run {
  var made = try await run()
  var tries = 1
  while tries < 10, wasHeldUp(made) {
    made = try await run()
    tries += 1
  }
  try RealTimeRuns.note(tries, of: test)
  return made
}

func undisturbed<Run>(
  _ test: String = #function, _ run: () async throws -> Run, ledger: (Run) -> Ledger
) async throws -> Run {
  try await undisturbed(test, run) { ledger($0).wasHeldUp }
}

extension Ledger {
  var wasHeldUp: Bool { outcomes.contains("missed") || has("xrun") }
}
