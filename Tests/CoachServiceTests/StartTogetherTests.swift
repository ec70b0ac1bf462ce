import ControlProtocol
import CueTesting
import IntervalTimeline
import Testing

@testable import CoachService

/// Several workouts that one request starts begin at one instant, or none does.
@Suite struct StartTogetherTests {
  private let run = ControlRun()

  private func together(
    _ lanes: [String], _ preset: String = "sprint", in wait: Duration? = nil,
    rights: ControlRights = .control
  ) -> ControlAnswer {
    let order = StartOrder(preset: preset, at: wait.map { run.clock.now + $0 })
    return run.send(.desk(DeskRequest(.startTogether(order, lanes: lanes))), rights: rights)
  }

  @Test func theyBeginAtOneInstant() throws {
    let names = ["anna", "ben", "clara"]
    let answer = together(names, "long", rights: .remote)
    #expect(answer.ok && answer.lanes == names)
    // What is to be said of the preset is said once.
    #expect(answer.warnings == ["it is long"])
    let lanes = run.snapshot.lanes
    #expect(lanes.map(\.name) == names && lanes.allSatisfy { $0.state == .running })
    #expect(Set(lanes.map(\.phaseEndsAt)).count == 1)
    run.run(.milliseconds(2500))
    #expect(Set(run.snapshot.lanes.map(\.phaseEndsAt)).count == 1)
    #expect(Set(run.snapshot.lanes.map(\.phase)) == [2])
  }

  @Test func theyBeginLaterAtOneInstant() throws {
    #expect(together(["anna", "ben"], in: .seconds(600)).lanes == ["anna", "ben"])
    #expect(run.disk.kept == ["anna", "ben"])
    run.ring()
    let lanes = run.snapshot.lanes
    #expect(lanes.map(\.name).sorted() == ["anna", "ben"])
    #expect(Set(lanes.map(\.phaseEndsAt)).count == 1 && run.disk.kept == [])
    // Within the time that a start takes, too.
    #expect(together(["clara", "dora"], in: .seconds(2)).ok)
    run.run(.seconds(3))
    let next = run.snapshot.lanes.filter { ["clara", "dora"].contains($0.name) }
    #expect(next.count == 2 && Set(next.map(\.phaseEndsAt)).count == 1)
  }

  @Test func aNameThatIsTakenKeepsAllFromBeginning() {
    run.start("sprint", lane: "ben")
    let taken = together(["anna", "ben"])
    #expect(taken.error == .nameTaken)
    #expect(taken.message == "a workout \"ben\" is running or still to begin")
    #expect(together(["anna", "clara"], "nothing").error == .unknownPreset)
    #expect(run.snapshot.lanes.map(\.name) == ["ben"])
    let many = (1...ControlLimits.lanes).map { "lane \($0)" }
    #expect(together(many).error == .full)
    #expect(together(Array(many.dropFirst())).lanes?.count == ControlLimits.lanes - 1)
  }

  @Test func whatIsNotAllowedForOneIsNotForSeveral() {
    var order = StartOrder(preset: "sprint")
    order.style.voice.name = "flite:rms"
    let action = ControlRequest.Action.desk(
      DeskRequest(.startTogether(order, lanes: ["anna"])))
    #expect(run.send(action, rights: .remote).error == .notAllowed)
    for (rights, refusal) in [
      (ControlRights.sense, "verb: this socket takes value"), (.control, nil),
    ] {
      let found = rights.refusal(of: ControlRequest(.number(1), action))
      #expect(refusal.map { found?.text.hasPrefix($0) == true } ?? (found == nil))
    }
    #expect(run.snapshot.lanes.isEmpty)
  }
}
