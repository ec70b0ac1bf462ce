import Testing

@testable import CueSound

struct SmoothedMapTests {
  private let second: Int64 = 1_000_000_000

  /// The map of a clock for a card with this drift, which is updated some seconds late.
  private func told(at now: Int64, drift: Double = 0, late: Double = 0) -> FrameMap {
    FrameMap(
      frame: 0, nanoseconds: Int64(late * 1e9), rate: 48_000 * (1 + drift * 1e-6))
  }

  @Test func aSwingOfMillisecondsMovesNeighbouringCuesByLessThanThreeFrames() {
    var steady = SmoothedMap(told(at: 0), rate: 48_000, at: 0)
    var worst: Int64 = 0
    for step in 1...200 as ClosedRange<Int64> {
      let now = step * second / 2
      // A triangle of two milliseconds and forty seconds.
      let phase = Double(step % 80) / 80
      steady.follow(told(at: now, late: 0.002 * (1 - 4 * abs(phase - 0.5))), at: now)
      let map = steady.map
      let apart = map.frame(at: now + 5 * second) - map.frame(at: now)
      worst = max(worst, abs(apart - 240_000))
    }
    #expect(worst < 3)
  }

  @Test(arguments: [-80.0, 50]) func aRealDriftIsFollowedInTheEnd(_ drift: Double) {
    var steady = SmoothedMap(told(at: 0, drift: drift), rate: 48_000, at: 0)
    var last: Int64 = 0
    for step in 1...7_200 as ClosedRange<Int64> {
      let now = step * second / 2
      steady.follow(told(at: now, drift: drift), at: now)
      last = now
      let error = steady.map.frame(at: now) - told(at: now, drift: drift).frame(at: now)
      #expect(abs(error) < 480)
    }
    let error = steady.map.frame(at: last) - told(at: last, drift: drift).frame(at: last)
    #expect(abs(error) < 10)
  }

  @Test func whatIsFarOffIsFollowedAtOnce() {
    var steady = SmoothedMap(told(at: 0), rate: 48_000, at: 0)
    steady.follow(told(at: second, late: 0.05), at: second)
    #expect(steady.map.frame(at: 10 * second) == 480_000 - 2_400)
  }
}
