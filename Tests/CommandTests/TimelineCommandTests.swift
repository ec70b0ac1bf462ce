import Foundation
import Testing

/// The timeline of a preset, as a table and as JSON.
@Suite struct TimelineCommandTests {
  private let space = Workspace()

  private static let kinds: Set = [
    "countdown", "transition", "set-completion", "halfway", "opening", "begins", "next", "finish",
    "text",
  ]

  private func timeline(_ preset: String) async throws -> TimelineObject {
    let outcome = try await space.run(
      "timeline", try space.write(preset, to: "preset.yaml"), "--json"
    ).expect(0)
    #expect(outcome.lines.count == 1)
    return try TimelineObject(outcome.output)
  }

  /// The JSON and the table of each shipped preset, made once for every test that looks at a side of them. The words of
  /// the second are those of the first.
  private static let shipped = Dictionary(
    uniqueKeysWithValues: Preset.shipped.map { name in
      (
        name,
        Task {
          let space = Workspace()
          defer { space.remove() }
          let json = try await space.run("timeline", name, "--json")
          return (json: json, table: try await space.run("timeline", name))
        }
      )
    })

  private func shipped(_ name: String) async throws -> (json: Outcome, table: Outcome) {
    try await #require(Self.shipped[name]).value
  }

  @Test(arguments: Preset.shipped)
  func shippedPresetIsOneObjectWhosePhasesMeet(name: String) async throws {
    let outcome = try await shipped(name).json
    outcome.expectSuccess()
    #expect(outcome.lines.count == 1)
    let timeline = try TimelineObject(outcome.output)
    #expect(timeline.phases.first?.start == 0)
    for (phase, next) in zip(timeline.phases, timeline.phases.dropFirst()) {
      #expect(phase.end == next.start)
    }
    #expect(timeline.phases.last?.end == timeline.length)
    for phase in timeline.phases {
      if let set = phase.set, let sets = phase.sets { #expect((1...sets).contains(set)) }
      if let start = phase.start, let end = phase.end { #expect(start < end) }
    }
  }

  @Test(arguments: Preset.shipped)
  func shippedPresetHasItsCuesInOrderAndTheUnknownOnesLast(name: String) async throws {
    let timeline = try TimelineObject(try await shipped(name).json.output)
    let times = timeline.cues.map(\.at)
    let known = times.prefix { $0 != nil }.compactMap { $0 }
    #expect(known == known.sorted())
    #expect(times.dropFirst(known.count).allSatisfy { $0 == nil })
    #expect((known.count == times.count) == (timeline.length != nil))
    #expect(Set(timeline.cues.map(\.kind)).isSubset(of: Self.kinds))
    let preset = try String(contentsOfFile: Preset.shippedPath(name), encoding: .utf8)
    let silent = preset.contains("  halfway: silent\n") ? "halfway" : nil
    #expect(timeline.cues.allSatisfy { $0.text.isEmpty == ($0.kind == silent) })
    #expect(timeline.cues.last?.kind == "finish")
    #expect(timeline.cues.count { $0.kind == "transition" } == timeline.phases.count + 1)
    let sets = Set(timeline.phases.compactMap(\.set))
    let announced = Set(timeline.cues.filter { $0.kind == "set-completion" }.compactMap(\.set))
    // The end of a set with an open phase is not known in advance.
    #expect(timeline.length == nil ? announced.isSubset(of: sets) : announced == sets)
  }

  @Test(arguments: Preset.shipped)
  func tableHasALineForEveryPhaseAndEveryCue(name: String) async throws {
    let (json, outcome) = try await shipped(name)
    let timeline = try TimelineObject(json.output)
    outcome.expectSuccess()
    let cues = outcome.lines.count { $0.hasPrefix("    ") }
    #expect(cues == timeline.cues.count)
    // Plus the title and the end.
    #expect(outcome.lines.count == cues + timeline.phases.count + 2)
  }

  @Test(arguments: [(8, "30s", 480.0), (12, "30s", 720.0), (12, "0.25s", 6.0)])
  func peakRushEndsAtExactlyItsLength(sets: Int, phase: String, length: Double) async throws {
    let timeline = try await timeline(
      "name: PeakRush\nsets: \(sets)\nlow: \(phase)\nhigh: \(phase)\n")
    #expect(timeline.length == length)
    #expect(timeline.phases.count == sets * 2)
    #expect(timeline.phases.last?.end == length)
    #expect(timeline.cues.first { $0.text == "Finish" }?.at == length)
  }

  /// Rests of at most three minutes that a reading ends after a few seconds, each before or after 40 s of work.
  @Test func phasesLieWhereAReadingBeganThem() async throws {
    try space.write(
      """
      name: Rest
      blocks:
        - sets: 2
          phases:
            - rest: {until: {heart-rate: below 120}, at-most: 3m}
            - work: 40s
              target: {watts: 190 to 210}
        - phases:
            - rest: {until: {heart-rate: below 120}, at-most: 3m}

      """, to: "rest.yaml")
    let readings = (0..<120).map { "\($0),heart-rate,100\n\($0),watts,170\n" }.joined()
    try space.write(readings, to: "rest.csv")
    let outcome = try await space.run("timeline", "rest.yaml", "--with", "rest.csv", "--json")
    let timeline = try TimelineObject(outcome.output)
    let starts = timeline.phases.compactMap(\.start)
    #expect(
      starts.count == 5
        && timeline.phases.map(\.start).dropFirst() == timeline.phases.map(\.end).dropLast())
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 <= 40 })
    for cue in timeline.cues where cue.phase < 5 {
      let at = try #require(cue.at)
      #expect(at >= starts[cue.phase] - 5 && at < 120, "\(cue)")
      #expect(cue.kind == "set-completion" || abs(at - starts[cue.phase] - cue.inPhase) < 0.001)
    }
    // The rest at the end was over before its countdown; those of work were heard.
    #expect(!timeline.cues.contains { $0.phase == 4 && $0.kind == "countdown" })
    let completions = timeline.cues.filter { $0.kind == "set-completion" }
    #expect(
      completions.map { $0.at.map { $0.rounded() } } == [1, 3].map { (starts[$0] + 37).rounded() })
    #expect(timeline.cues.contains { $0.kind == "coaching" && $0.phase == 1 })
  }

  /// Before what comes next, also where the rest follows a count.
  @Test func aRestSaysWhichHeartRateItWaitsFor() async throws {
    try space.write(
      """
      name: Rests
      blocks:
        - sets: 2
          phases:
            - work: 40s
            - rest: {until: {heart-rate: below 120}, at-most: 3m}

      """, to: "rests.yaml")
    let outcome = try await space.run("timeline", "rests.yaml", "--json")
    let told = try TimelineObject(outcome.output).cues.filter {
      $0.phase == 1 && ["begins", "next"].contains($0.kind)
    }
    #expect(
      told.map(\.text) == ["Rest, until the heart rate is below 120", "Next: Work, 40 seconds"])
    #expect(told.allSatisfy { $0.inPhase < 8 })
  }

  @Test func ofSeveralPeopleEachHasReadingsOfTheirOwn() async throws {
    try space.write(
      "name: Work\nblocks:\n  - phases:\n      - {work: 40s, target: {watts: 190 to 210}}\n",
      to: "work.yaml")
    func write(_ watts: Int) throws -> String {
      let table = (0..<40).map { "\($0),watts,\(watts)\n" }.joined()
      try space.write(table, to: "\(watts).csv")
      return "\(watts).csv"
    }
    let (low, high) = (try write(170), try write(240))
    let people = ["timeline", "anna=work.yaml", "ben=work.yaml", "--json", "--with", low]
    func texts(_ more: String...) async throws -> [[String]] {
      try await space.program.run(people + more).lines.map { line in
        try TimelineObject(line).cues.filter { $0.kind == "coaching" }.map(\.text)
      }
    }
    let each = try await texts("--with", high)
    try #require(each.count == 2)
    #expect(each[0].first?.hasSuffix("170, more power") == true)
    #expect(each[1].first?.hasSuffix("240, less power") == true)
    #expect(each.joined().allSatisfy { $0.contains("170, more") || $0.contains("240, less") })
    let all = try await texts()
    #expect(all.count == 2 && all.joined().allSatisfy { $0.contains("170, more power") })
    let wrong = try await space.program.run(people + ["--with", high, "--with", low])
    #expect(wrong.status == .exited(2))
    #expect(wrong.errorLines == ["cuecoach: --with: 3 files, expected one for all or 2"])
  }

  /// A rest without a longest length: it is over when the readings say so. When a person ends a phase nobody knows.
  @Test func timesAreKnownUntilAPersonEndsAPhase() async throws {
    try space.write(
      """
      name: Open
      blocks:
        - phases:
            - rest: {until: {heart-rate: below 120}}
            - work: {until: next}
            - work: 40s
              target: {watts: 190 to 210}

      """, to: "open.yaml")
    let readings = (0..<120).map { "\($0),heart-rate,100\n\($0),watts,170\n" }.joined()
    try space.write(readings, to: "open.csv")
    let outcome = try await space.run("timeline", "open.yaml", "--with", "open.csv", "--json")
    let timeline = try TimelineObject(outcome.output)
    #expect(timeline.phases.map { $0.start != nil } == [true, true, false])
    #expect(timeline.phases.map(\.end).dropLast() == timeline.phases.map(\.start).dropFirst())
    #expect(timeline.cues.allSatisfy { ($0.at != nil) == ($0.phase < 2) })
    let coached = timeline.cues.filter { $0.kind == "coaching" && $0.phase == 2 }
    #expect(!coached.isEmpty && coached.allSatisfy { (5...40).contains($0.inPhase) })
  }

  /// Nobody ends it, and nothing does after the last reading.
  @Test(arguments: [
    (
      "rest: {until: {heart-rate: below 120}, at-least: 20s}", "heart-rate", 165,
      [49: "No heart rate"]
    ),
    (
      "work: {until: ready}, target: {watts: 190 to 210}", "watts", 170,
      [15: "170, more power", 49: "No power reading"]
    ),
  ])
  func anOpenPhaseIsCoachedWhileThereAreReadings(
    phase: String, kind: String, number: Int, texts: [Int: String]
  ) async throws {
    try space.write(
      "name: Open\nblocks:\n  - phases:\n      - {\(phase)}\n      - work: 40s\n", to: "open.yaml")
    let table = (0..<40).map { "\($0),\(kind),\(number)\n" }.joined()
    try space.write(table, to: "open.csv")
    let outcome = try await space.run("timeline", "open.yaml", "--with", "open.csv", "--json")
    let cues = try TimelineObject(outcome.output).cues.filter { $0.kind == "coaching" }
    for (second, text) in texts {
      #expect(
        cues.contains { $0.text == text && abs(($0.at ?? 0) - Double(second)) < 1 }, "\(cues)")
    }
  }

  /// A ride goes on after the workout: a reading comes at the very instant of its end.
  @Test func readingsMayGoOnAfterTheWorkout() async throws {
    try space.write(
      "name: Work\nblocks:\n  - phases:\n      - {work: 40s, target: {watts: 190 to 210}}\n",
      to: "work.yaml")
    try space.write((0...80).map { "\($0),watts,170\n" }.joined(), to: "long.csv")
    let outcome = try await space.run("timeline", "work.yaml", "--with", "long.csv", "--json")
    #expect(outcome.status == .exited(0))
    let timeline = try TimelineObject(outcome.output)
    #expect(timeline.cues.contains { $0.text == "170, more power" })
    #expect(timeline.cues.allSatisfy { ($0.at ?? 0) < 45 })
  }

  @Test func everyKeyIsThereAlsoWhereItsValueIsUnknown() async throws {
    try space.write(Preset.open, to: "open.yaml")
    let outcome = try await space.run("timeline", "open.yaml", "--json")
    let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    let object = try #require(json as? [String: Any])
    #expect(Set(object.keys) == ["preset", "length", "phases", "cues"])
    let phases = try #require(object["phases"] as? [[String: Any]])
    let keys: Set = [
      "kind", "name", "intensity", "set", "sets", "start", "end", "length", "surprise",
      "metronome", "tempo",
    ]
    #expect(phases.allSatisfy { Set($0.keys) == keys })
    let cues = try #require(object["cues"] as? [[String: Any]])
    let cueKeys: Set = [
      "at", "phase", "inPhase", "kind", "set", "text", "outcome", "reason", "parts",
    ]
    #expect(cues.allSatisfy { Set($0.keys) == cueKeys })
    #expect(object["length"] is NSNull)
    #expect(phases[0]["start"] as? Int == 0)
    #expect(phases[0]["end"] is NSNull)
    #expect(phases[0]["length"] is NSNull)
    #expect(phases[0]["surprise"] as? Bool == false)
  }

  @Test func eachPartOfACueHasItsInstantAndHowLongItSounds() async throws {
    let cues = try await timeline(
      """
      name: Parts
      blocks:
        - sets: 2
          phases:
            - high: 20s
        - phases:
            - low: {until: next}
            - rest: 30s
              say: Breathe
      """
    ).cues
    let count = try #require(cues.first { $0.kind == "set-completion" })
    #expect([count.inPhase, count.at] == [17, 17])
    #expect(count.parts.map(\.text) == ["Set 1 completing in", "3", "2", "1", "0"])
    #expect(count.parts.dropFirst().map(\.at) == [17, 18, 19, 20])
    let leadIn = count.parts[0]
    #expect(try #require(leadIn.at) + leadIn.length <= 17)
    #expect(cues.flatMap(\.parts).allSatisfy { $0.length > 0 })
    // Nobody knows when the rest begins.
    let text = try #require(cues.first { $0.text == "Breathe" })
    #expect(text.at == nil && text.parts.map(\.at) == [nil])
    #expect(text.phase == 3)
    #expect(text.inPhase == 1)
  }

  @Test func intensityIsShownAndSaidWhereATextAsksForIt() async throws {
    let preset = try space.write(
      """
      name: Hard
      blocks:
        - phases:
            - high: 30s
              intensity: 95 % FTP
              say: "At {intensity}"
            - rest: 20s

      """, to: "hard.yaml")
    let table = try await space.run("timeline", preset)
    #expect(table.lines.contains("0:00  High, 0:30 (95 % FTP)"))
    #expect(table.lines.contains("0:30  Rest, 0:20"))
    let json = try await space.run("timeline", preset, "--json")
    #expect(json.output.contains("\"intensity\":\"95 % FTP\""))
    let timeline = try TimelineObject(json.output)
    #expect(timeline.cues.contains { $0.kind == "text" && $0.text == "At 95 percent" })
  }

  private static let crowded = """
    name: Crowded
    blocks:
      - sets: 1
        phases:
          - high: 3s
      - phases:
          - work: 16s
            say:
              - {at: 4s, text: "The first of two texts that are both too long for one place"}
              - {at: 5s, text: "The second of two texts that are both too long for one place"}

    """

  @Test func everythingIsShownAsItIsHeard() async throws {
    let timeline = try await timeline(Self.crowded)
    let counts = timeline.cues.filter { $0.kind == "set-completion" }
    #expect(counts.map(\.text) == ["3, 2, 1, 0"])
    #expect(counts.map(\.outcome) == ["shortened"])
    #expect(counts.map(\.reason) == ["no room for all of it"])
    #expect(counts.map(\.at) == [0])
    let texts = timeline.cues.filter { $0.kind == "text" }
    #expect(texts.contains { $0.at != 7 && $0.at != 8 && $0.reason != nil })
    let sounds = timeline.cues.filter { ["transition", "countdown"].contains($0.kind) }
    #expect(sounds.allSatisfy { $0.outcome == "played" && $0.reason == nil })
  }

  @Test func theTableAndCheckDecideTheSame() async throws {
    try space.write(Self.crowded, to: "crowded.yaml")
    let table = try await space.run("timeline", "crowded.yaml")
    #expect(
      table.lines.contains(
        "    0:00  set-completion: 3, 2, 1, 0  (shortened: no room for all of it)"))
    let json = try await space.run("timeline", "crowded.yaml", "--json")
    let decided = try TimelineObject(json.output).cues.filter { $0.reason != nil }
    #expect(table.lines.count { $0.hasSuffix(")") && $0.hasPrefix("    ") } == decided.count)
    // The words about the workout take what room there is.
    let checked = decided.filter { $0.kind != "opening" }
    let check = try await space.run("check", "crowded.yaml")
    #expect(check.lines.count { !$0.contains(" not told, ") } - 1 == checked.count)
    for cue in checked {
      #expect(check.output.contains(cue.reason ?? "?"), "\(check.output)")
    }
  }

  @Test func whereNothingCanBeSpokenThePlanIsShown() async throws {
    try space.write(Self.crowded, to: "crowded.yaml")
    // An existing folder without voices.
    let program = space.program.with("ESPEAK_DATA_PATH", space.folder)
    let outcome = try await program.run(["timeline", "crowded.yaml", "--json"]).expect(0)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("shown as planned"))
    let cues = try TimelineObject(outcome.output).cues
    let count = try #require(cues.first { $0.kind == "set-completion" })
    #expect(count.text == "Set 1 completing in 3, 2, 1, 0")
    #expect(cues.allSatisfy { $0.outcome == nil && $0.reason == nil })
  }

  @Test func optionsOfSpeechChangeWhatIsHeard() async throws {
    try space.write("name: A\nsets: 1\nlow: 3s\nhigh: 4.4s\n", to: "a.yaml")
    func count(_ arguments: String...) async throws -> TimelineObject.Cue? {
      let outcome = try await space.program.run(["timeline", "a.yaml", "--json"] + arguments)
        .expect(0)
      return try TimelineObject(outcome.output).cues.first { $0.kind == "set-completion" }
    }
    #expect(try await count("--rate=80")?.outcome == "shortened")
    #expect(try await count("--rate=300", "--language=de")?.text.hasPrefix("Satz 1 ") == true)
    #expect(try await count("--density=quiet") == nil)
  }

  @Test func textsArePassedOnAsTheyWereWritten() async throws {
    let timeline = try await timeline(
      "name: 'Say \"ä\" \\ 🏒'\nblocks: [{phases: [{work: 1s, name: 'a/b \"c\"'}]}]\n")
    #expect(timeline.preset == "Say \"ä\" \\ 🏒")
    #expect(timeline.phases.first?.name == "a/b \"c\"")
  }

  @Test func readerThatGoesAwayIsNoError() async throws {
    let program = space.program.with(\.output, .broken)
    let outcome = try await program.run(["timeline", "pomodoro", "--json"])
    // As cat and grep do.
    #expect([.exited(0), .killed(SIGPIPE)].contains(outcome.status))
    #expect(outcome.errors == "")
  }
}
