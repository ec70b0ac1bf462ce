import IntervalTimeline
import Presets
import TestSupport
import Testing

/// Phases within phases: `repeat`, `ladder`, `sides`, names in turn, parts of the phase before.
@Suite struct RepetitionTests {
  /// The timeline of a workout whose blocks these lines are.
  private func timeline(_ blocks: String) throws -> Timeline {
    let lines = blocks.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    return try Timeline(
      PresetFile.parse(Array("name: A\nblocks:\n\(lines)\n".utf8), file: "a.yaml"))
  }

  /// "work 30 A", with the number of the set before it where there is one, and "." after a set's last.
  private func phases(_ timeline: Timeline) -> [String] {
    timeline.entries.map { entry in
      let length =
        switch entry.phase.length {
        case .fixed(let length): "\(length.components.seconds)"
        case .open(.reps(let reps), _): "x\(reps)"
        case .open: "open"
        }
      let set = entry.set.map { "\($0)/\(entry.sets ?? 0) " } ?? ""
      let name = entry.phase.name.map { " \($0)" } ?? ""
      return "\(set)\(entry.phase.kind.rawValue) \(length)\(name)\(entry.endsSet ? "." : "")"
    }
  }

  @Test func roundsWithinRounds() throws {
    let timeline = try timeline(
      """
      - sets: 2
        phases:
          - repeat: 2
            phases:
              - {work: 10s, name: A}
              - {rest: 5s, last: skip}
          - {high: 20s, name: C}
          - {rest: 30s, last: skip}
      """)
    let first = ["work 10 A", "rest 5", "work 10 A", "high 20 C", "rest 30."].map { "1/2 \($0)" }
    let second = ["work 10 A", "rest 5", "work 10 A", "high 20 C."].map { "2/2 \($0)" }
    #expect(phases(timeline) == first + second)
  }

  @Test func groupsLieInGroupsToAnyDepth() throws {
    let timeline = try timeline(
      """
      - repeat: 2
        phases:
          - repeat: 2
            phases:
              - repeat: 2
                phases: [{work: 1s}]
              - {rest: 2s}
      """)
    let all = Array(repeating: ["work 1", "work 1", "rest 2"], count: 4).flatMap { $0 }
    #expect(phases(timeline) == all)
  }

  @Test func eachRungOfALadderIsASet() throws {
    let timeline = try timeline(
      """
      - ladder: [20s, 1m]
        phases:
          - {high: rung, name: "Row {rung}"}
          - {low: 10s}
          - {rest: 50%, last: skip}
      """)
    #expect(
      phases(timeline) == [
        "1/2 high 20 Row 20s", "1/2 low 10", "1/2 rest 5.", "2/2 high 60 Row 1m", "2/2 low 10.",
      ])
  }

  @Test func withCountEachTheEffortsOfALadderAreTheSets() throws {
    let timeline = try timeline(
      """
      - ladder: [20s, 1m]
        count: each
        phases:
          - {high: rung}
          - {rest: 150%, last: skip}
      """)
    #expect(phases(timeline) == ["1/2 high 20.", "1/2 rest 30", "2/2 high 60."])
  }

  private static let ladders: [(String, [String])] = [
    ("1 to 4", ["x1", "x2", "x3", "x4"]),
    ("3 to 1", ["x3", "x2", "x1"]),
    ("1 to 3 and back", ["x1", "x2", "x3", "x2", "x1"]),
    ("10 to 20 by 5 and back", ["x10", "x15", "x20", "x15", "x10"]),
    ("[21, 15, 9]", ["x21", "x15", "x9"]),
  ]

  @Test(arguments: ladders)
  func aLadderMayBeASpanOfNumbers(text: String, reps: [String]) throws {
    for rung in ["rung", "\"rung\""] {
      let timeline = try timeline("- {ladder: \(text), phases: [{work: {reps: \(rung)}}]}")
      #expect(timeline.entries.map(\.set) == reps.indices.map { $0 + 1 })
      #expect(phases(timeline).map { String($0.split(separator: " ")[2].dropLast()) } == reps)
    }
  }

  @Test func aLadderMayBeASpanOfLengths() throws {
    let timeline = try timeline(
      """
      - ladder: 30s to 2m by 45s
        phases: [{work: rung}]
      """)
    #expect(timeline.entries.map(\.offset) == [.zero, .seconds(30), .seconds(105)])
    #expect(timeline.fixedLength == .seconds(225))
  }

  @Test func sidesAreNamedAndChanged() throws {
    let timeline = try timeline(
      """
      - sides: [left, right]
        switch: 5s
        phases:
          - repeat: 2
            phases: [{work: 10s, name: "Hold {side}"}]
      """)
    #expect(
      phases(timeline) == [
        "work 10 Hold left", "work 10 Hold left", "rest 5 Switch", "work 10 Hold right",
        "work 10 Hold right",
      ])
  }

  @Test func betweenSidesMayBeAnyPhase() throws {
    let timeline = try timeline(
      """
      - sides: [links, rechts]
        switch: {prepare: 3s, name: "Jetzt {side}"}
        phases: [{work: 10s}]
      """)
    #expect(phases(timeline) == ["work 10", "prepare 3 Jetzt rechts", "work 10"])
  }

  @Test func passesAreCountedAloud() throws {
    let timeline = try timeline(
      """
      - repeat: 3
        count: aloud
        phases:
          - {recovery: 3s}
          - {work: 5s, say: Hold, at: 2s}
      """)
    let works = timeline.entries.filter { $0.phase.kind == .work }.map(\.phase.remarks)
    let hold = Remark("Hold", at: .fromStart(.seconds(2)))
    #expect(
      works == ["1", "2", "3"].map { [Remark(Template(plain: $0), at: .fromStart(.zero)), hold] })
    let recoveries = timeline.entries.filter { $0.phase.kind == .recovery }
    #expect(recoveries.flatMap(\.phase.remarks) == [])
  }

  @Test func setsHaveNamesInTurn() throws {
    let timeline = try timeline(
      """
      - sets: 3
        phases:
          - {work: 40s, name: [Swings, Burpees]}
          - {rest: 20s, last: skip}
      """)
    #expect(
      phases(timeline) == [
        "1/3 work 40 Swings", "1/3 rest 20.", "2/3 work 40 Burpees", "2/3 rest 20.",
        "3/3 work 40 Swings.",
      ])
  }

  @Test func betweenSetsThatDifferMayBeAPhaseOfNeither() throws {
    let timeline = try timeline(
      """
      - sets: 2
        between: 1m
        phases: [{work: 40s, name: [Swings, Burpees]}]
      """)
    #expect(phases(timeline) == ["1/2 work 40 Swings.", "1/2 rest 60", "2/2 work 40 Burpees."])
  }

  @Test func phasesMaySayToWhichSetTheyBelong() throws {
    let timeline = try timeline(
      """
      - count: marked
        phases:
          - {prepare: 5s}
          - {work: 10s, set: 1}
          - {work: 20s, set: 1}
          - {rest: 30s}
          - {work: 40s, set: 2}
      """)
    #expect(
      phases(timeline) == [
        "prepare 5", "1/2 work 10", "1/2 work 20.", "1/2 rest 30", "2/2 work 40.",
      ])
  }

  /// A percentage is of the phase before in the file, done or left out, in sets that are alike and in others.
  @Test(arguments: ["", "    count: aloud\n"]) func aPartIsOfThePhaseWrittenBefore(count: String)
    throws
  {
    let timeline = try timeline(
      "- sets: 2\n\(count)  phases: [{work: 60s}, {rest: 10s, last: skip}, {low: 50%}]".replacing(
        "    count", with: "  count"))
    #expect(
      timeline.entries.compactMap(\.phase.length.duration).map(\.components.seconds) == [
        60, 10, 5, 60, 5,
      ])
  }

  @Test func whatStandsForASideIsNotReplacedAgain() throws {
    let timeline = try timeline(
      """
      - ladder: [5, 10]
        phases:
          - sides: [left, right]
            switch: {rest: 50%}
            phases: [{work: rung, name: "{side} {rung} {side}", say: "{rung} {side}"}]
      """)
    #expect(
      phases(timeline) == [
        "1/2 work 5 left 5 left", "1/2 rest 2 Switch", "1/2 work 5 right 5 right.",
        "2/2 work 10 left 10 left",
        "2/2 rest 5 Switch", "2/2 work 10 right 10 right.",
      ])
    #expect(timeline.entries.first?.phase.remarks.first?.wordings == ["5 left"])
  }

  @Test func aRungIsNoSignal() throws {
    let timeline = try timeline(
      "- {ladder: [1m, 2m], phases: [{rest: {until: rung, at-most: rung}}]}")
    #expect(timeline.entries.map(\.phase.length.duration) == [.seconds(60), .seconds(120)])
    #expect(timeline.entries.map(\.phase.length.end) == [.signal("rung"), .signal("rung")])
  }

  @Test func aLadderOfDecimalsNamesThem() throws {
    let timeline = try timeline(
      "- {ladder: 1.5 to 2.5 by 0.5, phases: [{work: 1m, name: \"{rung} kg\"}]}")
    #expect(timeline.entries.map(\.phase.name) == ["1.5 kg", "2 kg", "2.5 kg"])
  }

  /// The coach says them: they need no text of their own.
  @Test func shippedPresetsNameTheirTasks() throws {
    let emom = try ShippedPresets.timeline("hiit/emom-two-tasks.yaml")
    #expect(
      emom.entries[1...4].map(\.phase.name) == [
        "Fifteen swings", "Ten burpees", "Fifteen swings", "Ten burpees",
      ])
    let ramp = try ShippedPresets.timeline("cycling/ramp.yaml")
    #expect(ramp.entries[1].phase.name == "120 watts")
    #expect((emom.entries + ramp.entries).allSatisfy { $0.phase.remarks.isEmpty })
  }

  /// Ten thousand passes that are counted took 20 s.
  @Test func manyCountedPassesAreReadInOneGo() throws {
    let timeline = try timeline(
      "- {repeat: 10000, count: aloud, phases: [{work: 500ms}, {rest: 500ms}]}")
    #expect(timeline.count == 20_000)
    let last: [Template] = ["10000"]
    #expect(timeline.entries[19_998].phase.remarks.map(\.wordings) == [last])
  }

  @Test func textsNameTheRungAndTheSide() throws {
    let timeline = try timeline(
      """
      - ladder: 160 to 180 by 20
        phases:
          - work: 1m
            say: [{at: 0s, text: "{rung} watts"}, {at: -10s, text: ["Set {set}", Done]}]
      """)
    #expect(
      timeline.entries.map { $0.phase.remarks.first?.wordings } == [["160 watts"], ["180 watts"]])
  }

  /// A lap of ten thousand phases in three lines.
  @Test func alikeSetsStayOneBlock() throws {
    let text = "name: A\nblocks: [{sets: 5000, phases: [{work: 1s}, {rest: 50%, last: skip}]}]\n"
    let workout = try PresetFile.parse(Array(text.utf8), file: "a.yaml")
    #expect(workout.blocks.first?.sets == 5000)
    #expect(workout.blocks.first?.steps.count == 2)
    #expect(try Timeline(workout).fixedLength == .milliseconds(5000 * 1500 - 500))
  }

  private static let switches = [
    "5s", "{rest: 5s}", "{rest: 5s, say: Turn}", "{rest: 5s, intensity: easy}",
  ]

  @Test(arguments: switches) func whatIsDoneBetweenSidesWithoutANameIsCalledSwitch(length: String)
    throws
  {
    let timeline = try timeline("- {sides: [a, b], switch: \(length), phases: [{work: 1s}]}")
    #expect(timeline.entries.map(\.phase.name) == [nil, "Switch", nil])
  }

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
