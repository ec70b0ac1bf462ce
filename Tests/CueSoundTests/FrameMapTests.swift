import Testing

@testable import CueSound

struct FrameMapTests {
  @Test func framesAndInstantsAreEachOthersInverse() {
    let map = FrameMap(frame: 1_000, nanoseconds: 5_000_000_000, rate: 48_000)
    #expect(map.frame(at: 6_000_000_000) == 49_000)
    #expect(map.nanoseconds(of: 49_000) == 6_000_000_000)
    for frame in stride(from: Int64(0), to: 200_000_000, by: 1_234_567) {
      #expect(map.frame(at: map.nanoseconds(of: frame)) == frame)
    }
  }

  @Test func aDayFromItsOriginItIsStillExactToTheFrame() {
    let map = FrameMap(frame: 0, nanoseconds: 0, rate: 48_000)
    for hour in 1...24 {
      let instant = Int64(hour) * 3_600_000_000_000
      #expect(map.frame(at: instant) == Int64(hour) * 3600 * 48_000)
    }
  }
}
