import SessionStore
import Testing

/// Showing parts of the history, and deleting them.
@Suite struct HistoryDeleteTests {
  private let space = Workspace()
  private static let sunday: Int64 = 1_795_287_095_654_763_495
  private static let entries = [
    PastSession.entry("cc03", at: sunday, lane: "ben", workout: "Rows"),
    PastSession.entry("bb02", at: sunday - 3 * PastSession.day, workout: "Boxing"),
    PastSession.entry("aa01", at: sunday - 9 * PastSession.day, workout: "Rows"),
  ]

  init() throws {
    try space.keep(Self.entries)
  }

  @Test(arguments: [
    (["--since", "2026-11-18"], ["cc03", "bb02"]), (["--since", "2026-11-19"], ["cc03"]),
    (["--lane", "anna"], ["bb02", "aa01"]), (["--workout", "rows"], ["cc03", "aa01"]),
    (["--workout", "Rows", "--lane", "anna"], ["aa01"]), (["--lane", "eve"], []),
  ])
  func someOfThemAreShown(filter: [String], shown: [String]) async throws {
    let program = space.program.with("TZ", "UTC")
    let outcome = try await program.run(["history", "--csv"] + filter).expect(0)
    let ids = outcome.output.split(whereSeparator: \.isNewline).dropFirst()
      .map { String($0.prefix { $0 != "," }) }
    #expect(ids == shown)
    #expect(outcome.errorLines.count == (shown.isEmpty ? 1 : 0))
  }

  @Test(arguments: ["2026-02-30", "yesterday", "2026-1-1", ""])
  func whatIsNoDayIsOneLineAndExitCodeTwo(day: String) async throws {
    let outcome = try await space.run("history", "--since", day).expect(2)
    #expect(
      outcome.errors == "cuecoach: --since \"\(day)\": expected a day, such as 2026-11-21\n")
  }

  @Test func thoseThatAreNamedAreDeleted() async throws {
    let outcome = try await space.run("history", "delete", "aa", "cc03", "aa01", "--yes").expect(0)
    #expect(outcome.output == "2 sessions deleted\n")
    #expect(try space.kept().map(\.id) == ["bb02"])
  }

  @Test(arguments: [["aa", "--yes", "dd"], ["aa01"], ["", "--yes"]])
  func otherwiseNothingIs(arguments: [String]) async throws {
    try await space.program.run(["history", "delete"] + arguments).expectOneLine(2)
    #expect(try space.kept().count == 3)
  }

  @Test(arguments: [("y\n", 2), ("\n", 3), ("no\n", 3)])
  func onATerminalItAsks(answer: String, left: Int) async throws {
    let terminal = try PseudoTerminal()
    let run = try await space.program.start(["history", "delete", "aa"], on: terminal)
    try await run.until("it asks") { run.output.contains("Delete this session for good?") }
    terminal.type(answer)
    #expect(await run.end().status == .exited(left == 2 ? 0 : 1))
    #expect(try space.kept().count == left)
  }
}
