import IntervalTimeline
import Presets
import Testing

@Suite struct PresetFileTests {
  private static let low = Block.Step(Phase(.low, .fixed(.seconds(30))))
  private static let high = Block.Step(Phase(.high, .fixed(.seconds(20))))

  private func parse(_ yaml: String) throws -> Workout {
    try PresetFile.parse(Array(yaml.utf8), file: "a.yaml")
  }

  @Test func flatFormWithoutFirstBeginsLow() throws {
    let workout = try parse("name: A\nsets: 12\nlow: 30s\nhigh: 20s\n")
    #expect(
      workout == Workout(name: "A", blocks: [Block(sets: 12, steps: [Self.low, Self.high])]))
  }

  @Test(arguments: [("low", [low, high]), ("high", [high, low])])
  func firstDecidesTheOrder(first: String, steps: [Block.Step]) throws {
    let workout = try parse("name: A\nhigh: 20s\nlow: 30s\nsets: 2\nfirst: \(first)\n")
    #expect(workout.blocks == [Block(sets: 2, steps: steps)])
  }

  @Test func aPhaseSaysHowHardItIs() throws {
    let workout = try parse(
      "name: A\nblocks:\n  - phases:\n      - high: 20s\n        intensity: 95 % FTP, 90 rpm\n")
    #expect(
      workout.blocks == [
        Block(steps: [
          Block.Step(Phase(.high, .fixed(.seconds(20)), intensity: "95 % FTP, 90 rpm"))
        ])
      ])
  }

  private static let long = String(repeating: "a", count: 101)

  @Test(arguments: [
    (long, "is too long, expected at most 100 characters"),
    ("", "is empty, expected a text"), ("[a]", "is a list, expected a text"),
    ("' '", "is blank, expected a text"),
  ])
  func intensityHasTheLimitsOfAName(value: String, says: String) {
    let yaml = "name: A\nblocks:\n  - phases:\n      - high: 20s\n        intensity: \(value)\n"
    #expect(message(yaml) == "a.yaml:5: intensity \(says)")
  }

  @Test func flatFormPutsItsPhasesInOrderWhateverTheOrderOfKeys() throws {
    let workout = try parse(
      """
      cooldown: 4m
      rest: {until: next}
      warmup: 3m
      prepare: 10s
      voice: en-gb
      high: 20s
      low: {reps: 12}
      sets: 3
      name: A
      """)
    let sets = Block(
      sets: 3, steps: [Block.Step(Phase(.low, .open(.reps(12)))), Self.high],
      between: Phase(.rest, .open(.untilNext)))
    #expect(
      workout.blocks == [
        Block(steps: [Block.Step(Phase(.prepare, .fixed(.seconds(10))))]),
        Block(steps: [Block.Step(Phase(.warmup, .fixed(.seconds(180))))]),
        sets,
        Block(steps: [Block.Step(Phase(.cooldown, .fixed(.seconds(240))))]),
      ])
    #expect(workout.style.voice.name == "en-gb")
  }

  @Test func generalFormKeepsBlocksSetsNamesAndLast() throws {
    let workout = try parse(
      """
      name: "Norwegian: 4 x 4"   # quotes for the colon
      voice: en-gb
      blocks:
      - phases: [{warmup: 10m}]
      - phases:
        - {high: 1:30, name: Hard}
        - recovery: 3m
          last: skip
        sets: 4
      - phases:
          - work: {reps: 12}
            name: 'Push-ups & more'
          - rest: {
              until: next
            }
      """)
    #expect(
      workout
        == Workout(
          name: "Norwegian: 4 x 4", style: AnnouncementStyle(voice: VoiceSettings(name: "en-gb")),
          blocks: [
            Block(steps: [Block.Step(Phase(.warmup, .fixed(.seconds(600))))]),
            Block(
              sets: 4,
              steps: [
                Block.Step(Phase(.high, .fixed(.seconds(90)), name: "Hard")),
                Block.Step(Phase(.recovery, .fixed(.seconds(180))), skippedInLastSet: true),
              ]),
            Block(steps: [
              Block.Step(Phase(.work, .open(.reps(12)), name: "Push-ups & more")),
              Block.Step(Phase(.rest, .open(.untilNext))),
            ]),
          ]))
  }

  @Test func anOpenPhaseMayWaitForASignalAndHaveBounds() throws {
    let workout = try parse(
      """
      name: A
      blocks:
      - phases:
        - work: {reps: 12, at-most: 2m}
        - rest: {until: heart-rate-low, at-least: 30s, at-most: 3m}
        - rest: {until: next, at-most: 1:30}
        - rest: {at-least: 0.5s, until: ready}
      """)
    #expect(
      workout.blocks[0].steps.map(\.phase.length) == [
        .open(.reps(12), OpenBounds(atMost: .seconds(120))),
        .open(
          .signal("heart-rate-low"), OpenBounds(atLeast: .seconds(30), atMost: .seconds(180))),
        .open(.untilNext, OpenBounds(atMost: .seconds(90))),
        .open(.signal("ready"), OpenBounds(atLeast: .milliseconds(500))),
      ])
  }

  @Test(arguments: PhaseKind.allCases)
  func everyKindIsAKey(kind: PhaseKind) throws {
    let workout = try parse("name: A\nblocks: [{phases: [{\(kind): 5}]}]")
    #expect(workout.blocks == [Block(steps: [Block.Step(Phase(kind, .fixed(.seconds(5))))])])
  }

  @Test(arguments: [
    "\u{FEFF}name: A\nsets: 2\nlow: 30s\nhigh: 20s\n",
    "name: A\r\nsets: 2\r\nlow: 30s\r\nhigh: 20s\r\n",
    "name: A\nsets: 2\nlow: 30s\nhigh: 20s",
    "---\nname: A\nsets: 2\nlow: 30s\nhigh: 20s\n...\n# the end\n",
    "# a comment\n\n  # another\nname: A # a third\nsets: 2\nlow:\t30s\nhigh: 20s\t# a fourth\n",
    "{name: A, sets: 2,\n low: 30s, high: 20s,}",
    "{\"name\":\"A\",\"sets\":2,\"low\":\"30s\",\"high\":\"0:20\"}",
    "  'name': ' A '\n  \"sets\": 2\n  low: '30s'\n  high: \"20\"\n",
  ])
  func writingsOfOnePresetAreEqual(yaml: String) throws {
    #expect(
      try parse(yaml)
        == Workout(name: "A", blocks: [Block(sets: 2, steps: [Self.low, Self.high])]))
  }

  @Test(arguments: [
    ("2024", "2024"), ("yes", "yes"), ("Push & pull * 3 ! [x]", "Push & pull * 3 ! [x]"),
    ("it's no.#1 # 2", "it's no.#1"), ("'it''s'", "it's"), ("\"tab\\u0020\"", "tab"),
    ("Zürich 🚴‍♀️", "Zürich 🚴‍♀️"),
    ("\"~\"", "~"), ("-5", "-5"), ("?x", "?x"), (":x", ":x"),
  ])
  func nameIsTheTextThatIsWritten(yaml: String, name: String) throws {
    #expect(try parse("name: \(yaml)\nsets: 2\nlow: 30s\nhigh: 20s").name == name)
  }

  @Test func maximumValuesAreAccepted() throws {
    let name = String(repeating: "é", count: 500)
    let workout = try parse("name: \(name)\nsets: 10000\nlow: 250ms\nhigh: {reps: 10000}")
    #expect(workout.name == name)
    #expect(try Timeline(workout).count == 20_000)
  }

  @Test func wholeDayAndMaximumPhaseCountFit() throws {
    let day = try parse("name: A\nsets: 2\nlow: 6h\nhigh: 5:59:59\nrest: 2s")
    #expect(try Timeline(day).length == Timeline.maximumLength)

    let phases = Array(repeating: "{work: 250ms}", count: 10).joined(separator: ", ")
    let many = try parse("name: A\nblocks: [{sets: 10000, phases: [\(phases)]}]")
    #expect(try Timeline(many).count == Timeline.maximumPhaseCount)
  }
}
