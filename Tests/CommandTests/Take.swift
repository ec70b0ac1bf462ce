/// A complete run of a preset without a device: its ledger, recording and outcome.
struct Take: Sendable {
  let outcome: Outcome
  let ledger: Ledger
  let recording: Recording

  init(_ preset: String, _ options: String...) async throws {
    let space = Workspace()
    defer { space.remove() }
    let file = try space.write(preset, to: "preset.yaml")
    (outcome, ledger) = try await undisturbed {
      let outcome = try await space.program.run(
        ["run", file, "--no-sound", "--record", "take.wav", "--ledger", Workspace.ledgerName]
          + options)
      return (outcome, space.ledger)
    } ledger: {
      $0.1
    }
    recording = try space.recording("take.wav")
  }

  /// What is announced of the preset.
  static func timeline(of preset: String) async throws -> TimelineObject {
    let space = Workspace()
    defer { space.remove() }
    let file = try space.write(preset, to: "preset.yaml")
    return try TimelineObject(try await space.run("timeline", file, "--json").output)
  }
}
