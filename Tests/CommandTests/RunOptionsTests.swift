import InstalledFiles
import IntervalTimeline
import Testing

@testable import cuecoach

/// Several workouts of one run, and their names.
@Suite struct RunOptionsTests {
  private let space = Workspace()

  /// Runs these lanes; returns the ledger and the outcome.
  private func run(
    _ lanes: [String], test: String = #function
  ) async throws -> (Outcome, Ledger) {
    try space.write(Preset.tiny, to: "tiny.yaml")
    try space.write(Preset.short, to: "some/short.yaml")
    let options = ["--no-sound", "--record", "take.wav", "--ledger", Workspace.ledgerName]
    return try await undisturbed(test) {
      (try await space.program.run(["run"] + lanes + options), space.ledger)
    } wasHeldUp: { run in
      // Words that a slow machine does not have in time are dropped.
      run.1.wasHeldUp || run.1.outcomes.contains("dropped")
    }
  }

  @Test func twoWorkoutsRunSideBySideUnderTheirNames() async throws {
    let (outcome, ledger) = try await run(["anna=tiny.yaml", "ben=some/short.yaml"])
    outcome.expectSuccess()
    #expect(outcome.lines.filter { $0.hasPrefix("anna: ") }.first == "anna: 0:00  Work, 0:00.5")
    #expect(
      outcome.lines.filter { $0.hasPrefix("ben: ") } == [
        "ben: 0:00  Get ready, 0:02 (next: Work)", "ben: 0:02  Work, 0:01",
        "ben: Short: complete after 0:03, 2 of 2 phases done",
      ])
    #expect(outcome.lines.allSatisfy { $0.hasPrefix("anna: ") || $0.hasPrefix("ben: ") })
    #expect(ledger.isWhole)
    #expect(ledger.lanes(of: "start") == ["anna", "ben"])
    #expect(ledger.lanes(of: "finish") == ["anna", "ben"])
    let starts = Set(ledger.lines.filter { $0.event == "start" }.map(\.at))
    #expect(starts.count == 1)
    #expect(ledger.outcomes == ["played"])
    let anna = ledger.cues.filter { $0.lane == "anna" }
    #expect(anna.map(\.kind) == ["transition", "transition", "finish"])
    #expect(ledger.cues.count { $0.lane == "ben" } == 4)
    // An announcement begins with the name where several run.
    #expect(anna.last?.text == "anna: Workout complete: 1 second of work")
  }

  private static let unnamed: [([String], [String])] = [
    (["tiny.yaml"], ["tiny"]),
    (["some/short.yaml", "tiny.yaml"], ["short", "tiny"]),
    (["tiny.yaml", "tiny.yaml", "tiny.yaml"], ["tiny", "tiny 2", "tiny 3"]),
    (["Jo Ann=tiny.yaml", "./tiny.yaml"], ["Jo Ann", "tiny"]),
    (Array(repeating: "tiny.yaml", count: 9), ["tiny"] + (2...9).map { "tiny \($0)" }),
  ]

  @Test(arguments: unnamed)
  func workoutWithoutANameGetsItsPresets(lanes: [String], names: [String]) throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    try space.write(Preset.short, to: "some/short.yaml")
    // Absolute: the tests' own folder is another.
    let arguments = lanes.map { lane in
      let (name, preset) = LaneArgument.split(lane)
      return (name.map { $0 + "=" } ?? "") + space.path(preset)
    }
    let installed = try Installation(InstalledFolders(), voices: nil)
    let parsed = try LaneArgument.parse(arguments, AnnouncementStyle(), installed)
    #expect(parsed.map(\.name) == names)
  }
}
