/// What `run` returns, of a run in which the machine kept up.
///
/// A busy machine may make cues late, and the ledger says so: such a run is made again, twice at
/// most. What the program does wrong by itself it does wrong each time.
func undisturbed<Run>(
  _ run: () async throws -> Run, ledger: (Run) -> Ledger
) async throws -> Run {
  for _ in 1...2 {
    let made = try await run()
    if !ledger(made).wasHeldUp { return made }
  }
  return try await run()
}

extension Ledger {
  var wasHeldUp: Bool { outcomes.contains("missed") || has("xrun") }
}
