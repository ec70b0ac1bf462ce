import Testing

@testable import CueSound

struct PollScheduleTests {
  private let millisecond: Int64 = 1_000_000

  /// The number of readings that a schedule requests between two instants, if checked every 20 ms.
  private func readings(from: Int64, to: Int64) -> Int {
    var plan = PollSchedule()
    plan.restart(at: 0)
    var count = 0
    for turn in 0..<to / 20 where plan.wantsReading(at: turn * 20 * millisecond) {
      plan.hasRead(at: turn * 20 * millisecond, isDoubtful: false)
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
    plan.hasRead(at: 60_000 * millisecond, isDoubtful: true)
    #expect(plan.wantsReading(at: 60_000 * millisecond))
  }

  @Test func whetherItPlaysIsAskedTenTimesASecond() {
    var plan = PollSchedule()
    plan.restart(at: 0)
    plan.hasRead(at: 60_000 * millisecond, isDoubtful: false)
    plan.hasLooked(at: 60_000 * millisecond)
    #expect(!plan.wantsLook(at: 60_099 * millisecond))
    #expect(plan.wantsLook(at: 60_100 * millisecond))
  }

  @Test func readingsAreNotEven() {
    var plan = PollSchedule()
    var gaps: Set<Int64> = []
    var now = 60_000 * millisecond
    for _ in 0..<20 {
      plan.hasRead(at: now, isDoubtful: false)
      var next = now
      while !plan.wantsReading(at: next) { next += millisecond }
      gaps.insert(next - now)
      now = next
    }
    #expect(gaps.count > 5)
  }
}
