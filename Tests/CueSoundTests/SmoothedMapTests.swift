import Testing

@testable import CueSound

struct SmoothedMapTests {
  private func at(_ seconds: Double) -> BootInstant {
    BootInstant(nanoseconds: Int64(seconds * 1e9))
  }

  /// The map of a clock for a card with this drift, which is updated some seconds late.
  private func reported(drift: Double = 0, late: Double = 0) -> FrameMap {
    FrameMap(frame: 0, instant: at(late), rate: 48_000 * (1 + drift * 1e-6))
  }

  @Test func aSwingOfMillisecondsMovesNeighbouringCuesByLessThanThreeFrames() {
    var steady = SmoothedMap(reported(), rate: 48_000, at: 0)
    var worst: Frames = 0
    for step in 1...200 as ClosedRange<Int64> {
      let now = at(Double(step) / 2)
      // A triangle of two milliseconds and forty seconds.
      let phase = Double(step % 80) / 80
      steady.follow(reported(late: 0.002 * (1 - 4 * abs(phase - 0.5))), at: now)
      let map = steady.map
      let apart = map.frame(at: now + .seconds(5)) - map.frame(at: now)
      worst = max(worst, (apart - 240_000).magnitude)
    }
    #expect(worst < 3)
  }

  @Test(arguments: [-80.0, 50]) func aRealDriftIsFollowedInTheEnd(_ drift: Double) {
    var steady = SmoothedMap(reported(drift: drift), rate: 48_000, at: 0)
    var last: BootInstant = 0
    for step in 1...7_200 as ClosedRange<Int64> {
      let now = at(Double(step) / 2)
      steady.follow(reported(drift: drift), at: now)
      last = now
      let error = steady.map.frame(at: now) - reported(drift: drift).frame(at: now)
      #expect(error.magnitude < 480)
    }
    let error = steady.map.frame(at: last) - reported(drift: drift).frame(at: last)
    #expect(error.magnitude < 10)
  }

  @Test func whatIsFarOffIsFollowedAtOnce() {
    var steady = SmoothedMap(reported(), rate: 48_000, at: 0)
    steady.follow(reported(late: 0.05), at: at(1))
    #expect(steady.map.frame(at: at(10)) == 477_600)
  }
}
