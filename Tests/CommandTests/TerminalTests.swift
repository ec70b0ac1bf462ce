import Foundation
import Testing

/// The terminal is restored, however the run ended.
@Suite struct TerminalTests {
  private let space = Workspace()
  private let terminal: PseudoTerminal
  private let mode: PseudoTerminal.Mode
  private let preset: String

  init() throws {
    terminal = try PseudoTerminal()
    mode = terminal.mode
    preset = try space.write(Preset.long, to: "long.yaml")
  }

  /// A way to end a run, and the status that it leads to.
  enum End: CustomTestStringConvertible, Sendable {
    case key(String)
    case signal(Int32, Outcome.Status)

    var testDescription: String {
      switch self {
      case .key(let key): "key \(key)"
      case .signal(let number, _): String(cString: strsignal(number))
      }
    }
  }

  private func expectPutBack(_ terminal: PseudoTerminal, _ mode: PseudoTerminal.Mode) {
    #expect(terminal.mode == mode)
    #expect(!terminal.picture.isAlternate)
    #expect(!terminal.picture.isCursorHidden)
  }

  private func expect(_ run: RunningProgram, toEndAt end: End) async {
    switch end {
    case .key(let key):
      run.terminal?.type(key)
      await run.end().expect(0)
    case .signal(let number, let status):
      let outcome = await run.end(by: number)
      #expect(outcome.status == status)
    }
  }

  @Test(arguments: [
    End.key("qq"), .signal(SIGINT, .exited(130)), .signal(SIGTERM, .exited(143)),
    .signal(SIGHUP, .exited(129)), .signal(SIGSEGV, .killed(SIGSEGV)),
    .signal(SIGABRT, .killed(SIGABRT)), .signal(SIGTRAP, .killed(SIGTRAP)),
    .signal(SIGILL, .killed(SIGILL)), .signal(SIGQUIT, .killed(SIGQUIT)),
  ])
  func isPutBack(after end: End) async throws {
    let run = try await space.program.start(["run", preset, "--no-sound"], on: terminal)
    try await run.until("the screen is drawn") { terminal.picture.shows("Row") }
    #expect(mode.isForLines)
    #expect(!terminal.mode.isForLines)
    #expect(terminal.picture.isAlternate)
    await expect(run, toEndAt: end)
    expectPutBack(terminal, mode)
  }

  @Test func isPutBackWhenTheWorkoutIsOver() async throws {
    let preset = try space.write(Preset.quiet, to: "tiny.yaml")
    let run = try await space.program.start(["run", preset, "--no-sound"], on: terminal)
    let outcome = await run.end().expect(0)
    #expect(outcome.output == "Tiny: complete after 0:00, 1 of 1 phases done\n")
    expectPutBack(terminal, mode)
  }

  @Test(arguments: [End.key("qq"), .signal(SIGTERM, .exited(143))])
  func isPutBackAlsoAfterControlS(end: End) async throws {
    let run = try await space.program.start(["run", preset, "--no-sound"], on: terminal)
    try await run.until("the screen is drawn") { terminal.picture.shows("Row") }
    // Stops a terminal's output unless the program handles the key.
    terminal.type("\u{13}")
    await expect(run, toEndAt: end)
    expectPutBack(terminal, mode)
  }

  @Test func isLentToTheShellWhileStopped() async throws {
    let run = try await space.program.start(["run", preset, "--no-sound"], on: terminal)
    try await run.until("the screen is drawn") { terminal.picture.shows("Row") }
    run.send(signal: SIGTSTP)
    try await run.until("the program is stopped") { run.isStopped }
    terminal.drain()
    expectPutBack(terminal, mode)
    let clearings = terminal.picture.clearings
    run.send(signal: SIGCONT)
    try await run.until("the screen is drawn anew") {
      terminal.picture.clearings > clearings && terminal.picture.shows("Row")
    }
    #expect(terminal.picture.isAlternate && terminal.picture.isCursorHidden)
    #expect(!terminal.mode.isForLines)
    terminal.type("qq")
    await run.end().expect(0)
    expectPutBack(terminal, mode)
  }

  @Test(arguments: ["dumb", "", nil])
  func oneThatCanDrawNothingHasItsKeys(kind: String?) async throws {
    let run = try await space.program.with("TERM", kind).start(
      ["run", preset, "--no-sound", "--ledger", Workspace.ledgerName], on: terminal)
    try await run.until("the first line is there") {
      Outcome.undisturbed(terminal.text) == "0:00  Row, 1:00:00 (next: Run)\r\n"
    }
    #expect(!terminal.mode.isForLines)
    terminal.type(" ")
    try await run.until("the key is obeyed") { space.ledger.has("pause") }
    terminal.type("qq")
    await run.end().expect(0)
    #expect(terminal.mode == mode)
    // No escape sequence, and no echo of the keys.
    #expect(!terminal.text.contains("\u{1b}") && !terminal.text.contains("qq"))
    #expect(terminal.text.contains("cuecoach: q again to end; ctrl-C keeps it for later\r\n"))
  }

  @Test(arguments: [
    End.key("qq"), .signal(SIGTERM, .exited(143)), .signal(SIGSEGV, .killed(SIGSEGV)),
  ])
  func oneWhoseOutputGoesElsewhereHasItsKeys(end: End) async throws {
    let run = try await space.program.with(\.terminalIsInputAlone, true).start(
      ["run", preset, "--no-sound", "--ledger", Workspace.ledgerName], on: terminal)
    try await run.until("the first line is there") { run.output.hasPrefix("0:00  Row") }
    #expect(!terminal.mode.isForLines)
    terminal.type("n")
    try await run.until("the key is obeyed") { space.ledger.has("next") }
    switch end {
    case .key(let key):
      terminal.type(key)
      #expect(await run.end().status == .exited(0))
    case .signal(let number, let status):
      #expect(await run.end(by: number).status == status)
    }
    terminal.drain()
    #expect(terminal.mode == mode)
    #expect(terminal.text.isEmpty)
  }

  /// Job control of a shell: `&`, `fg`, ^Z, `bg`.
  @Test func aJobRunsOnInTheBackgroundAndTakesItsTerminalInTheForeground() async throws {
    let shell = try await space.program.startShell(
      """
      "$0" "$@" & read -r line; jobs; read -r line; fg; echo "stopped: $?"; bg
      read -r line; jobs; kill -TERM %1; wait %1; echo "ended: $?"
      """, ["run", preset, "--no-sound", "--ledger", Workspace.ledgerName], on: terminal)
    let ledger = { @Sendable in space.ledger }
    try await shell.until("it plays in the background") { ledger().has("cue") }
    // Typed lines go to the shell.
    terminal.type("n\n")
    try await shell.until("the shell has read it") { terminal.text.contains("Running") }
    #expect(!terminal.picture.isAlternate && terminal.mode.isForLines)
    #expect(!ledger().has("next"))
    terminal.type("\n")
    try await shell.until("it has its screen") { terminal.picture.shows("Row") }
    #expect(terminal.picture.isAlternate && !terminal.mode.isForLines)
    terminal.type("n")
    try await shell.until("it has its keys") { ledger().has("next") }
    terminal.type("\u{1a}")
    try await shell.until("it is stopped") { terminal.text.contains("stopped: ") }
    #expect(!terminal.picture.isAlternate && terminal.mode.isForLines)
    terminal.type("n\n")
    try await shell.until("it is ended") { terminal.text.contains("ended: ") }
    #expect(terminal.text.contains("ended: 143"))
    #expect(terminal.text.components(separatedBy: "Running").count == 3)
    #expect(ledger().lanes(of: "next").count == 1)
    #expect(ledger().has("stop"))
    #expect(terminal.mode.isForLines)
    _ = await shell.end()
  }
}
