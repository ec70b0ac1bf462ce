import IntervalTimeline
import Presets
import Testing

/// Texts in a preset.
@Suite struct PresetRemarkTests {
  private func remarks(_ phase: String) throws -> [Remark] {
    let yaml = "name: A\nblocks: [{phases: [\(phase)]}]"
    return try PresetFile.parse(Array(yaml.utf8), file: "a.yaml").blocks[0].steps[0].phase.remarks
  }

  @Test(arguments: [
    ("{low: 30s, say: Breathe}", Remark("Breathe", at: .fromStart(.seconds(1)))),
    ("{low: {reps: 3}, say: Breathe}", Remark("Breathe", at: .fromStart(.seconds(1)))),
    ("{low: 1s, say: Breathe}", Remark("Breathe", at: .fromStart(.zero))),
    ("{low: 1.001s, say: Breathe}", Remark("Breathe", at: .fromStart(.seconds(1)))),
    ("{low: 30s, say: Breathe, at: 0s}", Remark("Breathe", at: .fromStart(.zero))),
    ("{low: 30s, say: Breathe, at: 0:29}", Remark("Breathe", at: .fromStart(.seconds(29)))),
    (
      "{low: 30s, say: Breathe, at: 29.999s}",
      Remark("Breathe", at: .fromStart(.milliseconds(29_999)))
    ),
    ("{low: 30s, say: Breathe, at: -1ms}", Remark("Breathe", at: .beforeEnd(.milliseconds(1)))),
    ("{low: 30s, say: Breathe, at: -30s}", Remark("Breathe", at: .beforeEnd(.seconds(30)))),
    (
      "{low: {until: next}, say: Breathe, at: 24h}",
      Remark("Breathe", at: .fromStart(.seconds(86_400)))
    ),
    (
      "{low: 30s, say: 'Set {set} of {sets}'}",
      Remark("Set {set} of {sets}", at: .fromStart(.seconds(1)))
    ),
    ("{low: 30s, say: silent}", Remark("silent", at: .fromStart(.seconds(1)))),
  ])
  func textIsSaidAtItsTime(phase: String, remark: Remark) throws {
    #expect(try remarks(phase) == [remark])
  }

  @Test func listKeepsItsOrder() throws {
    #expect(
      try remarks("{low: 1m, say: [{at: -10s, text: Last}, {text: First}, {at: 30s, text: Half}]}")
        == [
          Remark("Last", at: .beforeEnd(.seconds(10))),
          Remark("First", at: .fromStart(.seconds(1))),
          Remark("Half", at: .fromStart(.seconds(30))),
        ])
  }

  @Test func hundredTextsAreTheMost() throws {
    func texts(_ count: Int) -> String {
      let items = Array(repeating: "{text: A}", count: count).joined(separator: ", ")
      return "name: A\nblocks: [{phases: [{low: 1m, say: [\(items)]}]}]"
    }
    #expect(message(texts(100)) == nil)
    #expect(message(texts(101)) == "a.yaml:2: say has 101 texts, expected 1 to 100")
  }

  private static let texts = "expected a text, or a list such as [{at: 30s, text: Breathe}]"
  private static let variables =
    "{set}, {sets}, {phase}, {next}, {length}, {remaining}, {elapsed}, {reps}, "
    + "{repetitions}, {counted}, {intensity}, {workout}, {total}, {set-count}, {work}, {times}, {group}"

  /// A phase with these lines after the first.
  private static func phase(
    _ length: String, _ lines: String, _ message: String
  ) -> BadPreset {
    .phases("      - high: \(length)\n\(lines)", message)
  }

  private static let mistakes: [BadPreset] = [
    phase("30s", "        say:", "6: say is empty, \(texts)"),
    phase("30s", "        say: {text: A}", "6: say is a map, \(texts)"),
    phase("30s", "        say: []", "6: say has 0 texts, expected 1 to 100"),
    phase("30s", "        say: \"\"", "6: say is blank, \(texts)"),
    phase(
      "30s", "        say: \"\\a\"",
      "6: say is \"\\u{7}\", expected a text without control characters"),
    phase(
      "30s", "        say: \(String(repeating: "a", count: 501))",
      "6: say is too long, expected at most 500 characters"),
    phase(
      "30s", "        say: Go {phse}",
      "6: unknown variable \"{phse}\" in say (did you mean {phase}?), expected one of \(variables)"),
    phase(
      "30s", "        say: Go }",
      "6: a brace without its other in say, expected both round one of \(variables)"),
    phase(
      "30s", "        at: 10s", "6: at without say, expected say and its text beside at"),
    phase(
      "30s", "        say: A\n        at: 30s",
      "7: at is \"30s\", expected a time within the \"30s\" of high"),
    phase(
      "0:30", "        say: A\n        at: -31s",
      "7: at is \"-31s\", expected a time within the \"0:30\" of high"),
    phase(
      "{reps: 12}", "        say: A\n        at: -5s",
      "7: at is \"-5s\", expected a time after the start, for high ends when next is said"),
    phase(
      "30s", "        say: A\n        at: soon",
      "7: the time \"soon\" of at is not a length, expected a length such as 90, 90s, 1m30s, 1:30, "
        + "2h or 0.5s"),
    phase(
      "30s", "        say: A\n        at: -0s",
      "7: the time \"-0s\" of at is zero, expected more than zero, such as 30s or 0.5s"),
    phase(
      "30s", "        say: A\n        at: --5s",
      "7: the time \"--5s\" of at is negative, expected more than zero, such as 30s or 0.5s"),
    phase(
      "30s", "        say: A\n        at: [5s]",
      "7: at is a list, expected a time such as 30s, or -10s for 10 s before the end"),
    phase(
      "30s", "        at: 5s\n        say: [{text: A}]",
      "6: at beside a list of texts, expected at in each item of the list"),
    phase(
      "30s", "        say:\n          - at: 5s",
      "7: no text, expected what is said, such as text: Breathe"),
    phase(
      "30s", "        say:\n          - text: A\n          - Breathe",
      "8: a text of say that is \"Breathe\", expected {at: 30s, text: Breathe}"),
    phase(
      "30s", "        say:\n          - txt: A",
      "7: unknown key \"txt\" in a text of say (did you mean \"text\"?), expected one of at, text"),
    phase(
      "30s", "        say:\n          - text: A\n            at: 31s",
      "8: at is \"31s\", expected a time within the \"30s\" of high"),
    .flat(
      "say: Breathe",
      "unknown key \"say\" in a preset, expected one of name, language, voice, variant, rate, "
        + "pitch, speech-volume, sounds, density, countdown, acknowledge, phrases, values, sets, first, "
        + "low, high, "
        + "prepare, "
        + "warmup, rest, cooldown and 9 more"),
  ]

  @Test(arguments: mistakes)
  func mistakeIsOneLineWithItsPlace(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }
}
