import CueSound
import CueTesting
import IntervalTimeline
import Testing

@testable import CueEngine

struct LaneTests {
  private static let lanes: [(name: String, workout: Workout)] = [
    ("anna", .sets(3, [(.low, 20), (.high, 20)])),
    ("ben", .sets(4, [(.work, 13), (.rest, 17)])),
    ("cleo", .sets(2, [(.low, 31), (.high, 29)])),
  ]

  /// The sounds of a lane, and the sets that it has counted down.
  private func cues(_ run: TestRun, _ lane: String) -> [String] {
    let sounds = run.trace.filter {
      $0.contains(" \(lane) transition") || $0.contains(" \(lane) countdown")
    }
    let sets = run.cues.filter {
      $0.lane == lane && $0.kind == "set-completion" && $0.outcome != .withdrawn
    }
    return sounds + sets.map { "set \($0.set ?? 0)" }
  }

  private func undisturbed() throws -> TestRun {
    let run = try TestRun(Self.lanes)
    for lane in 0..<3 { run.send(.start, lane: lane) }
    run.run(.seconds(130))
    return run
  }

  @Test func threeLanesRunToTheirOwnEnds() throws {
    let run = try undisturbed()
    for (name, workout) in Self.lanes {
      let length = try #require(try Timeline(workout).length)
      #expect(run.ledger.contains(.finish(lane: name, at: run.begin + length)))
    }
    let sounds = run.cues.filter { ["transition", "countdown"].contains($0.kind) }
    #expect(sounds.allSatisfy { $0.outcome == .played })
  }

  @Test(arguments: [Command.pause, .next, .back, .stop])
  func oneLanesCommandsNeverMoveAnothersCues(_ command: Command) throws {
    let calm = try undisturbed()
    let run = try TestRun(Self.lanes)
    for lane in 0..<3 { run.send(.start, lane: lane) }
    run.run(.milliseconds(17_300))
    run.send(command, lane: 1)
    run.run(.milliseconds(21_900))
    if command == .pause { run.send(.resume, lane: 1) } else { run.send(command, lane: 1) }
    run.run(.seconds(120))
    #expect(cues(run, "anna") == cues(calm, "anna"))
    #expect(cues(run, "cleo") == cues(calm, "cleo"))
    #expect(cues(run, "ben") != cues(calm, "ben"))
  }

  @Test func withSeveralLanesAnAnnouncementBeginsWithTheLanesName() throws {
    let run = try undisturbed()
    for cue in run.cues where ["next", "halfway", "finish"].contains(cue.kind) {
      #expect(cue.text.hasPrefix("\(cue.lane): "))
    }
    #expect(run.cues.contains { $0.text == "ben: Set 1 completing in 3, 2, 1, 0" })
  }

  @Test func aLaneThatStartsLaterKeepsItsDistance() throws {
    let run = try TestRun(Self.lanes)
    run.send(.start, lane: 0, then: .milliseconds(7_777))
    run.send(.start, lane: 1, then: .seconds(130))
    #expect(run.ledger.contains(.finish(lane: "ben", at: run.begin + .milliseconds(127_777))))
    #expect(run.ledger.contains(.finish(lane: "anna", at: run.begin + .seconds(120))))
  }
}
