import TestSupport
import Testing

/// What is said of mistakes in `repeat`, `ladder`, `sides` and names in turn.
@Suite struct RepetitionErrorTests {
  private static func block(_ lines: String, _ message: String) -> BadPreset {
    BadPreset("name: A\nblocks:\n\(lines)\n", "a.yaml:\(message)")
  }

  private static let groups = (0..<18).map { "  " + String(repeating: "    ", count: $0) }
    .enumerated().map { depth, indent in "\(indent)- repeat: 1\n\(indent)  phases:" }
    .joined(separator: "\n")

  private static let mistakes = [
    block(
      "  - sets: 2\n    phases:\n      - sets: 2\n        phases: [{work: 1s}]",
      "5: sets of phases within a block, expected repeat, for the sets of a block are numbered"),
    block(
      "  - phases:\n      - phases: [{work: 1s}]",
      "4: a group of phases that is done once, expected repeat, ladder, sides or stations beside phases"
    ),
    block(
      "  - sets: 2\n    repeat: 3\n    phases: [{work: 1s}]",
      "4: repeat beside sets, expected one of them; phases within phases can have the other"),
    block(
      "  - repeat: 0\n    phases: [{work: 1s}]",
      "3: repeat is \"0\", expected a whole number from 1 to 10000"),
    block(
      "  - repeat: 10000\n    phases:\n      - repeat: 11\n        phases: [{work: 1s}]",
      "6: more than 100000 phases, every set counted, expected at most 100000"),
    block(
      "  - repeat: 2\n    phases: [{work: 1s, last: skip}, {rest: 1s, last: skip}]",
      "4: a last time without a phase, for all have last: skip, expected at least one phase without it"
    ),
    block(
      groups + "\n" + String(repeating: "    ", count: 18) + "  - work: 1s",
      "38: groups of phases that lie 17 deep, expected at most 16"),
    block(
      "  - ladder: 1 to 10 by 4\n    phases: [{work: rung}]",
      "3: ladder is \"1 to 10 by 4\", expected a step that leads from the first to the last"),
    block(
      "  - ladder: 30s to 2m\n    phases: [{work: rung}]",
      "3: ladder is \"30s to 2m\", expected its step as well, such as 30s to 2m by 30s"),
    block(
      "  - ladder: 1 to 5000\n    phases: [{work: rung}]",
      "3: ladder has more than 1000 rungs, expected 2 to 1000"),
    block(
      "  - ladder: [1]\n    phases: [{work: rung}]", "3: ladder has 1 rung, expected 2 to 1000"),
    block(
      "  - ladder: [1, two]\n    phases: [{work: rung}]",
      "3: \"two\" in ladder, expected a whole number or a length"),
    block(
      "  - ladder: [1m, 2m]\n    phases: [{work: {reps: rung}}]",
      "4: reps is \"1m\", expected a whole number from 1 to 10000"),
    block(
      "  - sets: 2\n    phases: [{work: rung}]",
      "4: rung outside a ladder, expected a length, or ladder around the phase"),
    block(
      "  - sets: 2\n    phases: [{rest: 50%}]",
      "4: 50% of the phase before, but it is the first of its block, expected a length, such as 30s"
    ),
    block(
      "  - phases: [{work: {until: next}}, {rest: 50%}]",
      "3: 50% of the phase before, which has no length of its own, expected a length, such as 30s"),
    block(
      "  - phases: [{work: 10s}, {rest: 2000%}]",
      "3: rest is \"2000%\", expected a part of the phase before from 1% to 1000%, such as 50%"),
    block(
      "  - sides: [left]\n    phases: [{work: 1s}]", "3: sides has 1 name, expected 2 to 1000"),
    block(
      "  - repeat: 2\n    switch: 5s\n    phases: [{work: 1s}]",
      "4: switch without sides, expected sides, such as sides: [left, right]"),
    block(
      "  - count: aloud\n    phases: [{work: 1s}]",
      "3: count: aloud of phases that are done once, expected repeat, sets, ladder, sides or stations beside it"
    ),
    block(
      "  - phases:\n      - work: 1s\n      - repeat: 20\n        phases: [{work: 1000%}]",
      "6: 1000% of the phase before is over 24 h, expected at most 24h"),
    block(
      "  - repeat: 10000\n    phases:\n      - repeat: 1\n        phases: [{work: 1s}, {rest: 1s, last: skip}, {low: 1s, last: skip},"
        + String(repeating: " {rest: 1s, last: skip},", count: 9) + "]",
      "6: more than 100000 phases, every set counted, expected at most 100000"),
    block(
      "  - repeat: 2\n    count: aloud\n    phases:\n      - repeat: 2\n        count: aloud\n        phases:\n          - work: 5m\n            say: ["
        + (0..<99).map { "{at: \($0)s, text: A}" }.joined(separator: ", ") + "]",
      "9: more than 100 texts with the numbers of count: aloud, expected at most 100"),
    block(
      "  - sides: [\"a{b\", c]\n    phases: [{work: 1s}]",
      "3: a side is \"a{b\", expected a name without braces"),
    block(
      "  - ladder: [000000000000000000000001, 2]\n    phases: [{work: rung}]",
      "3: \"000000000000000000000001\" in ladder, expected a whole number or a length"),
    block(
      "  - phases: [{work: 1s, name: \"Hold {side}\"}]",
      "3: {side} in a phase without sides around it, expected sides around the phase, or another text"
    ),
    block(
      "  - sets: 2\n    phases: [{work: 1s, name: [A, {b: 1}, C]}]",
      "4: name is a map, expected a text"),
    block(
      "  - sides: [a, b]\n    switch: {rest: 1s, last: skip}\n    phases: [{work: 1s}]",
      "4: last in switch, expected no last, for nothing follows the last"),
    block(
      "  - count: marked\n    phases: [{work: 1s, set: 1}, {work: 1s, set: 3}]",
      "4: the sets of count: marked are not 1, 2, 3 and so on, expected set in each phase of a set, such as set: 1"
    ),
    block(
      "  - count: marked\n    repeat: 2\n    phases: [{work: 1s, set: 1}]",
      "4: count: marked beside repeat in a block, expected sets where all its phases are repeated, or count: each where each is a set"
    ),
    block(
      "  - phases: [{work: 1s, set: 1}]",
      "3: unknown key \"set\" in a phase, expected one of prepare, warmup, low, high, work, rest, recovery, cooldown, name, intensity, target, metronome, last, say, at, callouts, rounds, surprise, course, note, link"
    ),
    block(
      "  - phases: [{work: 1s, name: [A, B]}]",
      "3: a list of names of a phase that is done once, expected one name, or sets, repeat or ladder around the phase"
    ),
  ]

  @Test(arguments: mistakes) func aMistakeIsOneLine(preset: BadPreset) {
    #expect(message(preset.yaml) == preset.message)
  }
}
