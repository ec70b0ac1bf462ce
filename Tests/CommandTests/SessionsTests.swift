import Foundation
import IntervalTimeline
import SessionStore
import TestSupport
import Testing

/// Runs that end before their workouts, and how these continue.
@Suite struct SessionsTests {
  private let space = Workspace()

  /// Six minutes, because a slow machine needs time between two programs.
  private static let preset = """
    name: Two sets
    sets: 30
    low: 1s
    high: 11s

    """

  private var arguments: [String] {
    ["run", "anna=two.yaml", "--no-sound", "--ledger", Workspace.ledgerName]
  }

  private func interrupt() async throws {
    try space.write(Self.preset, to: "two.yaml")
    try await space.interrupt("anna", "two.yaml")
  }

  private var history: [String] {
    get async throws { try await space.run("history", "--json").lines }
  }

  @Test func aKilledWorkoutContinuesWhereItWouldBe() async throws {
    try space.write(Self.preset, to: "two.yaml")
    let killed = try await space.program.start(arguments)
    try await killed.until("the ledger has a cue, and it is kept") {
      space.ledger.has("cue") && !space.unfinished.isEmpty
    } then: {
      killed.send(signal: SIGKILL)
    }
    #expect(await killed.end().status == .killed(SIGKILL))
    let run = try await space.program.start(arguments)
    let next = { @Sendable in
      space.ledger.cues.first { cue in
        cue.kind == "transition" && cue.outcome == "played"
          && (cue.due ?? 0) > space.ledger.lines.first { $0.event == "restored" }?.at ?? .max
      }
    }
    // If rendering is slow, the answer gives the position instead.
    let answers = { @Sendable in
      space.ledger.cues.filter { ["acknowledgement", "position"].contains($0.kind) }
    }
    try await run.until("a boundary and the answer are heard") {
      next() != nil && !answers().isEmpty
    }
    let outcome = await run.end(by: SIGTERM)
    #expect(outcome.errors.hasPrefix("cuecoach: anna resumes Two sets; "))
    #expect(outcome.errors.hasSuffix("to continue: cuecoach resume\n"))
    let ledger = space.ledger
    #expect(ledger.lines.count { $0.event == "start" } == 1)
    let start = try #require(ledger.lines.first { $0.event == "start" }?.at)
    // The boundary is exactly where it would have been.
    let due = try #require(next()?.due)
    #expect([0, 1_000_000_000].contains((due - start) % 12_000_000_000))
    // Once; in its short form if the set is about to end.
    let beginnings = ["acknowledgement": "Resuming", "position": "Set "]
    let told = answers().map { $0.text?.hasPrefix(beginnings[$0.kind ?? ""] ?? "?") }
    #expect(told == [true])
    #expect(try await history == [])
    #expect(try await space.run("sessions").lines.count == 1)
  }

  @Test func aSignalBeforeItResumesLosesNothing() async throws {
    try await interrupt()
    let run = try await space.program.start(["resume", "--no-sound"])
    try await run.until("it is reported") {
      run.errors.contains("anna resumes")
    } then: {
      run.send(signal: SIGTERM)
    }
    let outcome = await run.end().expect(143)
    #expect(outcome.errors.hasSuffix("to continue: cuecoach resume\n"))
    #expect(try await history == [])
    #expect(try await space.run("sessions").lines.count == 1)
  }

  @Test func aNameThatIsGivenTwiceIsResumedOnce() async throws {
    try await interrupt()
    let run = try await space.program.start([
      "resume", "anna", "anna", "--no-sound", "--ledger", Workspace.ledgerName,
    ])
    try await run.until("it goes on") { space.ledger.has("restored") }
    _ = await run.end(by: SIGTERM)
    #expect(space.ledger.lanes(of: "restored") == ["anna"])
  }

  @Test func twoProgramsNeverRunTheSameSession() async throws {
    try space.write(Preset.long, to: "two.yaml")
    let run = try await space.program.start(arguments)
    try await run.until("the first cue is heard") { space.ledger.has("cue") }
    let second = try await space.run("run", "anna=two.yaml", "--no-sound").expect(1)
    #expect(
      second.errors
        == "cuecoach: \"anna\" is being run by process \(run.pid); give this workout a name of its "
        + "own, as in NAME=PRESET\n")
    let list = try await space.run("sessions")
    #expect(list.output.hasSuffix("run by process \(run.pid)\n"))
    try await space.run("sessions", "discard", "anna").expect(1)
    #expect(await run.end(by: SIGTERM).status == .exited(143))
  }

  @Test func whatIsDiscardedIsInTheHistory() async throws {
    try await interrupt()
    #expect(try await space.run("sessions", "discard", "ben").status == .exited(2))
    #expect(try await space.run("sessions", "discard", "anna").status == .exited(0))
    #expect(try await history.first?.contains("\"outcome\":\"abandoned\"") == true)
    let resume = try await space.run("resume", "--no-sound").expect(1)
    #expect(resume.errors == "cuecoach: there is nothing to resume\n")
  }

  @Test func aWorkoutWhoseEndPassedUnattendedStartsAgain() async throws {
    let clocks = MachineClocks.reading(at: MachineClocks.now().boot - .seconds(3_600))
    try SessionStore(folder: space.stateFolder, date: "2026-11-21")
      .save(PastSession.interrupted("b2", lane: "ben", killed: clocks))
    try space.write(Preset.tiny, to: "tiny.yaml")
    let outcome = try await space.run("run", "ben=tiny.yaml", "--no-sound").expect(0)
    #expect(
      outcome.errors.hasPrefix("cuecoach: ben ended while cuecoach was not running"))
    let entry = try #require(try space.kept().first { $0.id == "b2" })
    #expect(entry.outcome == .unattended)
    // What passed meanwhile does not count as done.
    #expect(entry.summary.elapsed == .seconds(26))
    #expect(try space.kept().map(\.outcome) == [.finished, .unattended])
  }

  @Test func aHeldSessionIsPausedUntilItIsResumed() async throws {
    try await interrupt()
    let terminal = try PseudoTerminal()
    let run = try await space.program.start(arguments + ["--resume", "hold"], on: terminal)
    try await run.until("it is paused") {
      terminal.picture.rows.contains { $0.contains("PAUSED") }
    }
    terminal.type(" ")
    try await run.until("it goes on") { space.ledger.has("resume") }
    terminal.type("qq")
    let outcome = await run.end().expect(0)
    #expect(outcome.output.contains("anna is paused where it was, set 1 of 30"))
    #expect(try await history.count == 1)
  }

  @Test(arguments: [("d\n", false), ("what\nr\n", true), ("\n", true)])
  func onATerminalItAsks(answer: String, goesOn: Bool) async throws {
    try await interrupt()
    let terminal = try PseudoTerminal()
    let run = try await space.program.start(arguments, on: terminal)
    try await run.until("it asks") { run.output.contains("c, h or e? [c]") }
    terminal.type(answer)
    try await run.until("it runs") {
      terminal.picture.rows.contains { $0.hasPrefix("set ") }
    }
    // A key typed before the start would end the run there.
    try await run.until("it is kept") {
      space.ledger.lines.contains { $0.event == (goesOn ? "restored" : "start") }
    }
    terminal.type("qq")
    #expect(await run.end().status == .exited(0))
    let outcomes = try await history
    #expect(outcomes.count == (goesOn ? 1 : 2))
  }

  @Test func withoutAStateFolderTheWorkoutRuns() async throws {
    try space.write(Preset.tiny, to: "two.yaml")
    // A file instead of the folder.
    try space.write("", to: ".local/state")
    let outcome = try await space.program.run(arguments).expect(0)
    #expect(outcome.errorLines.count == 1)
    #expect(
      outcome.errors.hasPrefix("cuecoach: this workout cannot be resumed if it is interrupted: "))
    #expect(space.ledger.has("finish"))
  }

  @Test func aDamagedDatabaseIsOneLine() async throws {
    try space.write(Preset.tiny, to: "two.yaml")
    try space.write(
      String(repeating: "no database ", count: 900), to: ".local/state/cuecoach/sessions.db")
    let outcome = try await space.program.run(arguments).expect(0)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("sessions.db: it was damaged and is now "))
    #expect(try await history.count == 1)
  }

  @Test func severalAreResumedTogether() async throws {
    try space.write(Preset.long, to: "two.yaml")
    let both = ["run", "anna=two.yaml", "ben=two.yaml", "--no-sound", "--ledger", "ledger.jsonl"]
    let run = try await space.program.start(both)
    try await run.until("both are heard") { space.ledger.lanes(of: "cue").contains("ben") }
    let first = await run.end(by: SIGTERM)
    #expect(first.errorLines.count == 2)
    #expect(try await space.run("sessions").lines.count == 2)
    let again = try await space.program.start(["resume", "--no-sound", "--ledger", "ledger.jsonl"])
    try await again.until("both go on") { space.ledger.lanes(of: "restored").count == 2 }
    #expect(await again.end(by: SIGINT).status == .exited(130))
    #expect(space.ledger.lanes(of: "restored") == ["anna", "ben"])
  }
}
