import Foundation
import Testing

/// What a run draws on a terminal.
@Suite struct ScreenTests {
  private let space = Workspace()

  private static let sets = "name: Sets\nsets: 3\nlow: 1h\nhigh: 1h\n"

  /// Starts a run on `terminal`, calls `look`, which waits and checks, and ends the run.
  private func run(
    _ preset: String, lanes: [String] = [], on terminal: PseudoTerminal,
    environment: [String: String] = [:], look: (RunningProgram) async throws -> Void
  ) async throws {
    let file = try space.write(preset, to: "preset.yaml")
    var program = space.program
    program.environment.merge(environment) { $1 }
    let presets = lanes.isEmpty ? [file] : lanes.map { "\($0)=\(file)" }
    let run = try await program.start(["run"] + presets + ["--no-sound"], on: terminal)
    try await look(run)
    terminal.type("qq")
    await run.end().expect(0)
  }

  @Test func showsPhaseSetCountdownBarsAndWhatComesNext() async throws {
    let terminal = try PseudoTerminal()
    try await run(Self.sets, on: terminal) { run in
      try await run.until("the screen is drawn") { terminal.picture.shows("Next: High") }
    }
    let picture = terminal.lastPicture
    #expect(picture.isAlternate && picture.isCursorHidden)
    #expect(picture.shows("Sets"))
    #expect(picture.shows("set 1 of 3  Low"))
    // A slow machine draws it later in the phase, when some of a bar is filled.
    for name in ["phase    ", "workout  "] {
      let row = picture.rows.first { $0.hasPrefix(name) }
      let bar = try #require(row).dropFirst(name.count).prefix { "█░".contains($0) }
      #expect(bar.count >= 20 && bar.drop { $0 == "█" }.allSatisfy { $0 == "░" }, "\(bar)")
    }
    #expect(picture.rows.contains { $0.hasPrefix("space pause/play   n next") })
    // Five rows of large digits.
    #expect(picture.rows.count { $0.contains("██") } >= 5)
  }

  @Test(arguments: [(40, 12), (12, 24), (200, 60), (80, 3), (1, 1)] as [(UInt16, UInt16)])
  func windowThatChangesItsSizeIsRedrawn(columns: UInt16, rows: UInt16) async throws {
    let terminal = try PseudoTerminal()
    try await run(Self.sets, on: terminal) { run in
      try await run.until("the screen is drawn") { terminal.picture.shows("Next: High") }
      let clearings = terminal.picture.clearings
      terminal.resize(columns: columns, rows: rows)
      run.send(signal: SIGWINCH)
      try await run.until("the screen is drawn anew") {
        terminal.picture.clearings > clearings && !terminal.picture.rows.isEmpty
      }
      let picture = terminal.picture
      #expect(picture.rows.count <= Int(rows))
      #expect(picture.rows.allSatisfy { $0.count <= Int(columns) })
      let first = picture.rows.first ?? ""
      #expect(columns == 1 || first.hasPrefix("Sets") || first.hasPrefix("set 1"))
    }
  }

  @Test(arguments: [4, 12, 20] as [UInt16])
  func rowAsWideAsTheWindowKeepsItsLastLetter(columns: UInt16) async throws {
    let terminal = try PseudoTerminal(columns: columns, rows: 24)
    let name = "A name that is wider than the window"
    try await run(Self.sets.replacingOccurrences(of: "Sets", with: name), on: terminal) { run in
      try await run.until("the screen is drawn") {
        terminal.picture.rows.contains { $0.contains("q st") }
      }
      let start = name.prefix(Int(columns) - 1).reversed().drop { $0 == " " }.reversed()
      #expect(terminal.picture.shows(String(start) + "…"))
    }
  }

  @Test func theScreenSpeaksTheLanguageOfTheVoice() async throws {
    let terminal = try PseudoTerminal()
    let german = "language: de\n" + Self.sets
    try await run(german, on: terminal) { run in
      try await run.until("the screen is drawn") { terminal.picture.shows("Gleich: Hart") }
      #expect(terminal.picture.shows("Satz 1 von 3  Locker"))
      #expect(terminal.picture.rows.contains { $0.hasPrefix("Leertaste Pause/weiter   n vor") })
      terminal.type(" ")
      try await run.until("it is paused") {
        terminal.picture.shows("Satz 1 von 3  Locker  ANGEHALTEN")
      }
    }
    #expect(try /Sets: beendet nach \d+:\d\d/.firstMatch(in: terminal.picture.printed) != nil)
    #expect(terminal.picture.printed.hasSuffix("0 von 6 Phasen geschafft\n"))
  }

  @Test(arguments: [
    (["NO_COLOR": "1"], false), (["NO_COLOR": "no"], false), (["NO_COLOR": ""], true), ([:], true),
  ])
  func colorsAreLeftOutWhereTheyAreNotWanted(
    environment: [String: String], hasColor: Bool
  ) async throws {
    let terminal = try PseudoTerminal()
    try await run(Self.sets, on: terminal, environment: environment) { run in
      try await run.until("the screen is drawn") { terminal.picture.shows("Next: High") }
    }
    #expect(terminal.picture.hasColor == hasColor)
  }

  @Test(arguments: [
    (["LANG": "C"], false), (["LC_ALL": "C", "LANG": "C.UTF-8"], false),
    (["LC_ALL": "", "LANG": "de_DE.utf8"], true),
  ])
  func barsAreMadeOfWhatTheLocaleHas(environment: [String: String], hasBlocks: Bool) async throws {
    let terminal = try PseudoTerminal()
    try await run(Self.sets, on: terminal, environment: environment) { run in
      try await run.until("the screen is drawn") { terminal.picture.shows("Next: High") }
    }
    #expect(terminal.text.contains("█") == hasBlocks)
    #expect(terminal.text.unicodeScalars.allSatisfy(\.isASCII) == !hasBlocks)
  }
}
