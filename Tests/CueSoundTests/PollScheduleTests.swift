import Testing

@testable import CueSound

struct PollScheduleTests {
  private func at(_ milliseconds: Int64) -> BootInstant { .boot + .milliseconds(milliseconds) }

  /// The number of readings that a schedule requests between two instants, if checked every 20 ms.
  private func readings(from: Int64, to: Int64) -> Int {
    var plan = PollSchedule()
    plan.restart(at: 0)
    var count = 0
    for turn in 0..<to / 20 where plan.wantsReading(at: at(turn * 20)) {
      plan.hasRead(at: at(turn * 20), isDoubtful: false)
      if turn * 20 >= from { count += 1 }
    }
    return count
  }

  @Test func aDeviceIsReadAtEveryTurnAtFirstAndOnceItHasSettledAndSeldomLater() {
    #expect(readings(from: 0, to: 300) == 15)
    #expect(readings(from: 300, to: 1000) < 10)
    #expect(readings(from: 1000, to: 1500) >= 20)
    #expect((15...25).contains(readings(from: 10_000, to: 20_000)))
  }

  @Test func aDoubtIsLookedIntoAtOnce() {
    var plan = PollSchedule()
    plan.restart(at: 0)
    plan.hasRead(at: at(60_000), isDoubtful: true)
    #expect(plan.wantsReading(at: at(60_000)))
  }

  @Test func whetherItPlaysIsAskedTenTimesASecond() {
    var plan = PollSchedule()
    plan.restart(at: 0)
    plan.hasRead(at: at(60_000), isDoubtful: false)
    plan.hasLooked(at: at(60_000))
    #expect(!plan.wantsLook(at: at(60_099)))
    #expect(plan.wantsLook(at: at(60_100)))
  }

  @Test func readingsAreNotEven() {
    var plan = PollSchedule()
    var gaps: Set<Duration> = []
    var now = at(60_000)
    for _ in 0..<20 {
      plan.hasRead(at: now, isDoubtful: false)
      var next = now
      while !plan.wantsReading(at: next) { next += .milliseconds(1) }
      gaps.insert(next - now)
      now = next
    }
    #expect(gaps.count > 5)
  }
}
