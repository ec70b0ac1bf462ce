import Foundation
import IntervalTimeline
import SessionStore
import Testing

/// A name under which another workout was interrupted, or the same one with other options.
@Suite struct OtherWorkoutTests {
  private let space = Workspace()

  private static let rows = "name: Rows\nsets: 30\nlow: 1s\nhigh: 11s\n"

  private var history: [HistoryEntry] { get throws { try space.kept() } }

  private func sessions() throws -> [StoredSession] {
    try SessionStore(folder: space.stateFolder, date: "2026-11-21").sessions()
  }

  /// The first workout under a name, and the one that is requested next.
  private static let others = [
    (first: "anna=one/w.yaml", second: "anna=two/w.yaml"),
    // Two presets of one file name.
    (first: "one/w.yaml", second: "two/w.yaml"),
    // Edited meanwhile.
    (first: "w.yaml", second: "w.yaml"),
  ]

  private func interruptThenEdit(_ first: String) async throws {
    try space.write(Self.rows, to: "one/w.yaml")
    try space.write(Self.rows, to: "w.yaml")
    let parts = first.split(separator: "=").map(String.init)
    try await space.interrupt(parts.count > 1 ? parts[0] : "w", parts[parts.count - 1])
    try space.write(Preset.tiny, to: "two/w.yaml")
    try space.write(Self.rows.replacing("30", with: "2"), to: "w.yaml")
  }

  @Test(arguments: others) func anotherWorkoutBeginsAndTheOldOneIsAbandoned(
    first: String, second: String
  ) async throws {
    try await interruptThenEdit(first)
    let run = try await space.program.start([
      "run", second, "--no-sound", "--ledger", Workspace.ledgerName,
    ])
    try await run.until("it begins") { space.ledger.has("start") }
    let outcome = await run.end(by: SIGTERM)
    let name = second == "w.yaml" ? "Rows as it is now" : "Tiny"
    let line = try #require(outcome.errorLines.first)
    #expect(line.contains(": Rows was interrupted at set ") && line.contains(" of 30, "))
    #expect(line.hasSuffix("; it ends there as abandoned, and \(name) begins"))
    #expect(!space.ledger.has("restored"))
    #expect(try history.filter { $0.outcome == .abandoned }.map(\.workout) == ["Rows"])
    #expect(try history.first { $0.outcome == .abandoned }?.summary.sets == 30)
  }

  @Test func theOldOneEndsOnlyWhenTheNewOneCanBegin() async throws {
    try await interruptThenEdit("anna=one/w.yaml")
    try await space.run(
      "run", "anna=two/w.yaml", "--no-sound", "--ledger", "no/such/folder"
    ).expect(1)
    #expect(try sessions().map(\.workout.name) == ["Rows"])
    #expect(try history == [])
  }

  @Test(arguments: [("c\n", "restored"), ("h\n", "restored"), ("\nwhat\ne\n", "start")])
  func onATerminalAnotherWorkoutIsAQuestion(answer: String, event: String) async throws {
    try await interruptThenEdit("anna=one/w.yaml")
    let terminal = try PseudoTerminal()
    let run = try await space.program.start(
      ["run", "anna=two/w.yaml", "--no-sound", "--ledger", Workspace.ledgerName], on: terminal)
    try await run.until("it asks") { run.output.contains("c, h or e?") }
    for text in [
      "anna: Rows was interrupted", "c  continue Rows as if it had never stopped",
      "h  hold Rows where it was, paused", "e  end Rows there, and start Tiny",
    ] { #expect(run.output.contains(text)) }
    terminal.type(answer)
    try await run.until("it runs") { space.ledger.has(event) }
    _ = await run.end(by: SIGTERM)
    let taken = space.ledger.lines.first { $0.event == "restored" }
    #expect(taken?.outcome == (answer == "c\n" ? "running" : answer == "h\n" ? "paused" : nil))
    #expect(try history.contains { $0.outcome == .abandoned } == (event == "start"))
  }

  /// The question in German, at the usual width and in a narrow window.
  @Test(arguments: [80, 40] as [UInt16])
  func theQuestionIsInTheLanguageOfTheWorkout(columns: UInt16) async throws {
    try await interruptThenEdit("anna=one/w.yaml")
    let terminal = try PseudoTerminal(columns: columns)
    let run = try await space.program.start(
      ["run", "anna=two/w.yaml", "--language", "de", "--no-sound", "--ledger", "l.jsonl"],
      on: terminal)
    try await run.until("it asks") { run.output.contains("c, h oder e? ") }
    let rows = run.output.split(separator: "\n")
    #expect(rows.allSatisfy { $0.count <= Int(columns) }, "\(run.output)")
    let question = run.output.split { $0.isWhitespace }.joined(separator: " ")
    for text in [
      "anna: Rows wurde vor 0:", " unterbrochen: Satz ", "noch 0:",
      "c Rows fortsetzen, als hätte es nie angehalten", "h Rows dort anhalten, wo es war",
      "e Rows dort beenden und Tiny beginnen",
    ] { #expect(question.contains(text), "\(text)") }
    terminal.type("\u{4}")
    #expect(await run.end().output.contains("cuecoach: keine Antwort: "))
  }

  @Test func whatBecomesOfItWithoutAQuestionIsInItsLanguage() async throws {
    try space.write("language: de\n" + Self.rows, to: "rows.yaml")
    try await space.interrupt("anna", "rows.yaml")
    let run = try await space.program.start(
      ["run", "anna=rows.yaml", "--no-sound", "--ledger", Workspace.ledgerName])
    try await run.until("it goes on") { space.ledger.has("restored") }
    let outcome = await run.end(by: SIGTERM)
    #expect(
      outcome.errorLines.first?.hasPrefix("cuecoach: anna läuft weiter: Rows; vor 0:") == true)
    #expect(outcome.errorLines.last?.contains("anna: bleibt bei Satz ") == true)
  }

  @Test func withoutAnAnswerEverythingStays() async throws {
    try await interruptThenEdit("anna=one/w.yaml")
    let terminal = try PseudoTerminal()
    let run = try await space.program.start(
      ["run", "anna=two/w.yaml", "--no-sound", "--ledger", Workspace.ledgerName], on: terminal)
    try await run.until("it asks") { run.output.contains("c, h or e?") }
    // The end of input.
    terminal.type("\u{4}")
    #expect(await run.end().status == .exited(1))
    #expect(try sessions().map(\.workout.name) == ["Rows"])
    #expect(try history == [])
  }

  @Test func optionsOfTheSameWorkoutAreTakenAndThoseOfThenStay() async throws {
    try space.write(Self.rows, to: "rows.yaml")
    try await space.interrupt(["anna=rows.yaml", "--rate", "180", "--density", "full"])
    // A text and a style do not change the phases.
    try space.write(Self.rows + "countdown: 5\n", to: "rows.yaml")
    for _ in 1...2 {
      let run = try await space.program.start([
        "run", "anna=rows.yaml", "--density", "counts", "--no-sound", "--ledger",
        Workspace.ledgerName,
      ])
      let space = space
      try await run.until("it goes on") { space.ledger.has("restored") }
      _ = await run.end(by: SIGTERM)
      try FileManager.default.removeItem(atPath: space.path(Workspace.ledgerName))
    }
    let session = try #require(sessions().first)
    #expect(session.identity.order.preset == space.path("rows.yaml"))
    let style = AnnouncementStyle(voice: VoiceSettings(rate: 180), density: .counts)
    #expect(session.identity.order.style == style)
    #expect(session.workout.style.countdown == 5)
    #expect(try history == [])
  }

  // MARK: Held, with nobody to press a key

  @Test(arguments: [
    (["resume"], "running"), (["run", "anna=rows.yaml"], "running"),
    (["run", "anna=rows.yaml", "--resume", "hold"], "paused"), (["resume", "--hold"], "paused"),
  ])
  func withoutAKeyboardItRunsUnlessItIsToBeHeld(command: [String], state: String) async throws {
    try space.write(Self.rows, to: "rows.yaml")
    try await space.interrupt("anna", "rows.yaml", isPaused: true)
    let run = try await space.program.start(
      command + ["--no-sound", "--ledger", Workspace.ledgerName])
    try await run.until("it is restored") { space.ledger.has("restored") }
    if state == "running" {
      try await run.until("a cue is heard") {
        space.ledger.cues.contains { $0.kind == "transition" && $0.outcome == "played" }
      }
    }
    let outcome = await run.end(by: SIGTERM)
    #expect(space.ledger.lines.first { $0.event == "restored" }?.outcome == state)
    #expect(
      outcome.errors.contains("there is no keyboard to end that pause") == (state == "paused"))
  }

  @Test func openPhasesWithoutAKeyboardAreReported() async throws {
    try space.write(Preset.open, to: "open.yaml")
    let run = try await space.program.start(["run", "open.yaml", "--no-sound"])
    try await run.until("it is reported") { run.errors.contains("and there is no keyboard") }
    _ = await run.end(by: SIGTERM)
    // A client of the socket can end them.
    let controlled = try await space.programOfCoach.start(
      ["run", "ben=open.yaml", "--no-sound", "--control"])
    try await controlled.until("it has begun") { controlled.output.contains("Lift, 5 reps") }
    #expect(!controlled.errors.contains("keyboard"))
    _ = await controlled.end(by: SIGTERM)
    let check = try await space.run("check", "open.yaml").expect(0)
    #expect(
      check.lines.contains {
        $0.hasPrefix("open.yaml:4: Lift lasts until 5 reps are counted or Next is pressed: ")
          && $0.hasSuffix("(and 2 more like it)")
      })
  }
}
