import Testing

/// Keys on a terminal.
@Suite struct KeyboardTests {
  /// A run whose keys are pressed.
  private struct Player {
    let space: Workspace
    let terminal: PseudoTerminal
    let run: RunningProgram

    /// - Parameters:
    ///   - lanes: names of lanes, each with the preset; none for a single one.
    ///   - typed: pressed before the program has started.
    init(_ preset: String, lanes: String..., typed: String = "") async throws {
      space = Workspace()
      terminal = try PseudoTerminal()
      terminal.type(typed)
      let file = try space.write(preset, to: "preset.yaml")
      let presets = lanes.isEmpty ? [file] : lanes.map { "\($0)=\(file)" }
      run = try await space.program.start(
        ["run"] + presets + ["--no-sound", "--ledger", Workspace.ledgerName], on: terminal)
    }

    /// Waits until the screen has this row.
    func sees(_ row: String) async throws {
      let terminal = terminal
      try await run.until("the screen shows \(row)") { terminal.picture.shows(row) }
    }

    /// Waits until the screen has had this text, which it shows for seconds alone: a busy machine may look later.
    func hasSeen(_ text: String) async throws {
      let terminal = terminal
      try await run.until("the screen has shown \(text)") { terminal.text.contains(text) }
    }

    /// Waits until an open phase has lasted this many seconds, or longer: a slow machine may not show each.
    func seesOpenPhase(sinceSeconds least: Int) async throws {
      let terminal = terminal
      try await run.until("the screen has an open phase of \(least) s") {
        terminal.picture.rows.contains { row in
          let since = row.firstMatch(of: /^\s*phase +open, since (\d+):(\d\d)/)
          return since.map { (Int($0.1) ?? 0) * 60 + (Int($0.2) ?? 0) >= least } ?? false
        }
      }
    }

    /// Waits until a row of the screen begins with this text.
    func seesLine(_ start: String) async throws {
      let terminal = terminal
      try await run.until("the screen has a row \(start)…") {
        terminal.picture.rows.contains { $0.hasPrefix(start) }
      }
    }

    /// Types a key, then waits until the ledger has one more event of this kind.
    func press(_ key: String, _ event: String) async throws {
      let space = space
      let before = space.ledger.lanes(of: event).count
      terminal.type(key)
      try await run.until("the ledger has another \(event)") {
        space.ledger.lanes(of: event).count > before
      }
    }
  }

  @Test func spacePausesAndResumes() async throws {
    let player = try await Player(Preset.long)
    try await player.sees("Row")
    try await player.press(" ", "pause")
    try await player.sees("Row  PAUSED")
    try await player.press(" ", "resume")
    try await player.sees("Row")
    try await player.press("qq", "stop")
    let outcome = await player.run.end().expect(0)
    let commands = player.space.ledger.events.filter { ["pause", "resume", "stop"].contains($0) }
    #expect(commands == ["pause", "resume", "stop"])
    #expect(player.space.ledger.isWhole)
    #expect(!player.space.ledger.has("finish"))
    #expect(outcome.output.hasPrefix("Long: stopped after "))
  }

  @Test func nextEndsAnOpenPhaseAsDoneAndOneJustBegunAsSkipped() async throws {
    let player = try await Player(Preset.open)
    try await player.sees("Lift, 5 reps")
    // Within its first three seconds an exercise counts as skipped, not as done.
    try await player.seesOpenPhase(sinceSeconds: 3)
    // In a pause the phases that follow get no older than that.
    try await player.press(" ", "pause")
    player.terminal.type("nnn")
    let outcome = await player.run.end().expect(0)
    let ledger = player.space.ledger
    for (phase, outcome) in [("Lift", "done"), ("Walk", "skipped"), ("Jump", "skipped")] {
      #expect(ledger.outcomes(ofPhase: phase) == [outcome])
    }
    #expect(ledger.has("finish"))
    #expect(outcome.output.contains("1 of 3 phases done, 2 skipped"))
  }

  @Test func otherKeysDoNothing() async throws {
    let player = try await Player(Preset.long)
    try await player.sees("Row")
    try await player.press("xyX\n\u{4}1ä0 ", "pause")
    try await player.press("qq", "stop")
    await player.run.end().expect(0)
    let commands = player.space.ledger.events.filter { !["start", "cue"].contains($0) }
    #expect(commands == ["pause", "ask-stop", "stop"])
  }

  @Test func capitalsAreTheSameKeys() async throws {
    let player = try await Player(Preset.long)
    try await player.sees("Row")
    try await player.press("N", "next")
    try await player.press("B", "back")
    try await player.press("W", "where-am-i")
    try await player.press("QQ", "stop")
    #expect(await player.run.end().status == .exited(0))
  }

  @Test func oneStopKeyAsksAndTheWorkoutContinues() async throws {
    let player = try await Player(Preset.long)
    try await player.sees("Row")
    try await player.press("q", "ask-stop")
    try await player.hasSeen("q again to end; ctrl-C keeps it for later")
    // Another key cancels the question.
    try await player.press(" ", "pause")
    try await player.sees("Row  PAUSED")
    #expect(!player.terminal.picture.shows("q again to end; ctrl-C keeps it for later"))
    // Both at once: the second counts for four seconds.
    try await player.press("qq", "stop")
    await player.run.end().expect(0)
    let commands = player.space.ledger.events.filter { !["start", "cue"].contains($0) }
    #expect(commands == ["ask-stop", "pause", "ask-stop", "stop"])
  }

  @Test func stopQuestionIsForTheChosenLaneAlone() async throws {
    let player = try await Player(Preset.open, lanes: "anna", "ben")
    try await player.seesLine("> 2 ben")
    player.terminal.type("1")
    try await player.seesLine("  2 ben")
    try await player.press("q", "ask-stop")
    try await player.hasSeen("anna: q again to end; ctrl-C keeps it for later")
    // The next press counts as a first one, because it is for another lane.
    player.terminal.type("2")
    try await player.seesLine("  1 anna")
    try await player.press("qq", "stop")
    player.terminal.type("0qq")
    await player.run.end().expect(0)
    #expect(player.space.ledger.lanes(of: "ask-stop").prefix(2) == ["anna", "ben"])
    #expect(player.space.ledger.lanes(of: "stop") == ["ben", "anna"])
  }

  @Test func aWorkoutThatIsEndedBeforeItBeginsLeavesTheOthersAlone() async throws {
    let player = try await Player(Preset.open, lanes: "anna", "ben", typed: "1qq")
    try await player.sees("  2 ben  Lift, 5 reps  0:02")
    player.terminal.type("0qq")
    let outcome = await player.run.end().expect(0)
    #expect(outcome.output.contains("anna: Open: stopped after 0:00"))
    #expect(player.space.ledger.lanes(of: "stop").last == "ben")
  }

  @Test func oneThatIsEndedBeforeItBeginsIsOver() async throws {
    let player = try await Player(Preset.long, typed: "qq")
    let outcome = await player.run.end().expect(0)
    #expect(outcome.output.contains("Long: stopped after 0:00"))
  }

  @Test func burstOfKeysIsObeyedKeyByKey() async throws {
    let player = try await Player(Preset.long)
    try await player.sees("Row")
    player.terminal.type(String(repeating: "nb", count: 100) + "qq")
    await player.run.end().expect(0)
    let ledger = player.space.ledger
    #expect(ledger.isWhole)
    #expect(ledger.lanes(of: "next").count == 100)
    #expect(ledger.lanes(of: "back").count == 100)
    #expect(ledger.has("stop"))
    // One at the start and one after each key; those that were not heard are recorded too.
    #expect(ledger.cues.count { $0.kind == "transition" } == 201)
  }

  @Test func keysActOnTheChosenLane() async throws {
    let player = try await Player(Preset.open, lanes: "anna", "ben")
    try await player.seesLine("> 2 ben")
    player.terminal.type("1")
    try await player.seesLine("  2 ben")
    try await player.press("n", "next")
    player.terminal.type("2")
    try await player.seesLine("  1 anna")
    try await player.press(" ", "pause")
    player.terminal.type("1")
    try await player.seesLine("  2 ben")
    try await player.press("qq", "stop")
    player.terminal.type("3")
    player.terminal.type("2")
    try await player.seesLine("  1 anna")
    player.terminal.type("qq")
    await player.run.end().expect(0)
    let ledger = player.space.ledger
    #expect(ledger.lanes(of: "next") == ["anna"])
    #expect(ledger.lanes(of: "pause") == ["ben"])
    #expect(ledger.lanes(of: "stop") == ["anna", "ben"])
  }

  @Test func zeroChoosesEveryLane() async throws {
    let player = try await Player(Preset.open, lanes: "anna", "ben", "cleo")
    try await player.seesLine("> 3 cleo")
    player.terminal.type("2")
    try await player.seesLine("  3 cleo")
    try await player.press(" ", "pause")
    player.terminal.type("0")
    try await player.seesLine("> 3 cleo")
    // The running one pauses first, so that the next press resumes all of them together.
    try await player.press(" ", "pause")
    try await player.press(" ", "resume")
    player.terminal.type("qq")
    await player.run.end().expect(0)
    let ledger = player.space.ledger
    #expect(ledger.lanes(of: "pause") == ["ben", "anna", "cleo"])
    #expect(ledger.lanes(of: "resume") == ["anna", "ben", "cleo"])
    #expect(ledger.lanes(of: "stop") == ["anna", "ben", "cleo"])
  }
}
