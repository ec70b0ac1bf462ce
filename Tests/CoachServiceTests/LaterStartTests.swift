import ControlProtocol
import CueTesting
import IntervalTimeline
import Testing

@testable import CoachService

/// Workouts that begin later, and coaches that end before.
@Suite struct LaterStartTests {
  private let first = ControlRun()

  /// The next coach on the same disk, in the same boot.
  private func nextCoach(after wait: Duration = .zero) -> ControlRun {
    first.clock.advance(by: wait)
    let run = ControlRun(clock: first.clock, disk: first.disk)
    run.restore()
    return run
  }

  /// After a reboot: the clock of the boot begins again, and the wall clock has gone on.
  private func coachAfterReboot(after wait: Duration) -> ControlRun {
    let clock = ManualClock(BootInstant(nanoseconds: 7_000_000_000))
    let wall = first.disk.wall(at: first.clock.now + wait)
    first.disk.state.withLock { $0.wallOfZero = wall - clock.now.nanoseconds }
    let run = ControlRun(clock: clock, disk: first.disk)
    run.restore()
    return run
  }

  @Test func aStartIsKeptUntilItsSessionIs() {
    #expect(first.start("sprint", lane: "anna", in: .seconds(600)).warnings == nil)
    #expect(first.disk.kept == ["anna"])
    first.ring()
    #expect(first.lane("anna")?.state == .running)
    #expect(first.disk.kept == [] && first.disk.missed == [])
  }

  @Test func theNextCoachBeginsItAtItsTime() throws {
    let at = first.clock.now + .seconds(600)
    first.start("sprint", lane: "anna", in: .seconds(600))
    first.start("sprint", lane: "ben", in: .seconds(60))
    let second = nextCoach(after: .seconds(5))
    #expect(second.snapshot.lanes.map(\.name) == ["ben", "anna"])
    #expect(second.lane("anna")?.startsAt == at)
    #expect(second.events.filter { $0.event == .lane }.count == 2)
    second.ring()
    second.run(.seconds(8))
    #expect(second.lane("ben")?.state == .running)
    #expect(second.alarm == at - WorkoutStarts.headStart)
    second.ring()
    second.run(.seconds(3) + .milliseconds(500))
    #expect(second.lane("anna")?.elapsed == .milliseconds(500))
    #expect(second.disk.kept == [] && second.disk.missed == [])
  }

  @Test func afterARebootTheWallClockCounts() {
    first.start("sprint", lane: "anna", in: .seconds(600))
    let second = coachAfterReboot(after: .seconds(100))
    let left = second.clock.now + .seconds(500)
    #expect(second.lane("anna")?.startsAt == left)
  }

  /// A machine without a clock of its own gets the time only after the coach has started.
  @Test func whenTheClockIsSetTheStartMovesWithIt() {
    first.start("sprint", lane: "anna", in: .seconds(600))
    first.start("sprint", lane: "ben", in: .seconds(3600))
    // The reboot took 100 s, and the clock stood meanwhile.
    let second = coachAfterReboot(after: .zero)
    second.start("sprint", lane: "cleo", in: .seconds(900))
    second.disk.setWall(by: .seconds(100))
    second.handler.wallClockWasSet()
    second.settle()
    let starts = second.snapshot.lanes.map { lane in
      lane.startsAt.map { second.clock.now.duration(to: $0).secondsLeft }
    }
    // One of this run keeps its instant.
    #expect(starts == [500, 900, 3500])
    #expect(second.alarm == second.clock.now + .seconds(497))
    // Set by so much that one is missed, and one is due.
    second.disk.setWall(by: .seconds(3480))
    second.handler.wallClockWasSet()
    second.settle()
    #expect(second.disk.missed == ["anna"])
    second.disk.setWall(by: .seconds(18))
    second.handler.wallClockWasSet()
    second.settle()
    #expect(second.lane("ben")?.state == .running)
  }

  /// A start that was asked for before the clock was set is kept with the time that the clock has now.
  @Test func afterTheClockWasSetTheNextCoachBeginsItAtItsTime() {
    first.start("sprint", lane: "anna", in: .seconds(3600))
    first.disk.setWall(by: .seconds(13 * 3600))
    first.handler.wallClockWasSet()
    first.settle()
    let second = nextCoach(after: .seconds(600))
    #expect(second.disk.missed == [])
    #expect(second.lane("anna")?.startsAt == second.clock.now + .seconds(3000))
  }

  /// The kernel reports a sleep as if the clock had been set.
  @Test func whatTheMachineSleptThroughIsNotBlamedOnTheClock() {
    first.start("sprint", lane: "anna", in: .seconds(600))
    first.clock.advance(by: .seconds(700))
    first.handler.wallClockWasSet()
    first.settle()
    #expect(first.disk.missed == ["anna"])
    #expect(first.lines == ["\"anna\" did not begin: the machine slept through its time"])
  }

  /// The coach ends just when it is due: the next one begins it, for its session was never saved.
  @Test func aStartThatComesWhileTheCoachEndsIsNotMissed() {
    first.start("sprint", lane: "anna", in: .seconds(600))
    _ = first.host.shutDown()
    first.ring()
    #expect(first.lane("anna") == nil)
    #expect(first.disk.missed == [] && first.lines == [])
  }

  /// While the disk fails as a coach starts, what earlier ones were to begin is read later.
  @Test func whatThisRunHasScheduledItDoesNotTakeUp() {
    first.start("sprint", lane: "anna", in: .seconds(600))
    let second = ControlRun(clock: first.clock, disk: first.disk)
    second.start("sprint", lane: "ben", in: .seconds(700))
    second.start("sprint", lane: "cleo", in: .seconds(60))
    let kept = Array(second.disk.state.withLock { $0.kept }.values)
    #expect(kept.count == 3)
    // One has begun by the time at which they are known.
    second.ring()
    second.handler.restore(kept)
    second.settle()
    #expect(second.snapshot.lanes.map(\.name) == ["cleo", "anna", "ben"])
  }

  @Test func aNameThatIsNumberedKeepsItsLength() {
    let name = String(repeating: "a", count: 40)
    first.start("sprint", lane: name, in: .seconds(600))
    // Another program took the name meanwhile, and its workout is resumed first.
    let second = ControlRun(clock: first.clock, disk: first.disk)
    second.start("sprint", lane: name)
    second.restore()
    #expect(
      second.snapshot.lanes.map(\.name).sorted()
        == [String(repeating: "a", count: 38) + " 2", name].sorted())
  }

  @Test func thoseOfOneInstantBeginTogether() {
    for number in 1...10 { first.start("sprint", lane: "lane \(number)", in: .seconds(600)) }
    let at = first.clock.now + .seconds(600)
    first.ring()
    first.run(.seconds(5))
    let elapsed = Set(first.snapshot.lanes.map(\.elapsed))
    #expect(elapsed == [at.duration(to: first.clock.now)])
    #expect(first.snapshot.lanes.count == 10 && first.lines == [])
  }

  @Test func aLittleLateItBeginsAndTheLogSaysSo() throws {
    first.start("sprint", lane: "anna", in: .seconds(600))
    let second = nextCoach(after: .seconds(645))
    second.run(.seconds(2))
    #expect(second.lane("anna")?.state == .running)
    #expect(
      second.lines.first
        == "\"anna\" begins 0:45 late: the coach was not running at its time")
    #expect(second.disk.kept == [] && second.disk.missed == [])
  }

  @Test func afterMoreThanAMinuteItIsMissed() {
    first.start("sprint", lane: "anna", in: .seconds(600))
    let second = nextCoach(after: .seconds(661))
    #expect(second.snapshot.lanes == [])
    #expect(
      second.snapshot.warnings == ["\"anna\" did not begin: the coach was not running at its time"])
    #expect(second.lines == second.snapshot.warnings)
    #expect(second.disk.kept == [] && second.disk.missed == ["anna"])
    #expect(second.alarm == nil)
  }

  @Test func whatIsWithdrawnDoesNotComeBack() {
    first.start("sprint", lane: "anna", in: .seconds(600))
    #expect(first.send(.command(.stop, lane: "anna")).lanes == ["anna"])
    #expect(first.disk.kept == [])
    #expect(nextCoach().snapshot.lanes == [])
  }

  @Test func aNameThatIsTakenMeanwhileGetsANumber() {
    first.start("sprint", lane: "anna", in: .seconds(600))
    let second = ControlRun(clock: first.clock, disk: first.disk)
    #expect(second.start("sprint", lane: "anna").ok)
    second.restore()
    #expect(second.snapshot.lanes.map(\.name) == ["anna", "anna 2"])
  }

  @Test func aFullDiskIsSaid() {
    first.disk.state.withLock { $0.fails = true }
    let answer = first.start("sprint", lane: "anna", in: .seconds(600))
    #expect(answer.lanes == ["anna"])
    #expect(
      answer.warnings == ["it does not begin if the coach ends before: the disk is full"])
    // Here it begins all the same.
    #expect(first.lane("anna")?.state == .ready)
    let stop = first.send(.command(.stop, lane: "anna"))
    #expect(stop.error == .failed && stop.message?.contains("the disk is full") == true)
    #expect(first.snapshot.lanes == [])
  }
}
