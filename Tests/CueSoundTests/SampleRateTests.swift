import Testing

@testable import CueSound

struct SampleRateTests {
  @Test func aSpanHasItsWholeFramesAndFramesLastAtLeastTheirLength() {
    #expect(SampleRate.frames(in: .milliseconds(10), at: 48_000) == 480)
    #expect(SampleRate.frames(in: 20_833, at: 48_000) == 0)
    #expect(SampleRate.frames(in: 20_834, at: 48_000) == 1)
    #expect(SampleRate.length(of: 1, at: 48_000) == 20_834)
    #expect(SampleRate.length(of: 48_000, at: 48_000) == .seconds(1))
    #expect(SampleRate.length(of: 0, at: 48_000) == .zero)
  }

  @Test func spansOfYearsAreExactToo() {
    let century = Duration.seconds(100 * 366 * 86_400)
    let frames = Frames(100 * 366 * 86_400 * 768_000)
    #expect(SampleRate.frames(in: century, at: 768_000) == frames)
    #expect(SampleRate.length(of: frames, at: 768_000) == century)
    #expect(SampleRate.frames(in: .milliseconds(-1_500), at: 48_000) == Frames(-72_000))
    #expect(SampleRate.length(of: Frames(-72_000), at: 48_000) == .milliseconds(-1_500))
    #expect(SampleRate.frames(in: .unlimited, at: 48_000) == Frames(442_721_857_769_029))
  }

  @Test(arguments: [8_000, 22_050, 44_100, 48_000, 192_000])
  func framesThatBecomeALengthAreThatManyAgain(_ rate: Int) {
    for count in 0..<1_000 {
      let frames = Frames(count * 7)
      #expect(SampleRate.frames(in: SampleRate.length(of: frames, at: rate), at: rate) == frames)
    }
  }

  @Test func aDurationBecomesWholeNanosecondsTowardsZero() {
    let almost = Duration(secondsComponent: 1, attosecondsComponent: 999_999_999)
    #expect(almost.wholeNanoseconds == 1_000_000_000)
    #expect((.zero - almost).wholeNanoseconds == -1_000_000_000)
    #expect(Duration.milliseconds(-1_500).wholeNanoseconds == -1_500_000_000)
  }
}
