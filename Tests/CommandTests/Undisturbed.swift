import CueTesting

/// What `run` returns, of a run in which the machine kept up.
///
/// A busy machine may make cues late, and the ledger says so: such a run is made again, nine
/// times at most. What the program does wrong by itself it does wrong each time. `make test` counts how often
/// that was, and fails where it was more than now and then.
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
