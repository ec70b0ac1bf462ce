import IntervalTimeline
import Phrases
import Presets
import Testing

/// Errors in a catalogue, each reported on one line.
@Suite struct PhraseFileErrorTests {
  private func message(_ yaml: String, over base: PhraseCatalogue?) -> String? {
    complaint { () throws(FileError) in
      try PhraseFile.parse(Array(yaml.utf8), file: "de.yaml", over: base)
    }
  }

  private static let lines = PhraseFileTests.whole.split(
    separator: "\n", omittingEmptySubsequences: false)
  private static let units = "every unit: hour, minute, second, rep"
  private static let anyUnit =
    "hour, minute, second, rep, set, time, metre, kilometre, kilogram, watt, calorie, percent, stroke, "
    + "beats-per-minute, strokes-per-minute, revolutions-per-minute, "
    + "kilometre-per-hour"
  private static let phases =
    "every phase: prepare, warmup, low, high, work, rest, recovery, cooldown"
  private static let phrases =
    "every phrase: set-completion, halfway, next, finish, position, time-left, elapsed, paused, "
    + "resumed, skipped, went-back, stop-question"
  private static let screen = ScreenKey.allCases.map(\.rawValue).joined(separator: ", ")
  private static let keys = "language, voice, plural, units, phases, phrases"

  /// The lines of a complete catalogue that can be left out one by one, from 1, and the message.
  private static let missing: [(Int, String)] =
    [
      (1, "1: no language, expected all of \(keys)"), (2, "1: no voice, expected all of \(keys)"),
      (3, "1: no plural, expected all of \(keys)"),
    ]
    + zip(5...8, ["hour", "minute", "second", "rep"]).map {
      ($0, "4: no \($1), expected \(units)")
    }
    + zip(10...17, PhaseKind.allCases).map { ($0, "9: no \($1.rawValue), expected \(phases)") }
    + zip(19...30, PhraseKey.needed).map { ($0, "18: no \($1.rawValue), expected \(phrases)") }

  @Test(arguments: missing)
  func whatIsMissingIsNamed(line: Int, says: String) {
    var lines = Self.lines
    lines.remove(at: line - 1)
    #expect(message(lines.joined(separator: "\n"), over: nil) == "de.yaml:\(says)")
  }

  @Test func everyLineOfACatalogueIsNeeded() {
    #expect(message(PhraseFileTests.whole, over: nil) == nil)
    #expect(Self.missing.count == Self.lines.count - 4)
  }

  @Test(arguments: [
    ("", "1: an empty catalogue, expected all of "), ("[]", "1: a catalogue that is an empty list"),
    ("{}", "1: a catalogue that is an empty map, expected all of "),
  ])
  func whatIsNoCatalogueIsRefused(yaml: String, says: String) {
    #expect(message(yaml, over: nil)?.hasPrefix("de.yaml:\(says)") == true)
  }

  private static let variables =
    "{set}, {sets}, {phase}, {next}, {length}, {remaining}, {elapsed}, {reps}, "
    + "{repetitions}, {counted}, {intensity}, {workout}, {total}, {set-count}, {work}, {times}, {group}"

  private static let mistakes: [(String, String)] = [
    (
      "[a]",
      "1: a catalogue that is a list, expected some of \(keys), decimal, intensity, coaching, screen, words"
    ),
    (
      "screen: {seat: a}",
      "1: unknown key \"seat\" in screen (did you mean \"set\"?), expected one of set, left, next, "
        + "then, last, over, paused, resumed, phase, workout, open, at-most, until-next, "
        + "until-signal, complete, interrupted, stopped, done, skipped, key-space, key-n and 47 more"
    ),
    (
      "screen: {set: \"{time}\"}",
      "1: unknown variable \"{time}\" in set, expected one of {set}, {sets}"
    ),
    (
      "screen: {set: \"{set\"}",
      "1: a brace without its other in set, expected both round one of {set}, {sets}"
    ),
    ("screen: {over: \"{set}\"}", "1: over is \"{set}\", expected a text without braces"),
    (
      "intensity: {zones: a}",
      "1: unknown key \"zones\" in intensity (did you mean \"zone\"?), expected one of "
        + IntensityKey.allCases.prefix(14).map(\.rawValue).joined(separator: ", ") + " and 2 more"
    ),
    (
      "intensity: {ramp: \"to {last}\"}",
      "1: no {first} in ramp, expected a text with {first} and {last}"
    ),
    (
      "intensity: {zone: \"zone {number}\"}",
      "1: unknown variable \"{number}\" in zone, expected one of {n}"
    ),
    (
      "coaching: {watt-up: a}",
      "1: unknown key \"watt-up\" in coaching (did you mean \"watts-up\"?), expected one of "
        + CoachingKey.allCases.prefix(14).map(\.rawValue).joined(separator: ", ") + " and 14 more"
    ),
    (
      "coaching: {ramp: \"{text}, {n}\"}",
      "1: unknown variable \"{n}\" in ramp, expected one of {text}, {target}"
    ),
    (
      "coaching: {watts-lost: \"{n}\"}",
      "1: watts-lost is \"{n}\", expected a text without braces"
    ),
    ("decimal: ;", "1: decimal is \";\", expected . or ,"),
    ("screen: a", "1: screen is \"a\", expected some of \(screen)"),
    (
      "phrase: {}",
      "1: unknown key \"phrase\" in a catalogue (did you mean \"phrases\"?), expected one of \(keys), decimal, intensity, coaching, screen, words"
    ),
    ("language: a b", "1: language is \"a b\", expected a language such as en or pt-br"),
    ("voice:", "1: voice is empty, expected a text"),
    (
      "plural: two",
      "1: plural is \"two\", expected one of one-other, zero-one-other, one-few-many, other"
    ),
    ("plural: one-few-many", "1: no hour, expected \(units)"),
    (
      "plural: one-few-many\nunits:\n  hour: {one: a, few: \"{n} b\"}",
      "3: no many in hour, expected a text for each of one, few, many"
    ),
    ("units: [a]", "1: units is a list, expected some of \(anyUnit)"),
    (
      "units:\n  minutes: {one: a}",
      "2: unknown key \"minutes\" in units (did you mean \"minute\"?), expected one of "
        + anyUnit
    ),
    ("units: {hour: a}", "1: hour is \"a\", expected a text for each of one, other"),
    (
      "units:\n  hour: {few: \"{n} a\"}",
      "2: unknown key \"few\" in hour, expected one of one, other"
    ),
    (
      "units: {hour: {01: a}}", "1: unknown key \"01\" in hour, expected one of one, other"
    ),
    (
      "units: {hour: {other: hours}}",
      "1: no {n} in other of hour, expected {n} once, where the number is said"
    ),
    (
      "units: {hour: {one: \"{n} {n}\"}}",
      "1: more than one {n} in one of hour, expected {n} once, where the number is said"
    ),
    (
      "units: {hour: {one: \"{m} hour\"}}",
      "1: unknown variable \"{m}\" in one, expected one of {n}"
    ),
    (
      "units: {hour: {one: \"{set} hour\"}}",
      "1: unknown variable \"{set}\" in one, expected one of {n}"
    ),
    (
      "units: {hour: {one: \"{n hour\"}}",
      "1: a brace without its other in one, expected both round one of {n}"
    ),
    ("phases: {high: }", "1: high is empty, expected a text"),
    ("phases: {high: \"{set}\"}", "1: high is \"{set}\", expected a text without braces"),
    (
      "phases:\n  cooldwon: A",
      "2: unknown key \"cooldwon\" in phases (did you mean \"cooldown\"?), expected one of prepare, "
        + "warmup, low, high, work, rest, recovery, cooldown"
    ),
    (
      "phrases:\n  next: Now\n  halfway: Halb {sett}",
      "3: unknown variable \"{sett}\" in halfway (did you mean {set}?), expected one of \(variables)"
    ),
    (
      "phrases:\n  next:\n    - Now\n    - A {",
      "4: a brace without its other in next, expected both round one of \(variables)"
    ),
    ("phrases: {next: ~}", "1: next is empty, expected a text, a list of texts or silent"),
    (
      "phrases: {next: \(String(repeating: "a", count: 501))}",
      "1: next is too long, expected at most 500 characters"
    ),
    (
      "phrases: {next: \"\\0\"}",
      "1: next is \"\\u{0}\", expected a text without control characters"
    ),
  ]

  @Test(arguments: mistakes)
  func mistakeIsOneLineWithItsPlace(yaml: String, says: String) {
    #expect(message(yaml, over: .english) == "de.yaml:" + says)
  }

  @Test func formThatSeveralNumbersTakeNamesTheNumber() throws {
    var french = PhraseCatalogue.english
    french.plural = .zeroOneOther
    let fixed = "units: {hour: {one: une heure}}"
    #expect(message(fixed, over: .english) == nil)
    #expect(
      message(fixed, over: french)
        == "de.yaml:1: no {n} in one of hour, expected {n} once, where the number is said")
    #expect(message("units: {hour: {1: une heure}}", over: french) == nil)
  }

  @Test func missingFileIsNamed() {
    let path = "/nosuch/de.yaml"
    let complaint = complaint { () throws(FileError) in
      try PhraseFile.read(path: path, over: .english)
    }
    #expect(complaint == "\(path): no such file, expected a catalogue of phrases")
  }
}
