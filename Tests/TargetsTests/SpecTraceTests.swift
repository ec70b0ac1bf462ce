import TestSupport
import Testing

@testable import Targets

/// The traces of the rule's description, in its order.
struct SpecTraceTests {
  let power = Target(.watts, 190...210)

  @Test func nothingOnTarget() {
    #expect(said(power, 60) { _ in 200 } == [])
  }

  @Test func lowForTwentySeconds() {
    let texts = said(power, 120) { (30..<50).contains($0) ? 170 : 200 }
    #expect(texts == ["36 170, more power", "58 200, on target"])
  }

  @Test func lowAllTheTime() {
    let texts = said(power, 300) { _ in 170 }
    #expect(texts == [15, 45, 105, 225].map { "\($0) 170, more power" })
  }

  @Test func alternatingReadings() {
    #expect(said(power, 120) { $0.truncatingRemainder(dividingBy: 2) == 0 ? 170 : 212 } == [])
  }

  @Test func aShortDip() {
    #expect(said(power, 90) { (40..<44).contains($0) ? 120 : 200 } == [])
  }

  @Test func fallingHeartRateOnItsWay() {
    #expect(said(Target(.heartRate, 110...130), 180) { $0 < 100 ? 165 - 0.4 * $0 : 125 } == [])
  }

  @Test func risingHeartRate() {
    let texts = said(Target(.heartRate, 140...155), 240) { time in
      switch time {
      case ..<90: 120 + 0.5 * time
      case ..<150: 165
      default: max(150, 165 - 0.5 * (time - 150))
      }
    }
    #expect(texts == ["83 161, slow down", "113 165, slow down", "177 153, on target"])
  }

  @Test func lostHeartRate() {
    let texts = said(Target(.heartRate, 140...155), 240) { (80..<120).contains($0) ? nil : 150 }
    #expect(texts == ["89 No heart rate", "122 Heart rate is back, 150"])
  }

  @Test func noReadingsAtAll() {
    #expect(said(power, 120) { _ in nil } == ["10 No power reading"])
  }

  static let rest = HeartRateRest(below: 120, minimum: .seconds(20), maximum: .seconds(180))

  /// What is said of a rest is what ends it: the median, which two false readings do not move far.
  @Test func falseReadingsAreNotSaidInARest() {
    let (texts, _) = said(Self.rest, 240) { (30...31).contains($0) ? 40 : max(100, 165 - 0.6 * $0) }
    #expect(texts.first == "30 148")
  }

  @Test func restUntilTheHeartRateIsLow() {
    let (texts, ends) = said(Self.rest, 240) { max(100, 165 - 0.6 * $0) }
    #expect(texts == ["30 148", "60 130"])
    #expect(ends == [.seconds(80)])
  }

  @Test func restWithALostHeartRate() {
    let (texts, ends) = said(Self.rest, 240) { $0 < 40 ? max(100, 165 - 0.6 * $0) : nil }
    #expect(texts == ["30 148", "49 No heart rate"])
    #expect(ends == [.seconds(180)])
  }

  /// Rows of other sensors that come first in a second say nothing of the target's.
  @Test(arguments: 0..<40 as Range<UInt64>) func readingsOfOtherKindsChangeNothing(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let values = (0..<300).map { second in
      150 + 12 * (second / 40 % 3 - 1) + Int.random(in: -9...9, using: &random)
    }
    let target = Target(.heartRate, 142...158)
    let alone = said(target, 300) { Double(values[Int($0)]) }
    let beside = said(
      target, 300,
      { replay in
        replay.samples = replay.samples.flatMap { sample in
          [TargetReplay.Sample(at: sample.time, Reading(.watts, 200)), sample]
        }
      }, value: { Double(values[Int($0)]) })
    #expect(beside == alone)
  }
}
