import ControlProtocol
import CueTesting
import IntervalTimeline
import Testing

@testable import CoachService

/// Starts that repeat, and coaches that end before.
@Suite struct RepeatedStartTests {
  private let first = ControlRun()
  private static let hour: Int64 = 3_600_000_000_000
  private static let day = 24 * hour

  private func schedule(
    _ run: ControlRun, _ time: String, _ days: ScheduleOrder.Days = .daily, lane: String? = "anna",
    preset: String = "sprint"
  ) -> ControlAnswer {
    run.send(
      .desk(
        DeskRequest(.schedule(ScheduleOrder(preset: preset, lane: lane, time: time, days: days)))))
  }

  private func list(_ run: ControlRun) -> [ScheduleEntry] {
    run.send(.desk(DeskRequest(.schedules))).schedules ?? []
  }

  /// The clock of a run as the wall shows it, in the zone of the tests: seconds since midnight.
  private func time(_ run: ControlRun, after wait: Duration) -> String {
    let wall = run.disk.wall(at: run.clock.now + wait)
    return WallTime(wall, in: { _ in 3600 }).timeText
  }

  private func nextCoach(after wait: Duration) -> ControlRun {
    first.clock.advance(by: wait)
    let run = ControlRun(clock: first.clock, disk: first.disk)
    run.handler.restoreSchedules()
    run.settle()
    return run
  }

  @Test func itBeginsEachDayAtItsTime() throws {
    let entry = try #require(schedule(first, time(first, after: .seconds(600))).schedule)
    #expect(entry.preset == "sprint" && entry.lane == "anna" && entry.missed == nil)
    #expect(first.disk.state.withLock { $0.schedules }.map(\.id) == [entry.id])
    #expect(list(first) == [entry])
    #expect(
      first.send(.desk(DeskRequest(.schedules))).now
        == WallTime(first.disk.wall(at: first.clock.now), in: { _ in 3600 }).offsetText)
    #expect(first.snapshot.lanes == [])
    for day in 0..<3 {
      let alarm = try #require(first.alarm)
      first.clock.advance(to: alarm)
      first.handler.alarm()
      first.settle()
      first.run(.seconds(5))
      #expect(first.lane("anna")?.state == .running, "day \(day)")
      #expect(first.lane("anna")?.elapsed == .seconds(2))
      #expect(first.alarm == alarm + .seconds(86_400))
      first.send(.command(.stop, lane: "anna"))
      first.run(.seconds(10))
      #expect(first.snapshot.lanes == [])
    }
    #expect(list(first).first?.missed == nil)
    #expect(first.disk.state.withLock { $0.missedAt } == [])
    let next = try #require(first.alarm) + .seconds(3)
    #expect(
      first.disk.state.withLock { $0.schedules }.first?.next == first.disk.wall(at: next))
  }

  @Test func everySurfaceIsToldWhenItsListsAreOld() throws {
    func count() -> Int { first.events.count { $0.event == .lists } }
    let answer = schedule(first, time(first, after: .seconds(600)))
    #expect(count() == 1 && answer.revision == first.events.last?.revision)
    #expect(!schedule(first, "18:00", preset: "absent").ok && count() == 1)
    first.disk.state.withLock { $0.keepsPresets = true }
    #expect(first.send(.preset(PresetRequest(.save(PresetChange(preset: "dash", workout: ""))))).ok)
    #expect(count() == 2)
    // Its next time is another one.
    first.ring()
    #expect(count() == 3)
    let id = try #require(answer.schedule?.id)
    let unschedule = ControlRequest.Action.desk(DeskRequest(.unschedule(id)))
    #expect(first.send(unschedule).ok && count() == 4)
    #expect(!first.send(unschedule).ok && count() == 4)
    for action in [DeskRequest.Action.delete(session: "a"), .restore(session: "a")] {
      #expect(first.send(.desk(DeskRequest(action))).ok)
    }
    #expect(count() == 6)
  }

  @Test func aSecondOneThatIsTheSameIsTheFirst() throws {
    let kept = try #require(schedule(first, "6:00").schedule)
    #expect(schedule(first, "6:00").schedule == kept && list(first) == [kept])
    #expect(schedule(first, "6:00", lane: "ben").schedule?.id != kept.id)
  }

  @Test func aRenamedPresetTakesItsStartsAlong() throws {
    _ = schedule(first, time(first, after: .seconds(600)))
    _ = schedule(first, time(first, after: .seconds(900)), lane: "ben", preset: "busy")
    first.disk.state.withLock { $0.keepsPresets = true }
    let change = PresetChange(preset: "dash", workout: "", tag: "0", former: "sprint")
    #expect(first.send(.preset(PresetRequest(.save(change)))).ok)
    first.settle()
    #expect(list(first).map(\.preset) == ["dash", "busy"])
    first.disk.state.withLock {
      #expect($0.schedules.map(\.order.preset) == ["dash", "busy"])
      #expect($0.renamed == ["sprint dash"])
    }
  }

  @Test func theNextCoachBeginsItToo() throws {
    _ = schedule(first, time(first, after: .seconds(600)), lane: nil)
    let second = nextCoach(after: .seconds(100))
    #expect(second.alarm == second.clock.now + .seconds(497))
    second.ring()
    second.run(.seconds(4))
    #expect(second.lane("sprint")?.state == .running)
  }

  @Test func whatCameWhileNoCoachRanIsMissedAndSaid() throws {
    _ = schedule(first, time(first, after: .seconds(600)))
    let due = first.disk.wall(at: first.clock.now + .seconds(600))
    let second = nextCoach(after: .seconds(600 + 86_400 + 3600))
    #expect(second.disk.state.withLock { $0.missedAt } == [due, due + Self.day])
    let entry = try #require(list(second).first)
    #expect(entry.missed == WallTime(due + Self.day, in: { _ in 3600 }).offsetText)
    #expect(second.snapshot.lanes == [])
    #expect(
      second.snapshot.warnings.last
        == "\"anna\" did not begin: the coach was not running at its time")
    // A third one does not miss them again.
    _ = nextCoach(after: .seconds(1))
    #expect(first.disk.state.withLock { $0.missedAt }.count == 2)
  }

  @Test func aMinuteLateItStillBeginsAndSaysSo() throws {
    _ = schedule(first, time(first, after: .seconds(600)))
    let second = nextCoach(after: .seconds(640))
    second.run(.seconds(1))
    #expect(second.lane("anna")?.state == .running)
    #expect(second.snapshot.warnings.first?.contains("begins 0:40 late") == true)
    #expect(second.disk.state.withLock { $0.missedAt } == [])
  }

  @Test func aNameThatIsTakenIsMissed() throws {
    _ = schedule(first, time(first, after: .seconds(5)))
    first.start("lifts", lane: "anna")
    first.ring()
    first.run(.seconds(6))
    #expect(first.lane("anna")?.workout == "Workout lifts")
    #expect(first.disk.state.withLock { $0.missedAt }.count == 1)
    #expect(list(first).first?.missed != nil)
    #expect(first.lines.last?.contains("is running or still to begin") == true)
  }

  @Test func itEndsWithItsId() throws {
    let entry = try #require(schedule(first, "6:00").schedule)
    let refused = first.send(.desk(DeskRequest(.unschedule("x"))))
    #expect(refused.error == .noEffect)
    #expect(first.send(.desk(DeskRequest(.unschedule(entry.id)))).ok)
    #expect(list(first) == [] && first.alarm == nil)
    #expect(first.disk.state.withLock { $0.schedules } == [])
  }

  @Test func whatTheDiskDoesNotTakeIsRefused() throws {
    let kept = try #require(schedule(first, "6:00").schedule)
    first.disk.state.withLock { $0.fails = true }
    #expect(schedule(first, "7:00").error == .failed)
    #expect(first.send(.desk(DeskRequest(.unschedule(kept.id)))).error == .failed)
    #expect(list(first) == [kept])
    // What is there is not known: nothing may be written over it.
    let second = nextCoach(after: .seconds(1))
    #expect(second.lines.last == "which starts repeat is not known yet: the disk is full")
    #expect(schedule(second, "8:00").error == .failed)
    first.disk.state.withLock { $0.fails = false }
    #expect(list(second) == [kept])
  }

  @Test func aHundredAreKept() throws {
    for number in 0..<Timetable.maxCount {
      #expect(schedule(first, "6:00", lane: "p\(number)").ok)
    }
    #expect(schedule(first, "6:00").error == .full)
    // One that is kept already takes no room.
    #expect(schedule(first, "6:00", lane: "p0").ok)
    #expect(schedule(ControlRun(), "6:00", preset: "nothing").error == .unknownPreset)
  }

  @Test func itFollowsTheWallClock() throws {
    _ = schedule(first, time(first, after: .seconds(3600)))
    first.disk.setWall(by: .seconds(600))
    first.handler.wallClockWasSet()
    first.settle()
    #expect(first.alarm == first.clock.now + .seconds(2997))
    // A year ahead by mistake, and back.
    first.disk.setWall(by: .seconds(365 * 86_400))
    first.handler.wallClockWasSet()
    first.settle()
    first.disk.setWall(by: .seconds(-365 * 86_400))
    first.handler.wallClockWasSet()
    first.settle()
    #expect(first.alarm == first.clock.now + .seconds(2997))
  }

  /// Central Europe in 2026: summer time from 29 March to 25 October, at 1:00 UTC.
  private static func europe(_ seconds: Int64) -> Int64 {
    (1_774_746_000..<1_792_890_000).contains(seconds) ? 7200 : 3600
  }

  private func texts(_ order: ScheduleOrder, from start: String, count: Int) throws -> [String] {
    let day = try #require(Day(start))
    var instant = order.next(after: day.number * Self.day, in: Self.europe)
    var texts: [String] = []
    for _ in 0..<count {
      texts.append(WallTime(instant, in: Self.europe).minuteText)
      instant = order.next(afterDayOf: instant, in: Self.europe)
    }
    return texts
  }

  @Test func theTimeStaysThatOfTheClockWhenSummerTimeBeginsAndEnds() throws {
    let daily = ScheduleOrder(preset: "a", time: "18:00", days: .daily)
    #expect(
      try texts(daily, from: "2026-03-28", count: 3)
        == ["2026-03-28 18:00", "2026-03-29 18:00", "2026-03-30 18:00"])
    #expect(
      try texts(daily, from: "2026-10-24", count: 3)
        == ["2026-10-24 18:00", "2026-10-25 18:00", "2026-10-26 18:00"])
    // Shown twice on the 25th, and not at all on the 29th.
    let night = ScheduleOrder(preset: "a", time: "2:30", days: .daily)
    #expect(
      try texts(night, from: "2026-10-24", count: 3)
        == ["2026-10-24 02:30", "2026-10-25 02:30", "2026-10-26 02:30"])
    #expect(
      try texts(night, from: "2026-03-28", count: 2) == ["2026-03-28 02:30", "2026-03-30 02:30"])
  }

  @Test func weekdaysHaveNoWeekend() throws {
    let order = ScheduleOrder(preset: "a", time: "7:15", days: .weekdays)
    // 2026-11-27 is a Friday.
    #expect(
      try texts(order, from: "2026-11-26", count: 4)
        == ["2026-11-26 07:15", "2026-11-27 07:15", "2026-11-30 07:15", "2026-12-01 07:15"])
    #expect(try texts(order, from: "2026-11-28", count: 1) == ["2026-11-30 07:15"])
  }

  @Test func aStartThatLosesItsPresetIsToldOf() {
    first.disk.state.withLock { $0.keepsPresets = true }
    _ = schedule(first, time(first, after: .seconds(600)))
    func delete(_ preset: String, tag: String) -> ControlAnswer {
      first.send(.preset(PresetRequest(.delete(preset, tag: tag))))
    }
    #expect(delete("lifts", tag: "1").warnings == nil)
    // A shipped one of the same name takes its place.
    #expect(delete("sprint", tag: "2").warnings == nil)
    let answer = delete("sprint", tag: "1")
    #expect(
      answer.ok
        && answer.warnings == ["\"sprint\" was to begin by itself again, and will be missed"])
  }

  @Test func otherRequestsOfTheDeskGoToTheRecords() {
    #expect(first.send(.desk(DeskRequest(.people))).warnings == ["people"])
    first.start("sprint", lane: "anna")
    #expect(first.send(.desk(DeskRequest(.discard(lane: "anna")))).error == .noEffect)
    #expect(first.send(.desk(DeskRequest(.discard(lane: "ben")))).ok)
  }

  @Test func silenceKeepsTheVolume() {
    first.send(.volume(40))
    var answer = first.send(.desk(DeskRequest(.mute(true, volume: nil))))
    #expect(answer.volume == 40 && answer.muted == true)
    #expect(first.host.volume == 0)
    #expect(first.snapshot.volume == 40 && first.snapshot.muted == true)
    #expect(first.events.last?.event == .volume && first.events.last?.muted == true)
    // Set in silence: heard afterwards.
    answer = first.send(.volume(60))
    #expect(answer.volume == 60 && answer.muted == true && first.host.volume == 0)
    answer = first.send(.desk(DeskRequest(.mute(false, volume: nil))))
    #expect(answer.volume == 60 && answer.muted == false && first.host.volume == 0.6)
    let count = first.events.count
    #expect(first.send(.volume(nil)).muted == false)
    #expect(first.events.count == count)
    answer = first.send(.desk(DeskRequest(.mute(true, volume: 10))))
    #expect(answer.volume == 10 && answer.muted == true && first.events.count == count + 1)
  }

  @Test func anOutputIsOneOfTheList() {
    var answer = first.send(.desk(DeskRequest(.outputs)))
    #expect(answer.outputs == ["default", "hw:1,0"] && answer.output == "default")
    answer = first.send(.desk(DeskRequest(.output("hw:1,0"))))
    #expect(answer.ok && answer.output == "hw:1,0" && answer.outputs == nil)
    answer = first.send(.desk(DeskRequest(.output("hw:2,0"))))
    #expect(answer.error == .invalid)
    #expect(answer.message == "output \"hw:2,0\": expected \"default\", \"hw:1,0\"")
    #expect(first.send(.desk(DeskRequest(.outputs))).output == "hw:1,0")
  }
}
