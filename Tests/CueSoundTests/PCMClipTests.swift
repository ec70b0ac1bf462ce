import Testing

@testable import CueSound

struct PCMClipTests {
  @Test func trimmingKeepsAMillisecondBeforeTheOnsetAndFadesBothEnds() {
    let samples: [Int16] =
      Array(repeating: 3, count: 500) + Array(repeating: 10_000, count: 100)
      + Array(repeating: -2, count: 300)
    let clip = PCMClip(rate: 4_000, samples: samples).trimmed()
    // Four frames are a millisecond here.
    #expect(clip.count == 108)
    #expect(clip.samples[0] == 1 && clip.samples[3] == 2)
    #expect(clip.samples[4] == 10_000 && clip.samples[103] == 10_000)
    #expect(clip.samples[107] == 0)
  }

  @Test func aClipOfSilenceBecomesEmpty() {
    #expect(PCMClip(rate: 48_000, samples: []).trimmed().count == 0)
    #expect(PCMClip(rate: 48_000, samples: [0, 0, 0]).trimmed().count == 0)
  }

  @Test func theLoudestNegativeSampleHasAPeak() {
    #expect(PCMClip(rate: 48_000, samples: [0, -32_768, 5]).peak == 32_768)
  }

  @Test func itsLengthIsRoundedUp() {
    #expect(PCMClip(rate: 48_000, samples: [1]).length == 20_834)
  }

  @Test func aGainScalesEverySampleAndStopsAtFullScale() {
    let clip = PCMClip(rate: 48_000, samples: [0, 1, -3, 20_000, -20_000])
    let halved = clip.scaled(by: 0.5)
    #expect(Array(halved.samples) == [0, 1, -2, 10_000, -10_000])
    let doubled = clip.scaled(by: 2)
    #expect(Array(doubled.samples) == [0, 2, -6, 32_767, -32_768])
    #expect(doubled.rate == 48_000)
    #expect(clip.scaled(by: 1) === clip)
  }

  @Test func halvesAreRoundedAwayFromZero() {
    // Each whole number and half within full scale, and what lies right beside it.
    for step in -65_534...65_534 {
      let value = Float(step) / 2
      for near in [value.nextDown, value, value.nextUp]
      where PCMClip.whole(near) != Int16(near.rounded()) {
        Issue.record("\(near) becomes \(PCMClip.whole(near))")
      }
    }
    #expect(PCMClip.whole(32_767.5) == 32_767 && PCMClip.whole(1e9) == 32_767)
    #expect(PCMClip.whole(-32_767.5) == -32_768 && PCMClip.whole(-1e9) == -32_768)
  }

  @Test func silenceIsAsLongAsItIsWanted() {
    let short = PCMClip.silence(rate: 8_000, count: 3)
    // Too long for the memory that they share, so that there is another one from now on.
    let long = PCMClip.silence(rate: 48_000, count: 300_000)
    #expect(Array(short.samples) == [0, 0, 0] && short.rate == 8_000)
    #expect(long.count == 300_000 && long.peak == 0 && long.rate == 48_000)
    // Silence of the memory before it is still there.
    #expect(short.samples.allSatisfy { $0 == 0 })
    #expect(PCMClip.silence(rate: 8_000, count: 0).count == 0)
  }

  @Test func aClipHoldsWhatIsWrittenAndElseZeros() {
    let written = PCMClip(rate: 48_000, unwritten: 3) { samples in
      for index in samples.indices { samples[index] = Int16(index + 1) }
    }
    let filled = PCMClip(rate: 48_000, count: 3) { $0[1] = 7 }
    #expect(Array(written.samples) == [1, 2, 3])
    #expect(Array(filled.samples) == [0, 7, 0])
  }

  /// The samples keep their clip alive.
  @Test func samplesOutliveTheirClip() {
    weak var gone: PCMClip?
    var samples: PCMClip.Samples?
    do {
      let clip = PCMClip(rate: 48_000, samples: Array(repeating: 7, count: 100_000))
      gone = clip
      samples = clip.samples
    }
    #expect(gone != nil)
    let other = PCMClip(rate: 48_000, samples: Array(repeating: 9, count: 100_000))
    #expect(samples?.allSatisfy { $0 == 7 } == true && other.samples.last == 9)
    samples = nil
    #expect(gone == nil)
  }
}
