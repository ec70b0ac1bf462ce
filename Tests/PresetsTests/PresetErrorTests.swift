import Testing

/// Errors in the meaning of a preset.
@Suite struct PresetErrorTests {
  // Separate, because Swift 6.0 crashes on interpolations in a macro's arguments.
  private static let neitherForm = [
    BadPreset("", "a.yaml:1: an empty preset, \(BadPreset.bothForms)"),
    BadPreset("\n# nothing\n---\n", "a.yaml:1: an empty preset, \(BadPreset.bothForms)"),
    BadPreset("[]", "a.yaml:1: a preset that is an empty list, \(BadPreset.bothForms)"),
    BadPreset("\n- name: A", "a.yaml:2: a preset that is a list, \(BadPreset.bothForms)"),
    BadPreset("{}", "a.yaml:1: a preset that is an empty map, \(BadPreset.bothForms)"),
    BadPreset("name: A", "a.yaml:1: no sets and no blocks, \(BadPreset.bothForms)"),
    .flat("blocks: []", "blocks beside sets, two forms in one preset, \(BadPreset.bothForms)"),
    BadPreset(
      "name: A\nblocks:\n  - phases: [{low: 3}]\nlow: 3\n",
      "a.yaml:4: low beside blocks, two forms in one preset, \(BadPreset.bothForms)"),
    BadPreset(
      "\nname: A\nlow: 3\nhigh: 3\n",
      "a.yaml:2: no sets, expected the number of sets, such as sets: 12"),
    BadPreset(
      "name: A\nsets: 2\nhigh: 3\n", "a.yaml:1: no low, expected its length, such as low: 30s"),
    BadPreset(
      "name: A\nsets: 2\nlow: 3\n", "a.yaml:1: no high, expected its length, such as high: 30s"),
    BadPreset("sets: 2\nlow: 3\nhigh: 3\n", "a.yaml:1: no name, expected the workout's name"),
  ]

  @Test(arguments: neitherForm)
  func presetOfNeitherFormSaysWhatTheFormsAre(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }

  private static let styleKeys =
    "expected one of name, language, voice, variant, rate, pitch, speech-volume, sounds, density, "
    + "countdown, acknowledge, phrases, values"
  private static let flatKeys =
    "\(styleKeys), sets, first, low, high, prepare, warmup, rest, cooldown and 9 more"

  private static let unknownKeySuggestsTheNearestTable: [BadPreset] = [
    .flat(
      "hihg: 3",
      "unknown key \"hihg\" in a preset (did you mean \"high\"?), \(flatKeys)"),
    .flat(
      "cool-down: 3",
      "unknown key \"cool-down\" in a preset (did you mean \"cooldown\"?), \(flatKeys)"),
    .flat(
      "<<: {low: 3}",
      "unknown key \"<<\" in a preset, \(flatKeys)"),
    BadPreset(
      "name: A\nblocks: []\nvoise: en",
      "a.yaml:3: unknown key \"voise\" in a preset (did you mean \"voice\"?), "
        + "\(styleKeys), blocks, seed, note, link, description, for, author, source and 2 more"),
    BadPreset(
      "name: A\nblocks:\n  - set: 3\n    phases: []",
      "a.yaml:3: unknown key \"set\" in a block (did you mean \"sets\"?), "
        + "expected one of sets, repeat, ladder, sides, stations, switch, count, phases, between"),
    BadPreset(
      "name: A\nblocks:\n  - sets: 3\n    count: each\n    phases: [{high: 3s}]",
      "a.yaml:4: count: each beside sets in a block, expected sets where all its phases are repeated, "
        + "or count: each where each is a set"),
    BadPreset(
      "name: A\nblocks:\n  - count: all\n    phases: [{high: 3s}]",
      "a.yaml:3: count is \"all\", expected each, marked or aloud"),
    BadPreset(
      "name: A\nblocks:\n  - count: each\n    phases: [{low: 3s}, {rest: 3s}]",
      "a.yaml:3: count: each in a block without a phase of effort, expected at least one high or "
        + "work, each of which is a set"),
    .phases(
      "      - Sprint\u{7F}: 3",
      "5: the control character \\u{7F}, expected printable text, "
        + "spaces and line ends"),
    .phases(
      "      - high: 3\n        nmae: Hard",
      "6: unknown key \"nmae\" in a phase (did you mean \"name\"?), expected one of prepare, "
        + "warmup, low, high, work, rest, recovery, cooldown, name, "
        + "intensity, target, metronome, last, say, at, callouts, rounds, surprise, course, note, link"
    ),
    .flat(
      "rest: {rep: 12}",
      "unknown key \"rep\" in an open length (did you mean \"reps\"?), "
        + "expected one of reps, until, on, about, at-least, at-most"
    ),
    .flat(
      "rest: {reps:12}",
      "unknown key \"reps:12\" in an open length, expected a space after the colon"
    ),
    .flat(
      String(repeating: "k", count: 41) + ": 3",
      "unknown key \"\(String(repeating: "k", count: 40))…\" in a preset, \(flatKeys)"),
  ]

  @Test(arguments: unknownKeySuggestsTheNearestTable)
  func unknownKeySuggestsTheNearest(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }

  private static let valueOfTheWrongKindSaysWhatWasExpectedTable: [BadPreset] = [
    .sets("0", "\"0\""), .sets("-1", "\"-1\""), .sets("+2", "\"+2\""), .sets("1.5", "\"1.5\""),
    .sets("012", "\"012\""), .sets("1_000", "\"1_000\""), .sets("0x10", "\"0x10\""),
    .sets("twelve", "\"twelve\""), .sets("true", "\"true\""), .sets("10001", "\"10001\""),
    .sets("9223372036854775807", "\"9223372036854775807\""),
    .sets(String(repeating: "9", count: 99), "\"\(String(repeating: "9", count: 40))…\""),
    .sets("", "empty"), .sets("~", "empty"), .sets("[]", "an empty list"), .sets("[2]", "a list"),
    .sets("{a: 2}", "a map"),
    BadPreset(
      "name: A\nsets: \"12\"\nlow: 3\nhigh: 3",
      "a.yaml:2: sets is \"12\", expected a whole number from 1 to 10000 without quotes"),
    .flat("rest: {reps: 0}", "reps is \"0\", expected a whole number from 1 to 10000"),
    .flat("rest: {reps: }", "reps is empty, expected a whole number from 1 to 10000"),
    .flat("rest: {until: Done}", "until is \"Done\", \(BadPreset.signals)"),
    .flat("rest: {until: heart rate}", "until is \"heart rate\", \(BadPreset.signals)"),
    .flat("rest: {until: 2nd}", "until is \"2nd\", \(BadPreset.signals)"),
    .flat("rest: {until: }", "until is empty, \(BadPreset.signals)"),
    .flat(
      "rest: {at-most: 3m}",
      "rest is a map without reps or until, expected {reps: 12} or {until: next}"),
    .flat(
      "rest: {until: next, at-most: {reps: 3}}",
      "at-most is a map, \(BadPreset.lengths)"),
    .flat(
      "rest: {until: next, at-most: 0}",
      "the length \"0\" of at-most is zero, expected more than zero, such as 30s or 0.5s"),
    .flat(
      "rest: {until: ready, at-least: 31s, at-most: 30s}",
      "at-least is longer than at-most, expected at-least up to at-most"),
    .flat(
      "rest: {until: next, at-least: 5s}",
      "at-least has no effect with until: next, which ends the phase at once, "
        + "expected at-least with reps or a signal"),
    .flat("rest: {}", "rest is an empty map, expected {reps: 12} or {until: next}"),
    .flat(
      "rest: {reps: 1, until: next}",
      "rest is both reps and until, expected {reps: 12} or {until: next}"),
    .flat("first: middle", "first is \"middle\", expected low or high"),
    .flat("first: [low]", "first is a list, expected low or high"),
    .flat("rest: []", "rest is an empty list, \(BadPreset.lengths), {reps: 12} or {until: next}"),
    .flat("rest:", "rest is empty, \(BadPreset.lengths), {reps: 12} or {until: next}"),
    .flat("rest: soon", "the length \"soon\" of rest is not a length, \(BadPreset.lengths)"),
    .flat(
      "rest: 5min",
      "the length \"5min\" of rest has the unknown unit \"min\", expected h, m, s or ms after "
        + "each number, such as 1m30s"),
    .flat(
      "rest: 0s",
      "the length \"0s\" of rest is zero, expected more than zero, such as 30s or 0.5s"),
    .flat(
      "rest: -5s",
      "the length \"-5s\" of rest is negative, expected more than zero, such as 30s or 0.5s"),
    .flat(
      "rest: 0.0001s",
      "the length \"0.0001s\" of rest is finer than a millisecond, expected whole milliseconds, "
        + "such as 0.5s or 250ms"),
    .flat("rest: 25h", "the length \"25h\" of rest is over 24 h, expected at most 24h"),
    .flat("voice: [en]", "voice is a list, expected a text"),
    .flat("voice: null", "voice is empty, expected a text"),
    .flat("voice: \"\"", "voice is blank, expected a text"),
    .flat(
      "voice: \"\\e[2J\"", "voice is \"\\u{1B}[2J\", expected a text without control characters"),
    .flat(
      "voice: \"a\\Lb\"", "voice is \"a\\u{2028}b\", expected a text without control characters"),
    .flat(
      "voice: \(String(repeating: "v", count: 501))",
      "voice is too long, expected at most 500 characters"),
  ]

  @Test(arguments: valueOfTheWrongKindSaysWhatWasExpectedTable)
  func valueOfTheWrongKindSaysWhatWasExpected(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }

  private static let blockThatCannotBeDoneIsAnErrorTable: [BadPreset] = [
    BadPreset(
      "name: A\nblocks: []",
      "a.yaml:2: blocks is an empty list, expected a list of blocks, each "
        + "with phases"),
    BadPreset(
      "name: A\nblocks:\n  - 4m\n",
      "a.yaml:3: a block that is \"4m\", expected phases, and sets where they are repeated"),
    BadPreset(
      "name: A\nblocks:\n  - phases: [{low: 3}]\n  -\n",
      "a.yaml:4: a block that is empty, expected phases, and sets where they are repeated"),
    BadPreset(
      "name: A\nblocks:\n  - sets: 3\n",
      "a.yaml:3: no phases, expected a list of phases in each block"),
    .phases("", "4: phases is empty, expected a list of phases, such as - high: 4m"),
    .phases(
      "      - rest",
      "5: a phase that is \"rest\", expected a kind and its length, such as high: 4m"),
    .phases(
      "      - name: Hard",
      "5: a phase without a kind, expected one of prepare, warmup, low, high, work, rest, "
        + "recovery, cooldown"),
    .phases(
      "      - high: 3\n        low: 4",
      "6: low in a phase that is high already, expected a dash before each phase"),
    .phases("      - high: 3\n        last: maybe", "6: last is \"maybe\", expected skip"),
    .phases("      - high: 3\n        name: ' '", "6: name is blank, expected a text"),
    .phases(
      "      - high: 3\n        last: skip",
      "4: a last set without a phase, for all have last: skip, expected at least one phase "
        + "without it"),
    BadPreset(
      "name: A\nblocks:\n  - phases:\n      - low: 3\n      - high: 3\n        last: skip\n",
      "a.yaml:6: last: skip in a block without sets, expected sets in the block, or no last"),
    BadPreset(
      "name: A\nblocks:\n  - phases:\n      - high: 1m\n    between: {rest: 1m}\n",
      "a.yaml:5: between in a block without sets, expected sets in the block, or a phase more"),
  ]

  @Test(arguments: blockThatCannotBeDoneIsAnErrorTable)
  func blockThatCannotBeDoneIsAnError(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }

  @Test(arguments: [
    BadPreset(
      "name: A\nsets: 2\nlow: 249ms\nhigh: 5",
      "a.yaml:3: a phase of 0.249s, expected at least 0.25s"),
    .phases("      - high: 20s\n      - rest: 1%", "6: a phase of 0.2s, expected at least 0.25s"),
    .phases(
      "      - rest: {until: next, at-most: 0.1s}", "5: a phase of 0.1s, expected at least 0.25s"),
    .phases(
      "      - work: {until: next}\n      - rest: {on: 1ms}",
      "6: a phase of 0.001s, expected at least 0.25s"),
  ])
  func phaseThatIsTooShortIsAnError(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }

  @Test(arguments: [
    BadPreset(
      "name: A\nsets: 10000\nlow: 5\nhigh: 5",
      "a.yaml:2: more than 24 h in all, every set counted, expected at most 24 h"),
    BadPreset(
      "name: A\nsets: 2\nlow: 6h\nhigh: 6h\nrest: 250ms",
      "a.yaml:2: more than 24 h in all, every set counted, expected at most 24 h"),
    BadPreset(
      "name: A\nblocks:\n  - phases:\n    - low: 24h\n    - high: {reps: 1}\n    - low: 250ms",
      "a.yaml:6: more than 24 h in all, every set counted, expected at most 24 h"),
    BadPreset(
      "name: A\nblocks:\n  - sets: 10000\n    phases: ["
        + String(repeating: "{work: {reps: 1}}, ", count: 11) + "]",
      "a.yaml:3: more than 100000 phases, every set counted, expected at most 100000"),
    BadPreset(
      "name: A\nblocks:\n"
        + String(
          repeating: "  - {sets: 10000, phases: [{low: {reps: 1}}, {high: {reps: 1}}]}\n",
          count: 6),
      "a.yaml:8: more than 100000 phases, every set counted, expected at most 100000"),
  ])
  func workoutTooLargeForATimelineIsAnErrorAtItsPlace(bad: BadPreset) {
    #expect(message(bad.yaml) == bad.message)
  }
}
