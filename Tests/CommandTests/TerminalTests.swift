import Foundation
import Testing

/// The terminal is as it was, whatever ended the run.
@Suite struct TerminalTests {
  /// What ends a run, and how it is then seen to have ended.
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
      let outcome = await run.end()
      #expect(outcome.status == .exited(0))
    case .signal(let number, let status):
      run.send(signal: number)
      let outcome = await run.end()
      #expect(outcome.status == status)
    }
  }

  @Test(arguments: [
    End.key("q"), .signal(SIGINT, .exited(130)), .signal(SIGTERM, .exited(143)),
    .signal(SIGHUP, .exited(129)), .signal(SIGSEGV, .killed(SIGSEGV)),
    .signal(SIGABRT, .killed(SIGABRT)), .signal(SIGTRAP, .killed(SIGTRAP)),
    .signal(SIGILL, .killed(SIGILL)), .signal(SIGQUIT, .killed(SIGQUIT)),
  ])
  func isPutBack(after end: End) async throws {
    let space = try Workspace()
    defer { space.remove() }
    let terminal = try PseudoTerminal()
    let mode = terminal.mode
    let preset = try space.write(Preset.long, to: "long.yaml")
    let run = try await space.program.start(["run", preset, "--no-sound"], on: terminal)
    try await run.until("the screen is drawn") { terminal.picture.shows("Row") }
    #expect(mode.isForLines)
    #expect(!terminal.mode.isForLines)
    #expect(terminal.picture.isAlternate)
    await expect(run, toEndAt: end)
    expectPutBack(terminal, mode)
  }

  @Test func isPutBackWhenTheWorkoutIsOver() async throws {
    let space = try Workspace()
    defer { space.remove() }
    let terminal = try PseudoTerminal()
    let mode = terminal.mode
    let preset = try space.write(Preset.quiet, to: "tiny.yaml")
    let run = try await space.program.start(["run", preset, "--no-sound"], on: terminal)
    let outcome = await run.end()
    #expect(outcome.status == .exited(0))
    #expect(outcome.output == "Tiny: complete after 0:00, 1 of 1 phases done\n")
    expectPutBack(terminal, mode)
  }

  @Test(arguments: [End.key("q"), .signal(SIGTERM, .exited(143))])
  func isPutBackAlsoAfterControlS(end: End) async throws {
    let space = try Workspace()
    defer { space.remove() }
    let terminal = try PseudoTerminal()
    let mode = terminal.mode
    let preset = try space.write(Preset.long, to: "long.yaml")
    let run = try await space.program.start(["run", preset, "--no-sound"], on: terminal)
    try await run.until("the screen is drawn") { terminal.picture.shows("Row") }
    // Stops a terminal's output where it is not one key among others.
    terminal.type("\u{13}")
    await expect(run, toEndAt: end)
    expectPutBack(terminal, mode)
  }

  @Test func isLentToTheShellWhileStopped() async throws {
    let space = try Workspace()
    defer { space.remove() }
    let terminal = try PseudoTerminal()
    let mode = terminal.mode
    let preset = try space.write(Preset.long, to: "long.yaml")
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
    terminal.type("q")
    let outcome = await run.end()
    #expect(outcome.status == .exited(0))
    expectPutBack(terminal, mode)
  }

  @Test(arguments: ["dumb", nil])
  func isLeftAloneWhereItCanDrawNothing(kind: String?) async throws {
    let space = try Workspace()
    defer { space.remove() }
    let terminal = try PseudoTerminal()
    let mode = terminal.mode
    let preset = try space.write(Preset.long, to: "long.yaml")
    var program = space.program
    program.environment["TERM"] = kind
    let run = try await program.start(["run", preset, "--no-sound"], on: terminal)
    try await run.until("the first line is there") {
      Outcome.undisturbed(terminal.text) == "0:00  Row, 1:00:00 (next: Run)\r\n"
    }
    #expect(terminal.mode == mode)
    run.send(signal: SIGTERM)
    let outcome = await run.end()
    #expect(outcome.status == .exited(143))
    #expect(!terminal.text.contains("\u{1b}"))
  }
}
