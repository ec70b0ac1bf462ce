import ControlProtocol
import Foundation
import Testing

/// `cuecoach ctl` and a coach that runs.
@Suite struct CtlCommandTests {
  private let space = Workspace()

  init() throws {
    try space.write(Preset.long, to: "Presets/long.yaml")
    try space.write(Preset.open, to: "Presets/open.yaml")
  }

  @Test func aWorkoutIsControlledFromAShell() async throws {
    let coach = try await RunningCoach(in: space)
    var outcome = try await coach.ctl("start", "long", "--as", "anna", "--density", "counts")
      .expect(0)
    #expect(outcome.output.hasPrefix("anna: Long, "), "\(outcome.output)")
    outcome = try await coach.ctl("pause")
    #expect(outcome.output.hasSuffix(" left, paused\n"), "\(outcome.output)")
    #expect(coach.lanes.map(\.state) == [.paused])
    outcome = try await coach.ctl("pause", "anna").expect(1)
    #expect(outcome.errors.hasPrefix("cuecoach: pause changes nothing"), "\(outcome.errors)")
    outcome = try await coach.ctl("resume", "anna")
    #expect(outcome.output.hasSuffix(" left\n"), "\(outcome.output)")
    _ = try await coach.ctl("toggle")
    #expect(coach.lanes.map(\.state) == [.paused])
    // While it is paused, however long a command takes: later in a phase, back leads to its beginning.
    _ = try await coach.ctl("next")
    #expect(coach.lanes.map(\.phase) == [1])
    _ = try await coach.ctl("back")
    #expect(coach.lanes.map(\.phase) == [0])
    _ = try await coach.ctl("toggle")
    #expect(coach.lanes.map(\.state) == [.running])
    outcome = try await coach.ctl("where-am-i")
    #expect(outcome.output.hasPrefix("anna: Long, "), "\(outcome.output)")
    #expect(try await coach.ctl("say", "Well done").status == .exited(0))
    #expect(try await coach.ctl("volume", "60").output == "60\n")
    #expect(try await coach.ctl("volume").output == "60\n")
    #expect(try await coach.ctl("stop", "anna").output == "anna: stopped\n")
    try await coach.run.until("it is over") { coach.lanes.isEmpty }
    outcome = try await coach.ctl("stop").expect(1)
    #expect(outcome.errors == "cuecoach: no workout is running\n")
    outcome = try await coach.ctl("status").expect(0)
    #expect(outcome.output == "no workout is running\n")
  }

  @Test func severalBeginInStepAndATimerHasItsNumbers() async throws {
    let coach = try await RunningCoach(in: space)
    try await coach.ctl("start", "long", "--as", "anna", "--as", "ben").expect(0)
    #expect(coach.lanes.map(\.name) == ["anna", "ben"])
    #expect(Set(coach.lanes.map(\.phaseEndsAt)).count == 1)
    var outcome = try await coach.ctl("start", "long", "--as", "a", "--as", "a").expect(2)
    #expect(outcome.errors.contains("--as: expected different names"))
    outcome = try await coach.ctl("quick", "3", "1:30", "0s", "--prepare", "5").expect(0)
    #expect(coach.lanes.last?.name == "3 × 1:30" && coach.lanes.last?.phases == 4)
    #expect(outcome.output.hasPrefix("3 × 1:30: "), "\(outcome.output)")
    for (arguments, mistake) in [
      (["0", "30s", "15s"], "sets 0: expected a whole number"),
      (["8", "30.5s", "15s"], "\"30.5s\": expected whole seconds"),
      (["8", "soon", "15s"], "\"soon\" "),
    ] {
      outcome = try await coach.ctl("quick", arguments[0], arguments[1], arguments[2]).expect(2)
      #expect(outcome.errors.contains(mistake), "\(outcome.errors)")
    }
  }

  @Test func startsThatRepeatAreListedAndEnded() async throws {
    let coach = try await RunningCoach(in: space)
    var outcome = try await coach.ctl(
      "schedule", "long", "--at", "4:05", "--weekdays", "--as", "ben"
    )
    .expect(0)
    let line = outcome.output
    #expect(line.contains(": long as ben, 4:05 on weekdays, next 20"), "\(line)")
    #expect(try await coach.ctl("schedules").output == line)
    outcome = try await coach.ctl("schedules", "--json").expect(0)
    let entry = try JSONDecoder().decode(ScheduleEntry.self, from: Data(outcome.output.utf8))
    #expect(entry.preset == "long" && line.hasPrefix(entry.id))
    try await coach.ctl("unschedule", entry.id).expect(0)
    #expect(try await coach.ctl("unschedule", entry.id).expect(1).errors.contains("has the id"))
    #expect(try await coach.ctl("schedules").errors == "cuecoach: no start repeats\n")
    try await coach.ctl("schedule", "long", "--at", "25:00").expect(2)
  }

  @Test func silenceOutputsAndWhatWasInterrupted() async throws {
    let coach = try await RunningCoach(in: space)
    #expect(try await coach.ctl("volume", "60", "--mute").output == "60, muted\n")
    #expect(try await coach.ctl("volume").output == "60, muted\n")
    #expect(try await coach.ctl("volume", "--no-mute").output == "60\n")
    #expect(try await coach.ctl("output").errors.contains("no outputs to choose"))
    #expect(try await coach.ctl("output", "hw:1").expect(1).errors.contains("output \"hw:1\""))
    #expect(
      try await coach.ctl("discard", "nobody").expect(1).errors.contains("nothing was interrupted"))
  }

  @Test func aWorkoutBeginsLater() async throws {
    let coach = try await RunningCoach(in: space)
    let outcome = try await coach.ctl("start", "long", "--in", "5h", "--as", "ben")
    #expect(outcome.output.hasPrefix("ben: Long begins at "), "\(outcome.output)")
    let day = 86_400_000_000_000 as Int64
    let minute = 60_000_000_000 as Int64
    // A minute that is not this one and not the next.
    let wanted = (Int64(Date().timeIntervalSince1970 * 1e9) + 2 * 60 * minute) % day / minute
    let time = "\(wanted / 60):" + String(format: "%02d", wanted % 60)
    #expect(try await coach.ctl("start", "long", "--at", time).status == .exited(0))
    let json = try await coach.ctl("status", "--json").output
    let snapshot = try JSONDecoder().decode(CoachSnapshot.self, from: Data(json.utf8))
    #expect(Set(snapshot.lanes.map(\.name)) == ["ben", "long"])
    #expect(snapshot.lanes.allSatisfy { $0.state == .ready })
    let lane = try #require(snapshot.lanes.first { $0.name == "long" })
    // The wall clock may be set meanwhile by a time server, but not by a second.
    let start = snapshot.wall + (lane.startsAt?.nanoseconds ?? 0) - snapshot.at
    #expect((start + minute / 120) % day / minute == wanted)
    #expect((start + minute / 120) % minute < minute / 60)
    #expect(try await coach.ctl("stop", "ben").output == "ben: stopped\n")
    #expect(coach.lanes.map(\.name) == ["long"])
  }

  @Test func aPresetOfOnesOwnIsSent() async throws {
    try space.write(Preset.long, to: "rows.yaml")
    try space.write("name: X\nsets: many\nlow: 1s\n", to: "wrong.yaml")
    let coach = try await RunningCoach(in: space)
    let outcome = try await coach.ctl("start", "./rows.yaml", "--as", "anna")
    #expect(outcome.output.hasPrefix("anna: Long, "), "\(outcome.errors)")
    let mistake = try await coach.ctl("start", "wrong.yaml").expect(2)
    #expect(mistake.errors.hasPrefix("wrong.yaml:2:"), "\(mistake.errors)")
    #expect(coach.lanes.map(\.name) == ["anna"])
  }

  @Test func aWorkoutOfAnotherProgramIsSentAsAPreset() async throws {
    try space.write(
      "<workout_file><author>A</author><name>Ride</name><workout><Warmup Duration=\"600\" Gear=\"2\"/></workout>"
        + "</workout_file>", to: "ride.zwo")
    let coach = try await RunningCoach(in: space)
    let outcome = try await coach.ctl("start", "./ride.zwo", "--as", "anna")
    #expect(outcome.output.hasPrefix("anna: Ride, Warm-up"), "\(outcome.errors)")
    #expect(outcome.errors.contains("./ride.zwo: the attribute \"gear\" of a block is not kept"))
  }

  @Test func repetitionsAreShown() async throws {
    let coach = try await RunningCoach(in: space)
    let output = try await coach.ctl("start", "open").output
    #expect(
      output.wholeMatch(of: /open: Open, Lift, open, since \d+:\d\d, 5 reps\n/) != nil, "\(output)")
    #expect(coach.lanes.map(\.reps) == [5])
  }

  @Test func aSignalIsShownAndItsNameIsChecked() async throws {
    try space.write(
      "name: Rests\nblocks:\n  - phases:\n      - rest: {until: ready, at-most: 30m}\n",
      to: "rests.yaml")
    let coach = try await RunningCoach(in: space)
    let output = try await coach.ctl("start", "./rests.yaml").output
    let line = /Rests: Rests, Rest, open, since \d+:\d\d, at most \d+:\d\d more, until ready\n/
    #expect(output.wholeMatch(of: line) != nil, "\(output)")
    for (name, line) in [("Ready", "expected the name of a signal"), ("next", "cuecoach ctl next")]
    {
      let outcome = try await coach.ctl("signal", name).expect(2)
      #expect(outcome.errors.contains(line), "\(outcome.errors)")
    }
    // Before its first sound it waits for nothing.
    try await coach.run.until("the rest runs") { coach.lanes.contains { $0.elapsed > .zero } }
    try await coach.ctl("signal", "ready").expect(0)
  }

  @Test func listsAreThoseOfTheCoach() async throws {
    let coach = try await RunningCoach(in: space)
    let presets = try await coach.ctl("presets")
    #expect(presets.lines.contains { $0.hasPrefix("long ") && $0.hasSuffix("  Long") })
    #expect(presets.lines.contains { $0.hasPrefix("open ") && $0.hasSuffix("  open  Open") })
    let objects = try await coach.ctl("presets", "--json")
    #expect(
      objects.lines.count
        == presets.lines.count { !$0.hasSuffix(":") && !$0.hasPrefix("    ") })
    #expect(presets.lines.contains { $0.hasPrefix("      Tabata: eight times 20 s all out") })
    _ = try JSONDecoder().decode(PresetEntry.self, from: Data((objects.lines.first ?? "").utf8))
    #expect(try await coach.ctl("history").errors.contains("the history is empty"))
    #expect(try await coach.ctl("sessions").errors.contains("there is no unfinished session"))
    _ = try await coach.ctl("start", "long")
    _ = try await coach.ctl("stop")
    try await coach.run.until("it is over") { coach.lanes.isEmpty }
    let history = try await coach.ctl("history", "--limit", "5")
    #expect(history.lines.count == 2)
    #expect(history.lines.last?.contains("  long  Long") == true, "\(history.output)")
    #expect(history.lines.last?.hasSuffix("  stopped") == true, "\(history.output)")
  }

  @Test func whatWasInterruptedIsListedInItsLanguage() async throws {
    let coach = try await RunningCoach(in: space)
    let run = try await space.program.start([
      "run", "anna=long", "--language", "de", "--no-sound", "--ledger", Workspace.ledgerName,
    ])
    try await run.until("the first cue is heard") { space.ledger.has("cue") }
    _ = await run.end(by: SIGTERM)
    let sessions = try await coach.ctl("sessions")
    #expect(sessions.output.contains("Row, noch "), "\(sessions.output)")
  }

  private static let refused = [
    ("start nothing", "there is no preset \"nothing\""),
    ("start long --as anna", "\"anna\""),
    ("start long --voice klingon-x", "klingon-x"),
    ("next nobody", "no workout \"nobody\" is running"),
    ("say hello --lane nobody", "no workout \"nobody\" is running"),
  ]

  @Test func aRefusalIsOneLineAndExitCodeOne() async throws {
    let coach = try await RunningCoach(in: space)
    _ = try await coach.ctl("start", "long", "--as", "anna")
    for (arguments, says) in Self.refused {
      let words = arguments.split(separator: " ").map(String.init)
      try await space.programOfCoach.run(["ctl"] + words).expectOneLine(1, says)
    }
  }

  @Test(arguments: ["status", "pause", "start tabata", "status --watch", "volume", "presets"])
  func withoutACoachItSaysHowToStartOne(arguments: String) async throws {
    let words = arguments.split(separator: " ").map(String.init)
    let outcome = try await space.programOfCoach.run(["ctl"] + words + ["--socket", "none"])
      .expectOneLine(1)
    for command in ["cuecoach serve", "systemctl enable --now cuecoach"] {
      #expect(outcome.errors.contains(command), "\(outcome.errors)")
    }
  }

  /// They are noticed without a coach.
  @Test(arguments: [
    ("start", "<preset>"), ("start tabata --at 24:00", "--at \"24:00\": expected a time of day"),
    ("start tabata --in soon", "--in \"soon\" is not a length"),
    ("start tabata --in -5m", "--in \"-5m\" is negative"),
    ("start tabata --at 18:00 --in 5m", "--at cannot be combined with --in"),
    ("start tabata --as \u{2060}", "not all of them invisible"),
    ("start tabata --rate 9", "--rate 9: expected"), ("start no/such.yaml", "no/such.yaml"),
    ("volume 101", "volume 101: expected a whole number from 0 to 100"),
    ("volume -5", "volume -5: expected a whole number from 0 to 100"),
    ("value watts -5 --unit seconds", "seconds: expected a number from 0 to 86400"),
    ("history --limit 0", "--limit 0: expected"), ("dance", "dance"), ("pause a b", "'b'"),
  ])
  func aMistakeIsOneLineAndExitCodeTwo(arguments: String, says: String) async throws {
    let words = arguments.split(separator: " ").map(String.init)
    try await space.programOfCoach.run(["ctl"] + words).expectOneLine(2, says)
  }
}
