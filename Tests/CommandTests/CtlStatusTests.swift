import ControlProtocol
import ControlSocket
import Foundation
import Testing

/// What `cuecoach ctl status` shows, once and all the time.
@Suite struct CtlStatusTests {
  private let space = Workspace()

  init() throws {
    try space.write("name: Sets\nsets: 3\nlow: 1h\nhigh: 1h\n", to: "Presets/sets.yaml")
  }

  private func watch(_ options: String..., on terminal: PseudoTerminal? = nil) async throws
    -> RunningProgram
  {
    try await space.programOfCoach.start(["ctl", "status", "--watch"] + options, on: terminal)
  }

  @Test func onATerminalItIsTheScreenOfARun() async throws {
    let coach = try await RunningCoach(in: space)
    _ = try await coach.ctl("start", "sets")
    let later = (1...6).map { "later \($0)" }
    for name in later { _ = try await coach.ctl("start", "sets", "--in", "1h", "--as", name) }
    let terminal = try PseudoTerminal()
    try await space.programOfCoach.start(["ctl", "status"], on: terminal).end().expect(0)
    #expect(!terminal.picture.isAlternate)
    let lines = terminal.text.split(whereSeparator: \.isNewline)
    for line in ["Sets", "set 1 of 3  Low", "Next: High"] { #expect(lines.contains { $0 == line }) }
    #expect(lines.contains { $0.hasPrefix("workout  ░") })
    #expect(lines.count { $0.contains("██") } >= 5)
    #expect(!terminal.text.contains("space pause"))
    for name in later { #expect(lines.contains { $0.hasPrefix("\(name): Sets begins at ") }) }
  }

  @Test func eachOfManyWorkoutsHasARow() async throws {
    let coach = try await RunningCoach(in: space)
    let names = (1...12).map { "number \($0)" }
    for name in names { _ = try await coach.ctl("start", "sets", "--as", name) }
    let terminal = try PseudoTerminal(columns: 60, rows: 8)
    _ = try await space.programOfCoach.start(["ctl", "status"], on: terminal).end()
    let lines = terminal.text.split(whereSeparator: \.isNewline)
    for name in names {
      #expect(lines.contains { $0.hasPrefix("\(name)  set 1 of 3  Low  ") }, "\(lines)")
    }
  }

  @Test func theWatchCountsDownByItselfAndFollows() async throws {
    let coach = try await RunningCoach(in: space)
    _ = try await coach.ctl("start", "sets", "--as", "anna")
    let terminal = try PseudoTerminal()
    let mode = terminal.mode
    let watch = try await watch(on: terminal)
    try await watch.until("the screen is drawn") { terminal.picture.shows("Next: High") }
    let bar = { @Sendable in terminal.picture.rows.first { $0.hasPrefix("phase") } }
    let first = bar()
    try await watch.until("it counts") { bar() != first }
    _ = try await coach.ctl("next")
    try await watch.until("the phase is shown") { terminal.picture.shows("set 1 of 3  High") }
    _ = try await coach.ctl("pause")
    try await watch.until("the pause is shown") {
      terminal.picture.shows("set 1 of 3  High  PAUSED")
    }
    _ = try await coach.ctl("start", "sets", "--in", "1h", "--as", "ben")
    try await watch.until("what begins later is shown") {
      terminal.picture.rows.contains { $0.hasPrefix("ben: Sets begins at ") }
    }
    terminal.resize(columns: 40, rows: 12)
    watch.send(signal: SIGWINCH)
    try await watch.until("it is drawn anew") {
      terminal.picture.rows.contains { $0.contains("PAUSED") && $0.count <= 40 }
        && terminal.picture.clearings > 1
    }
    #expect(await watch.end(by: SIGINT).status == .exited(0))
    #expect(!terminal.picture.isAlternate && !terminal.picture.isCursorHidden)
    #expect(terminal.mode == mode)
  }

  @Test func theWatchWaitsForACoachThatIsRestarted() async throws {
    let first = try await RunningCoach(in: space)
    _ = try await first.ctl("start", "sets", "--as", "anna")
    let terminal = try PseudoTerminal()
    let watch = try await watch(on: terminal)
    try await watch.until("the screen is drawn") { terminal.picture.shows("set 1 of 3  Low") }
    _ = await first.end()
    try await watch.until("it says so") {
      terminal.picture.rows.first?.hasPrefix("the coach has ended; waiting") == true
        && !terminal.picture.shows("set 1 of 3  Low")
    }
    let second = try await RunningCoach(in: space)
    try await second.run.until("the workout continues") { !second.lanes.isEmpty }
    try await watch.until("it is shown") { terminal.picture.shows("set 1 of 3  Low") }
    terminal.type("q")
    #expect(await watch.end().status == .exited(0))
  }

  @Test func withoutATerminalEachChangeIsALine() async throws {
    let coach = try await RunningCoach(in: space)
    let watch = try await watch()
    try await watch.until("it has begun") { watch.output == "no workout is running\n" }
    _ = try await coach.ctl("start", "sets", "--as", "anna")
    try await watch.until("it runs") { watch.output.contains("\nanna: Sets, set 1 of 3, Low, ") }
    _ = try await coach.ctl("pause")
    try await watch.until("it is paused") { watch.output.hasSuffix(" left, paused\n") }
    _ = try await coach.ctl("volume", "70")
    try await watch.until("it is softer") { watch.output.hasSuffix("\nvolume 70\n") }
    _ = try await coach.ctl("stop")
    try await watch.until("it has ended") { watch.output.contains("\nanna: Sets: stopped after ") }
    _ = await coach.end(with: SIGKILL)
    try await watch.until("it says so") { watch.errors.contains("the coach has ended") }
    #expect(await watch.end(by: SIGTERM).status == .exited(143))
  }

  @Test func aProgramReadsASnapshotForEachChange() async throws {
    let coach = try await RunningCoach(in: space)
    let watch = try await watch("--json")
    let snapshots = { @Sendable () -> [CoachSnapshot] in
      watch.output.split(separator: "\n").compactMap {
        try? JSONDecoder().decode(CoachSnapshot.self, from: Data($0.utf8))
      }
    }
    try await watch.until("it has begun") { snapshots().first?.lanes.isEmpty == true }
    _ = try await coach.ctl("start", "sets", "--as", "anna")
    _ = try await coach.ctl("pause")
    try await watch.until("it is paused") { snapshots().last?.lanes.first?.state == .paused }
    let all = snapshots()
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.revision < $1.revision && $0.at <= $1.at })
    #expect(await watch.end(by: SIGINT).status == .exited(0))
  }

  /// As with the key q: the run ends when it has been said.
  @Test func howFarAWorkoutCameIsSaidAfterAStopFromAnotherSurface() async throws {
    try space.write(Preset.long, to: "long.yaml")
    let run = try await space.programOfCoach.start(
      ["run", "anna=long.yaml", "--no-sound", "--control", "--ledger", Workspace.ledgerName])
    try await run.until("it begins") { space.ledger.has("start") }
    // Shorter ones are not worth a word.
    let told = ContinuousClock.now + .seconds(11)
    try await run.until("it has run for a while") { ContinuousClock.now > told }
    try await space.programOfCoach.run(["ctl", "stop"]).expect(0)
    _ = await run.end()
    #expect(space.ledger.cues.contains { $0.kind == "stopped" && $0.outcome == "played" })
  }

  @Test func theReadingsOfARecordAreHeldAgainstTheTarget() async throws {
    try space.write(
      "name: Ride\nblocks:\n  - phases:\n      - work: 10m\n        target: {watts: 190 to 210}\n",
      to: "ride.yaml")
    let readings = (0..<600).map { "\($0),watts,171\n" }.joined()
    try space.write("seconds,kind,value\n" + readings, to: "ride.csv")
    let run = try await space.programOfCoach.start(
      ["run", "ride.yaml", "--with", "ride.csv", "--no-sound", "--control"])
    let path = space.path("cuecoach/control")
    @Sendable func target() -> TargetStatus? {
      let answer = try? ControlClient([path]).request(.status(outline: false))
      return answer?.snapshot?.lanes.first?.target
    }
    try await run.until("they come") { target()?.value == 171 }
    #expect(target()?.position == .below && target()?.words == "171, more power")
    _ = await run.end(by: SIGTERM)
    try space.write("0,watts,170\n1,volts,3\n", to: "ride.csv")
    let wrong = try await space.run("run", "ride.yaml", "--with", "ride.csv", "--no-sound")
    #expect(wrong.status == .exited(2) && wrong.errors.contains("ride.csv:2: "))
  }
}
