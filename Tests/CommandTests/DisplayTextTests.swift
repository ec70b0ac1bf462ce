import Foundation
import SessionStore
import Testing

@testable import cuecoach

/// Untrusted texts on a terminal.
@Suite struct DisplayTextTests {
  private let space = Workspace()

  private static let marks = "\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}"

  private static func isHarmless(_ text: String) -> Bool {
    !text.unicodeScalars.contains {
      $0.properties.isBidiControl || ($0.properties.generalCategory == .control && $0 != "\n")
    }
  }

  @Test func aLineHasNoControlsAndNoMarksOfDirection() {
    #expect("a\nb\t\u{1b}[31m\(Self.marks)c\u{2028}d".singleLine == "a b  [31mc d")
    #expect("👩‍🚒 e\u{301} \u{ad}".singleLine == "👩‍🚒 e\u{301} \u{ad}")
    #expect("a\nb\u{202e}".shownLines == "a\nb")
  }

  @Test(arguments: [
    ["history"], ["history", "--csv"], ["history", "--json"], ["history", "show", "1"], ["export"],
    ["history", "delete", "1"],
  ])
  func noMarkOfTheHistoryReachesATerminal(command: [String]) async throws {
    let name = "an\(Self.marks)na\u{1b}[31m"
    try space.keep([PastSession.entry("1", at: 20 * PastSession.day, lane: name, workout: name)])
    let terminal = try PseudoTerminal()
    let run = try await space.program.start(command, on: terminal)
    if command.contains("delete") {
      try await run.until("it asks") { run.output.contains("[y/N]") }
      terminal.type("n\n")
    }
    _ = await run.end()
    let text = terminal.text.replacing("\r\n", with: "\n")
    #expect(text.contains("na"))
    #expect(Self.isHarmless(text), "\(text.debugDescription)")
  }

  @Test(arguments: [
    ["run", "\u{202e}x"], ["timeline", "\u{202e}x.yaml"], ["history", "show", "\u{202e}x"],
    ["resume", "\u{202e}x"], ["run", "an\u{2067}na=demo"], ["\u{202e}x"],
  ])
  func noMarkOfACommandIsRepeated(command: [String]) async throws {
    let outcome = try await space.program.run(command)
    #expect(outcome.status != .exited(0))
    #expect(outcome.errorLines.count == 1)
    #expect(Self.isHarmless(outcome.errors))
  }

  @Test(arguments: ["name: \u{202e}Rows\n", "name: \"\\u202eRows\"\n"])
  func aPresetWithAMarkInItsNameIsRefused(line: String) async throws {
    try space.write(line + "blocks: [{phases: [{work: 1s}]}]\n", to: "rows.yaml")
    let outcome = try await space.run("check", "rows.yaml").expect(2)
    #expect(outcome.errors.hasPrefix("rows.yaml:1: "))
    #expect(Self.isHarmless(outcome.errors))
  }

  // MARK: Width

  @Test func aMessageBreaksBetweenWordsInAWindowAndIsOneLineElsewhere() async throws {
    let terminal = try PseudoTerminal()
    let command = ["run", "demo", "--acknowledge", String(repeating: "some ", count: 20)]
    let shown = await (try space.program.start(command, on: terminal)).end()
    #expect(shown.lines.count > 1)
    #expect(shown.lines.allSatisfy { Columns.width($0) <= 80 })
    #expect(shown.lines.dropFirst().allSatisfy { $0.hasPrefix("  ") })
    let plain = try await space.program.run(command)
    #expect(plain.errorLines.count == 1)
    let words = { (text: String) in text.split { $0.isWhitespace } }
    #expect(words(shown.output) == words(plain.errors))
  }

  @Test(arguments: [
    ["run", String(repeating: "x", count: 5000)], ["resume", String(repeating: "x", count: 5000)],
    ["run", "demo", "--voice", String(repeating: "x", count: 5000)],
    [String(repeating: "x", count: 5000)],
  ])
  func aNameOfThousandsOfLettersDoesNotFillTheScreen(command: [String]) async throws {
    let outcome = try await space.program.run(command)
    #expect(outcome.status != .exited(0))
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.count <= 660)
  }
}
