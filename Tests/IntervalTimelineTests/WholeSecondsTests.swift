import IntervalTimeline
import Phrases
import Testing

/// Rounding of lengths for people.
@Suite struct WholeSecondsTests {
  @Test(
    arguments: [
      (12_000_000_000, 12, 12), (11_999_999_999, 12, 11), (11_000_000_001, 12, 11), (1, 1, 0),
      (0, 0, 0), (-1, 0, 0), (-2_500_000_000, 0, 0),
    ] as [(Int64, Int64, Int64)])
  func whatIsLeftIsRoundedUpAndWhatHasPassedDown(nanoseconds: Int64, left: Int64, passed: Int64) {
    let length = Duration.nanoseconds(nanoseconds)
    #expect(length.secondsLeft == left)
    #expect(length.secondsPassed == passed)
  }

  @Test func bothTogetherAreTheWholeLengthAtAnyInstant() {
    let length = Duration.seconds(20)
    for nanoseconds in stride(from: Int64(0), through: 20_000_000_000, by: 7_654_321) {
      let passed = Duration.nanoseconds(nanoseconds)
      #expect(passed.secondsPassed + (length - passed).secondsLeft == 20)
    }
  }

  @Test func wordsRoundAsClocksDo() {
    let catalogue = PhraseCatalogue.english
    for nanoseconds in [1_000_000_000, 1_000_000_001, 1_999_999_999, 11_000_400_000] as [Int64] {
      let left = Duration.nanoseconds(nanoseconds)
      #expect(catalogue.duration(left) == catalogue.count(left.secondsLeft, .second))
    }
  }
}
