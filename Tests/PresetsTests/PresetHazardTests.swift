import IntervalTimeline
import TestSupport
import Testing

@testable import Presets

/// What would trap, hang or overflow a parser that trusts its input.
@Suite struct PresetHazardTests {
  private static let deep =
    "lists and maps more than 64 deep, expected no more than the known keys need"
  private static let plain = "expected plain keys and values, or quotes round a text"

  private static let unclosedQuote = "expected quoted text to end on the line on which it begins"

  private static let endless: [(String, Int, String)] = [
    ("[", 500_000, "1: \(deep)"), ("{a: ", 250_000, "1: \(deep)"),
    ("[a: ", 250_000, "1: \(deep)"), ("[\n", 500_000, "65: \(deep)"),
    ("- ", 500_000, "1: \(deep)"),
    ("{", 500_000, "1: a list or map as a key, expected a text as the key"),
    (
      "-", 500_000,
      "1: a preset that is \"\(String(repeating: "-", count: 40))…\", \(BadPreset.bothForms)"
    ),
    ("? ", 500_000, "1: a list or map as a key, expected a text as the key"),
    (
      "a: ", 300_000,
      "1: a key on the line of another key, "
        + "expected a line for each key, and quotes round a text with a colon in it"
    ),
    ("'", 999_999, "1: quoted text without its closing ', \(unclosedQuote)"),
    (
      "\"\\", 400_000,
      "1: found unknown escape character, expected a known escape after the \\, or single quotes"
    ),
    ("&", 900_000, "1: an anchor (&), \(plain)"), ("!", 900_000, "1: a tag (!), \(plain)"),
    (
      "k: 1\n", 199_000,
      "2: the key \"k\" is given again, first on line 1, expected each key once"
    ),
    ("]", 900_000, "1: a text that begins with ], expected quotes round it"),
    ("\n", 999_999, "1: an empty preset, \(BadPreset.bothForms)"),
    (
      "\0", 999_999,
      "1: the control character \\u{0}, expected printable text, spaces and line ends"
    ),
  ]

  @Test(.timeLimit(.minutes(30)), arguments: endless)
  func endlessRepetitionIsOneLine(text: String, count: Int, expected: String) {
    #expect(message(String(repeating: text, count: count)) == "a.yaml:\(expected)")
  }

  @Test func deepIndentationIsRefused() {
    let levels = (0..<1000).map { String(repeating: " ", count: $0) + "a:\n" }
    #expect(message(levels.joined()) == "a.yaml:65: \(Self.deep)")
  }

  @Test(.timeLimit(.minutes(30)))
  func aliasesOfAliasesAreRefusedBeforeTheyAreFollowed() {
    var yaml = "a0: &a0 [x, x]\n"
    for level in 1...60 { yaml += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    yaml += "? *a60\n: 1\n"
    #expect(message(yaml) == "a.yaml:1: an anchor (&), \(Self.plain)")
  }

  @Test(.timeLimit(.minutes(30)))
  func endlessDigitsAreOneLine() {
    let digits = String(repeating: "9", count: 900_000)
    let start = "\"\(digits.prefix(40))…\""
    #expect(
      message("name: A\nsets: \(digits)\nlow: 3\nhigh: 3")
        == "a.yaml:2: sets is \(start), expected a whole number from 1 to 10000")
    #expect(
      message("name: A\nsets: 2\nlow: \(digits)\nhigh: 3")
        == "a.yaml:3: the length \(start) of low is over 24 h, expected at most 24h")
  }

  @Test func oneByteOverAMegabyteIsRefused() {
    let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: 1_000_001)
    #expect(message(bytes) == "a.yaml: over 1 MB, expected a file of at most 1,000,000 bytes")
  }

  @Test func megabyteOfPhasesIsLaidOut() throws {
    let phase = "      - {high: 1, name: A}\n"
    let yaml = "name: A\nblocks:\n  - phases:\n" + String(repeating: phase, count: 37_000)
    let workout = try PresetFile.parse(Array(yaml.utf8), file: "a.yaml")
    #expect(try Timeline(workout).count == 37_000)
  }

  /// Whatever it looks like, it is a tree within its lines, or one fault at one of them.
  @Test(arguments: 1...4)
  func anyTextIsReadOrRefusedAtALine(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var passed = 0
    for _ in 0..<4000 {
      let yaml = YamlSoup.text(using: &generator)
      let lines = 1...yaml.utf8.count { $0 == UInt8(ascii: "\n") } + 1
      do throws(FileFault) {
        guard let root = try YamlTree.root(of: Array(yaml.utf8)) else { continue }
        passed += 1
        #expect(YamlSoup.isPlain(root, in: lines), "\(yaml.debugDescription)")
      } catch {
        #expect(error.line.map { lines.contains($0) } == true, "\(yaml.debugDescription)")
      }
    }
    #expect(passed > 100)
  }
}
