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

  /// A library's workout with `repeated` is the preset's with `repeat`.
  @Test func groupsOfALibrarysWorkout() throws {
    let written = try timeline(
      """
      - sets: 2
        phases:
          - repeat: 2
            phases:
              - repeat: 3
                phases:
                  - {work: 10s, name: A}
                  - {rest: 5s, last: skip}
              - {low: 7s, last: skip}
          - {high: 20s, name: C}
          - {rest: 30s, last: skip}
      """)
    func step(_ kind: PhaseKind, _ seconds: Int, _ name: String? = nil, skipped: Bool = false)
      -> Block.Step
    {
      Block.Step(
        Phase(kind, .fixed(.seconds(seconds)), name: name), skippedInLastSet: skipped)
    }
    let inner = [step(.work, 10, "A"), step(.rest, 5, skipped: true)].repeated(3)
    let group = (inner + [step(.low, 7, skipped: true)]).repeated(2)
    let made = Block(
      sets: 2, steps: group + [step(.high, 20, "C"), step(.rest, 30, skipped: true)])
    #expect(try phases(Timeline(Workout(name: "A", blocks: [made]))) == phases(written))
    #expect(inner.repeated(0).isEmpty && inner.repeated(-1).isEmpty)
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
}
