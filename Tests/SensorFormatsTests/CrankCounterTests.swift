import Instants
import Testing

@testable import SensorFormats

/// A cadence from counted revolutions.
struct CrankCounterTests {
  private func cadences(_ counts: [(Double, UInt16, UInt16)]) -> [Double?] {
    var counter = CrankCounter()
    return counts.map { counter.take(.init(revolutions: $1, time: $2), at: at($0)) }
  }

  @Test func bothCountersWrap() throws {
    let cadences = cadences([(0, 65534, 65000), (1, 0, 512)])
    #expect(cadences[0] == nil)
    let cadence = try #require(cadences[1])
    #expect((cadence * 100).rounded() == 11725)
  }

  @Test func anUnchangedCountHoldsForThreeSeconds() {
    let counts: [(Double, UInt16, UInt16)] = [
      (0, 10, 0), (1, 11, 1024), (2, 11, 1024), (3.9, 11, 1024), (4, 11, 1024), (5, 11, 1024),
    ]
    #expect(cadences(counts) == [nil, 60, 60, 60, 0, 0])
  }

  /// Its clock alone does not turn the crank.
  @Test func aClockThatRunsOnWithoutRevolutionsIsAnUnchangedCount() {
    let counts: [(Double, UInt16, UInt16)] = [
      (0, 10, 0), (1, 11, 1024), (2, 11, 2048), (4, 11, 4096), (5, 12, 5120),
    ]
    #expect(cadences(counts) == [nil, 60, 60, 0, 15])
  }

  @Test func aCrankThatStoodFromTheFirstPacketOnIsZero() {
    #expect(cadences([(0, 10, 0), (2, 10, 0), (3, 10, 0)]) == [nil, nil, 0])
  }

  @Test func aLongGapStartsOver() {
    #expect(cadences([(0, 10, 0), (30, 40, 30_720)]) == [nil, 60])
    let counts: [(Double, UInt16, UInt16)] = [
      (0, 10, 0), (1, 11, 1024), (31.1, 41, 31_744), (32.1, 42, 32_768),
    ]
    #expect(cadences(counts) == [nil, 60, nil, 60])
  }

  /// More than ten revolutions a second, no time at all, a clock that ran backwards.
  @Test(arguments: [(5_000, 2048), (12, 1024), (12, 1000)])
  func aResetStartsOver(_ revolutions: UInt16, _ time: UInt16) {
    let counts: [(Double, UInt16, UInt16)] = [
      (0, 10, 0), (1, 11, 1024), (2, revolutions, time), (3, revolutions + 1, time + 512),
    ]
    #expect(cadences(counts) == [nil, 60, nil, 120])
  }

  @Test func anArrivalBeforeTheLastStartsOver() {
    #expect(cadences([(5, 10, 0), (4, 11, 1024), (5, 12, 2048)]) == [nil, nil, 60])
  }
}
