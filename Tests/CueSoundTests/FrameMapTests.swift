import Testing

@testable import CueSound

struct FrameMapTests {
  @Test func framesAndInstantsAreEachOthersInverse() {
    let map = FrameMap(frame: 1_000, instant: 5_000_000_000, rate: 48_000)
    #expect(map.frame(at: 6_000_000_000) == 49_000)
    #expect(map.instant(of: 49_000) == 6_000_000_000)
    for count in stride(from: 0, to: 200_000_000, by: 1_234_567) {
      let frame = Frames(count)
      #expect(map.frame(at: map.instant(of: frame)) == frame)
    }
  }

  @Test func aDayFromItsOriginItIsStillExactToTheFrame() {
    let map = FrameMap(frame: 0, instant: 0, rate: 48_000)
    for hour in 1...24 {
      let instant = BootInstant.boot + .seconds(3600) * Int64(hour)
      #expect(map.frame(at: instant) == Frames(hour * 3600 * 48_000))
    }
  }

  @Test func thereIsAFrameForEveryInstantAndAnInstantForEveryFrame() {
    for nanoseconds in [Int64.min / 4, 0, Int64.max / 4] {
      for rate in [1.0, 48_000.0, 10_000_000.0] {
        let map = FrameMap(
          frame: Frames(Int64(1) << 52), instant: BootInstant(nanoseconds: nanoseconds), rate: rate
        )
        #expect(map.frame(at: .never) > map.frame)
        #expect(map.frame(at: BootInstant(nanoseconds: .min)) < map.frame)
        #expect(map.instant(of: .max) > map.instant)
        #expect(map.instant(of: Frames(Int64.min)) < map.instant)
      }
    }
  }
}
