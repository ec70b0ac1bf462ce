import Testing

@testable import Presets

/// Errors in the syntax of a preset.
@Suite struct YamlSyntaxTests {
  private static let plain = "expected plain keys and values, or quotes round a text"
  private static let columns =
    "indentation that fits no line above, expected the keys of one map, and the dashes of one "
    + "list, in one column"
  private static let oneLine = "expected each text on one line, or a key before it"

  private static let duplicateKeyNamesTheSecondLineTable: [BadPreset] = [
    .flat("low: 5", "the key \"low\" is given again, first on line 3, expected each key once"),
    .flat(
      "\"low\": 5", "the key \"low\" is given again, first on line 3, expected each key once"),
    .flat(
      "\"l\\x6fw\": 5",
      "the key \"low\" is given again, first on line 3, expected each key once"),
    .flat(
      "rest: {reps: 1, reps: 2}",
      "the key \"reps\" is given again, first on line 5, expected each key once"),
    .phases(
      "      - high: 3\n        name: A\n      - high: 4\n        name: B\n        high: 5",
      "9: the key \"high\" is given again, first on line 7, expected each key once"),
    .phases(
      "      - high: 3\n    sets: 4",
      "6: the key \"sets\" is given again, first on line 3, expected each key once"),
    BadPreset(
      "{low, low}",
      "a.yaml:1: the key \"low\" is given again, first on line 1, expected each key once"),
  ]

  @Test(arguments: duplicateKeyNamesTheSecondLineTable)
  func duplicateKeyNamesTheSecondLine(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }

  private static let restOfYamlIsRefusedByNameTable: [BadPreset] = [
    .flat("rest: &a 5", "an anchor (&), \(plain)"),
    .flat("&a rest: 5", "an anchor (&), \(plain)"),
    .flat("rest: {reps: &a 5}", "an anchor (&), \(plain)"),
    .flat("rest: &a [5]", "an anchor (&), \(plain)"), .flat("rest: !x [5]", "a tag (!), \(plain)"),
    .flat("rest: &a {reps: 5}", "an anchor (&), \(plain)"),
    .flat("rest: !x {reps: 5}", "a tag (!), \(plain)"),
    .flat("rest: *a", "an alias (*), \(plain)"), .flat("*a : 5", "an alias (*), \(plain)"),
    .flat("<<: *a", "an alias (*), \(plain)"), .flat("rest: [1,*a]", "an alias (*), \(plain)"),
    .flat("rest: !!int 5", "a tag (!), \(plain)"), .flat("rest: !x", "a tag (!), \(plain)"),
    .flat("rest: |\n  5", "a text of several lines (| or >), \(plain)"),
    .flat("voice: >-\n  a\n  b", "a text of several lines (| or >), \(plain)"),
    .flat("? [a]\n: 5", "a list or map as a key, expected a text as the key"),
    .flat("%YAML 1.2", "a directive (%), \(plain)"),
    .flat("---\nname: B", "a second document, expected one document in each file"),
    .flat("---", "a second document, expected one document in each file"),
    BadPreset(
      "name: A\n...\nsets: 2", "a.yaml:3: a second document, expected one document in each file"),
    BadPreset(
      "[[a]: 3]", "a.yaml:1: a list or map as a key, expected a text as the key"),
    BadPreset("{[a]: 3}", "a.yaml:1: a list or map as a key, expected a text as the key"),
    BadPreset(
      "{a: 1}: 3", "a.yaml:1: a list or map as a key, expected a text as the key"),
  ]

  @Test(arguments: restOfYamlIsRefusedByNameTable)
  func restOfYamlIsRefusedByName(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }

  private static let slipOfThePenIsNamedAtItsLineTable: [BadPreset] = [
    .flat(
      "rest:5s",
      "\"rest:5s\" without a key, expected a key, a colon, a space and the value on one "
        + "line"),
    BadPreset(
      "name: A\n  B",
      "a.yaml:2: \"B\" continues the text above it, \(oneLine)"),
    BadPreset(
      "name: A\n\n  B", "a.yaml:3: \"B\" continues the text above it, \(oneLine)"),
    .flat(
      "voice: A: B",
      "a key on the line of another key, expected a line for each key, and "
        + "quotes round a text with a colon in it"),
    .flat(
      "voice: 'a",
      "quoted text without its closing ', expected quoted text to end on the line on "
        + "which it begins"),
    .flat(
      "voice: \"a\n  b\"",
      "quoted text that continues on the next line, expected the closing quote on the line on "
        + "which it begins"),
    .flat(
      "voice: 'a' b",
      "text after the end of a value, expected a comment, the end of the line, or quotes round "
        + "the whole text"),
    .flat("voice: @a", "a text that begins with @, expected quotes round it"),
    .flat(
      "voice: \"\\q\"",
      "found unknown escape character, expected a known escape after the \\, "
        + "or single quotes"),
    .flat(": 5", "a colon without a key before it, expected key: value"),
    .flat("rest: {reps: 12", "{ without its closing bracket, expected }"),
    .flat("rest: {reps: 12\nwarmup: 5", "{ without its closing bracket, expected }"),
    .flat("rest: {reps: 12]", "{ without its closing bracket, expected }"),
    .flat("rest: {reps:, a}", "a colon without a space after it, expected {key: value}"),
    .flat("rest: [a,,b]", "a comma without a value before it, expected a value"),
    .flat("rest: - 5", "a dash on the line of a key, expected each dash on a line of its own"),
    .flat("rest: [- 5]", "a dash in brackets, expected commas between items"),
    .flat("  rest: 5", columns), .flat("- rest", columns),
    .phases("      - high: 4m\n          name: Hard", "6: \(columns)"),
    .phases("      - high: 4m\n       name: Hard", "6: \(columns)"),
    .phases("     - high: 4m\n   - low: 3m", "6: \(columns)"),
    .phases("\t- high: 4m", "5: a tab in the indentation, expected spaces alone"),
    .phases("      -\thigh: 4m", "5: a tab in the indentation, expected spaces alone"),
    BadPreset(
      String(repeating: "k", count: 1100) + ": 3",
      "a.yaml:1: a key that is too long, expected at most 1024 characters"),
  ]

  private static let keyAndValue = "expected a key, a colon, a space and the value on one line"
  private static let comma =
    "a line in brackets without a comma at its end, expected a comma, or each text on one line"

  /// What was typed wrongly is named, not the line below it or the bracket far above.
  private static let theLineToBlameIsNamedTable: [BadPreset] = [
    .phases("      - high:30s\n        name: A", "5: \"high:30s\" without a key, \(keyAndValue)"),
    .phases("      - high = 3\n        name: A", "5: \"high = 3\" without a key, \(keyAndValue)"),
    .phases(
      "      -high: 30s\n        name: A",
      "5: \"-high: 30s\" has no space after its dash, expected a dash, a space and the item"),
    BadPreset("name:A\nsets: 2", "a.yaml:1: \"name:A\" without a key, \(keyAndValue)"),
    BadPreset(
      "name: A # b: c\nsets:\u{A0}2\nlow: 3",
      "a.yaml:2: \"sets:\\u{A0}2\" without a key, \(keyAndValue)"),
    BadPreset("tags:\n  - a\n   - b", "a.yaml:3: \(columns)"),
    BadPreset("  name: A\nsets: 2", "a.yaml:2: \(columns)"),
    BadPreset(
      "name: A\ntags: [a, b,\nsets: 2\nlow: 3",
      "a.yaml:2: [ without its closing bracket, expected ]"),
    BadPreset(
      "name: A\ntags: [#b]",
      "a.yaml:2: a bracket that is not closed, expected its closing bracket; a # begins a comment"
    ),
    BadPreset("{\"name\": \"A\",\n\"sets\": 2\n\"low\": 3}", "a.yaml:2: \(comma)"),
    BadPreset("name: A\ntags: [one\n two]", "a.yaml:2: \(comma)"),
    BadPreset("note>: | a", "a.yaml:1: a text that begins with |, expected quotes round it"),
    BadPreset("name: > a|b", "a.yaml:1: a text that begins with >, expected quotes round it"),
    BadPreset("name: A\n\n  # b\n  C", "a.yaml:4: \"C\" continues the text above it, \(oneLine)"),
    BadPreset("name: | a", "a.yaml:1: a text that begins with |, expected quotes round it"),
    BadPreset("name: ? a", "a.yaml:1: a text that begins with ?, expected quotes round it"),
  ]

  @Test(arguments: theLineToBlameIsNamedTable)
  func theLineToBlameIsNamed(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }

  @Test(arguments: slipOfThePenIsNamedAtItsLineTable)
  func typoIsReportedAtItsLine(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }

  @Test(
    arguments: [
      ([0x61, 0xFF], 1), ([0x61, 0x0A, 0xC3], 2), ([0x0A, 0x0A, 0xED, 0xA0, 0x80, 0x0A], 3),
      ([0xFE, 0xFF, 0x00, 0x61], 1), ([0x61, 0x0A, 0xC0, 0x80], 2), ([0xF5, 0x80, 0x80, 0x80], 1),
    ] as [([UInt8], Int)])
  func bytesThatAreNotUTF8AreRefusedAtTheirLine(bytes: [UInt8], line: Int) {
    #expect(message(bytes) == "a.yaml:\(line): not UTF-8, expected a text file saved as UTF-8")
  }

  @Test(arguments: [
    ("%PDF-1.7\n%\u{E2}", "a PDF document"),
    ("PK\u{3}\u{4}\u{14}", "a zip archive or an office document"),
    ("{\\rtf1 text}", "an RTF document"),
  ])
  func otherKindsOfFileAreNamed(start: String, name: String) {
    #expect(message(start) == "a.yaml:1: \(name), expected a text file")
  }

  @Test(arguments: [
    ("\0", "0"), ("\u{7}", "7"), ("\u{1B}", "1B"), ("\u{7F}", "7F"), ("\u{85}", "85"),
    ("\r", "D"), ("\u{2028}", "2028"), ("\u{FEFF}", "FEFF"), ("\u{FFFE}", "FFFE"),
  ])
  func controlCharactersAreRefusedEvenInComments(character: String, code: String) {
    #expect(
      message("name: A\n# \(character)x\n")
        == "a.yaml:2: the control character \\u{\(code)}, expected printable text, spaces and "
        + "line ends")
  }
}
