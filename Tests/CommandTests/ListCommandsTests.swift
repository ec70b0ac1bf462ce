import Foundation
import Testing

/// check, presets and voices.
@Suite struct ListCommandsTests {
  private let space = Workspace()

  private func objects(_ outcome: Outcome) throws -> [[String: String]] {
    try outcome.lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any]).compactMapValues { "\($0)" }
    }
  }

  @Test func everyShippedPresetIsRight() async throws {
    let files = Preset.shipped.map(Preset.shippedPath)
    let outcome = try await space.program.run(["check"] + files).expectSuccess()
    #expect(outcome.lines.count { $0.contains(": correct: ") } == files.count)
    for file in files {
      let lines = outcome.lines.filter { $0.hasPrefix("\(file):") }
      #expect(lines.first?.hasPrefix("\(file): correct: ") == true)
      // A shipped preset must have room for everything but the length of a phase; open phases are allowed.
      #expect(
        lines.dropFirst().allSatisfy {
          $0.contains(" lasts until ") && $0.contains("Next is pressed: ")
            || $0.contains(": length not told, no room")
        })
      #expect(lines.count <= 2)
    }
  }

  @Test func checkGoesThroughEveryFile() async throws {
    try space.write(Preset.short, to: "right.yaml")
    try space.write("name: A\n", to: "wrong.yaml")
    try space.write(Preset.open, to: "open.yaml")
    let outcome = try await space.run("check", "wrong.yaml", "right.yaml", "no.yaml", "open.yaml")
      .expect(2)
    #expect(
      outcome.lines == [
        "right.yaml: correct: Short, 2 phases, 0:03",
        "open.yaml: correct: Open, 3 phases, open-ended",
        "open.yaml:4: Lift lasts until 5 reps are counted or Next is pressed: a run that has neither "
          + "a keyboard nor remote control stays there (and 2 more like it)",
      ])
    #expect(outcome.errorLines.count == 2)
    #expect(outcome.errorLines.first?.hasPrefix("wrong.yaml:1: ") == true)
    #expect(outcome.errorLines.last?.hasPrefix("no.yaml: no such file") == true)
  }

  @Test func aLengthThatMayEndEarlierIsTheLongest() async throws {
    try space.write(
      "name: Bounded\nblocks:\n  - phases:\n      - work: 5m\n"
        + "      - rest: {until: ready, at-most: 5m}\n", to: "bounded.yaml")
    try space.write("name: H\nlow: 3s\n", to: ".config/cuecoach/presets/.hidden.yaml")
    try space.write("name: S\nlow: 3s\n", to: ".config/cuecoach/presets/shown.yaml")
    let check = try await space.run("check", "bounded.yaml")
    #expect(check.lines == ["bounded.yaml: correct: Bounded, 2 phases, at most 10:00"])
    let timeline = try await space.run("timeline", "bounded.yaml")
    #expect(timeline.lines.first == "Bounded, at most 10:00")
    // An editor's file is no preset.
    let names = try await space.run("presets").lines.map { $0.prefix { $0 != " " } }
    #expect(names.contains("shown") && !names.contains(".hidden"))
  }

  @Test func checkSaysWhichTextsNeedLiveValues() async throws {
    try space.write(
      """
      name: Heart
      values: [heart-rate]
      blocks:
        - sets: 2
          phases:
            - work: 40s
              say:
                - {at: 10s, text: "At {heart-rate}"}
                - {at: 30s, text: ["{heart-rate} now", "Go on"]}
      """, to: "heart.yaml")
    let outcome = try await space.run("check", "heart.yaml").expect(0)
    #expect(
      outcome.lines == [
        "heart.yaml: correct: Heart, 2 phases, 1:20",
        "heart.yaml:8: text \"At {heart-rate}\" at 0:10 is said once a program, or "
          + "cuecoach ctl value, has given {heart-rate} a value (and 1 more like it)",
      ])
  }

  /// Without a sensor a run says "No pace" where there is room; that says nothing about the preset.
  @Test func checkSaysNothingOfSensorsThatAreNotThere() async throws {
    try space.write(
      """
      name: Paces
      blocks:
        - sets: 2
          phases:
            - work: 40s
              target: {pace: 1:55 to 2:00}
              say:
                - {at: 9.8s, text: "Long strokes, and breathe out as you pull"}
            - rest: 40s

      """, to: "paces.yaml")
    let outcome = try await space.run("check", "paces.yaml")
    #expect(outcome.lines == ["paces.yaml: correct: Paces, 4 phases, 2:40"])
  }

  @Test func checkSaysWhatAListenerIsNotToldForLackOfRoom() async throws {
    let long = """
            - rest: 10s
            - work: 57s
              name: Turkish get-ups with the heavy kettlebell, left

      """
    let head = "name: Long names\nblocks:\n  - phases:\n      - prepare: 30s\n"
    try space.write(head + long, to: "one.yaml")
    let one = try await space.run("check", "one.yaml").expect(0)
    #expect(
      one.lines.last
        == "one.yaml:6: 1 phase: length not told, no room (Turkish get-ups with the heav… at 0:40)")
    // A text of the preset's own that says it tells it.
    try space.write(
      head + long + "        say: [{at: 0.5s, text: \"57 seconds\"}]\n", to: "said.yaml")
    let said = try await space.run("check", "said.yaml").expect(0)
    #expect(!said.output.contains("not told"), "\(said.output)")
    try space.write(head + long + long, to: "two.yaml")
    let two = try await space.run("check", "two.yaml", "--json")
    #expect(
      two.output.contains(
        "{\"line\":6,\"warning\":\"2 phases: length not told, no room (the first is "
          + "Turkish get-ups with the heav… at 0:40)\",\"count\":2,\"phase\":2,"
          + "\"because\":\"room\",\"about\":[\"length\"]}"))
  }

  @Test func checkSaysWhatIsNotToldBecauseOfThePresetsOwnText() async throws {
    try space.write(
      """
      name: Walks
      blocks:
        - sets: 2
          phases:
            - work: 30s
              name: Jump
            - rest: 3m
              name: Walk around
              say: [{at: 1s, text: Breathe out}]
      """, to: "walks.yaml")
    let checked = try await space.run("check", "walks.yaml").expect(0)
    #expect(
      checked.lines.last
        == "walks.yaml:7: 2 phases: name and length not told, a text of the preset stands for it "
        + "(the first is Walk around at 0:30)")
  }

  @Test func fileWithALineEndInItsNameIsOneLineToo() async throws {
    try space.write(Preset.tiny, to: "a\nb.yaml")
    let outcome = try await space.run("check", "a\nb.yaml").expect(0)
    #expect(outcome.lines.count == 1)
  }

  @Test func checkAsJSONIsAnObjectForEachFile() async throws {
    try space.write(Preset.short, to: "right.yaml")
    try space.write("name: A\n", to: "wrong.yaml")
    let outcome = try await space.run("check", "--json", "right.yaml", "wrong.yaml").expect(2)
    #expect(outcome.errors == "")
    let files = try objects(outcome)
    #expect(
      files.first == [
        "file": "right.yaml", "preset": "Short", "phases": "2", "length": "3", "warnings": "[]",
      ])
    #expect(files.last?["file"] == "wrong.yaml")
    #expect(files.last?["error"]?.hasPrefix("wrong.yaml:1: no sets and no blocks") == true)
  }

  @Test func presetsAsJSONIsAnObjectForEach() async throws {
    let outcome = try await space.run("presets", "--json").expect(0)
    let presets = try objects(outcome)
    #expect(presets.compactMap { $0["name"] }.sorted() == Preset.shipped)
    #expect(presets.first { $0["name"] == "tabata" }?["folder"] == "hiit")
    #expect(presets.allSatisfy { $0["path"] != nil && $0["length"] != nil && $0["error"] == nil })
  }

  @Test func presetsAreFoundByTheirTagsAndByAnyWordOfTheirFacts() async throws {
    try space.write(
      """
      name: Hills
      description: Up hard, down easy
      for: orienteers
      author: Anna
      source: an old trainer
      tags: [running, unknown-to-us]
      sets: 2
      low: 3s
      high: 3s

      """, to: "Presets/hills.yaml")
    func names(_ arguments: String...) async throws -> [String] {
      let outcome = try await space.program.run(["presets", "--json"] + arguments).expectSuccess()
      return try objects(outcome).compactMap { $0["name"] }
    }
    for word in ["hills", "Hills", "DOWN EASY", "orient", "anna", "old trainer", "unknown-to"] {
      #expect(try await names(word) == ["hills"], "\(word)")
    }
    #expect(try await names("hard", "orienteers") == ["hills"])
    #expect(try await names("hard", "no such word") == [])
    #expect(try await names("--tag", "unknown-to-us", "--tag", "running") == ["hills"])
    #expect(try await names("--tag", "unknown-to-us", "--tag", "cycling") == [])
    let running = try await names("--tag", "running")
    #expect(running.contains("hills") && running.contains("norwegian-4x4"))
    #expect(!running.contains("tabata"))
    #expect(try await names("--tag", "running", "couch").count == 4)

    let list = try await space.run("presets", "orienteers")
    #expect(list.lines.count == 2)
    #expect(list.lines.first?.hasSuffix("  0:12  Hills") == true)
    #expect(list.lines.last == "    Up hard, down easy")
    let nothing = try await space.run("presets", "no such word")
    #expect(nothing.output == "")
    #expect(nothing.errors.hasPrefix("cuecoach: none of the "))
    let wrong = try await space.run("presets", "--tag", "Running")
    #expect(wrong.status == .exited(64) || wrong.status == .exited(2))
    #expect(wrong.errors.contains("--tag \"Running\": expected 1 to 30 of a-z, 0-9 and hyphens"))
  }

  @Test func showAndCheckSayWhatAPresetIs() async throws {
    let facts = [
      "  description: Up hard, down easy", "  for: runners", "  author: Anna",
      "  source: common practice", "  tags: running, short",
    ]
    try space.write(
      "name: Hills\ndescription: Up hard, down easy\nfor: runners\nauthor: Anna\n"
        + "source: common practice\ntags: [running, short]\nsets: 2\nlow: 3s\nhigh: 3s\n",
      to: "hills.yaml")
    let check = try await space.run("check", "hills.yaml")
    #expect(Array(check.lines.dropFirst().prefix(5)) == facts)
    let show = try await space.run("show", "hills.yaml", "--words")
    #expect(facts.allSatisfy(show.lines.contains))
    for command in ["check", "show"] {
      let json = try await space.run(command, "hills.yaml", "--json")
      #expect(
        json.output.contains(
          "\"description\":\"Up hard, down easy\",\"for\":\"runners\",\"author\":\"Anna\","
            + "\"source\":\"common practice\",\"tags\":[\"running\",\"short\"]"))
    }
  }

  @Test func voicesHaveTheLanguageThatTheOptionTakes() async throws {
    let outcome = try await space.run("voices").expectSuccess()
    #expect(outcome.lines.contains { $0.hasPrefix("en-gb  (") })
    let json = try await space.run("voices", "--json")
    let voices = try objects(json)
    #expect(voices.count == outcome.lines.count)
    #expect(voices.allSatisfy { $0["voice"] != nil && $0["name"] != nil })
  }
}
