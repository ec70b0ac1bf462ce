import Testing

@testable import CueSound

struct FrameClockTests {
  @Test func beforeItKnowsMoreItGoesByTheNominalRate() {
    var clock = FrameClock(rate: 48_000)
    clock.restart(frame: 0, nanoseconds: 1_000)
    let map = clock.map
    #expect(map.frame(at: 1_000_001_000) == 48_000)
    let isLocked = clock.isLocked
    #expect(!isLocked)
  }

  @Test(arguments: [0.0, 80, -120, 200]) func itLearnsADriftingCardToTheFrame(_ drift: Double) {
    var clock = FrameClock(rate: 48_000)
    let rate = 48_000 * (1 + drift * 1e-6)
    clock.restart(frame: 0, nanoseconds: 0)
    var worst = 0.0
    for step in 1...3_000 {
      let instant = Int64(step) * 100_000_000 + Int64(step * 7_919 % 13) * 1_000_000
      let truth = Double(instant) * rate * 1e-9
      clock.observe(frame: Int64(truth), nanoseconds: instant)
      if step > 100 {
        let ahead = instant + 1_000_000_000
        worst = max(worst, abs(Double(clock.map.frame(at: ahead)) - Double(ahead) * rate * 1e-9))
      }
    }
    let isLocked = clock.isLocked
    #expect(isLocked)
    #expect(worst < 1.5)
    let learned = clock.drift
    #expect(abs(learned - drift) < 1)
  }

  @Test func aLiarIsPassedOverAndAJumpIsFollowed() {
    var clock = FrameClock(rate: 48_000)
    for step in 0..<100 {
      clock.observe(frame: Int64(step) * 4_800, nanoseconds: Int64(step) * 100_000_000)
    }
    let before = clock.map
    clock.observe(frame: 900_000, nanoseconds: 10_000_000_000)
    let after = clock.map
    #expect(after == before)
    for step in 101..<110 {
      clock.observe(frame: Int64(step) * 4_800 - 24_000, nanoseconds: Int64(step) * 100_000_000)
    }
    let map = clock.map
    #expect(map.frame(at: 20_000_000_000) == 960_000 - 24_000)
  }
}
