import CueSound
import Testing

struct FirmOnsetTests {
  /// 48 frames are a millisecond.
  private func clip(_ parts: [(level: Int16, milliseconds: Int)]) -> PCMClip {
    PCMClip(
      rate: 48_000,
      samples: parts.flatMap { Array(repeating: $0.level, count: $0.milliseconds * 48) })
  }

  /// A copy: the clip's own go with it.
  private func samples(_ clip: PCMClip) -> [Int16] {
    Array(clip.samples)
  }

  private func onset(_ clip: PCMClip) -> Int? {
    clip.samples.firstIndex { abs(Int($0)) * 20 > clip.peak }
  }

  @Test(arguments: [250, 300, 400, 490])
  func softBeginningIsHeardWithinTwoMilliseconds(_ level: Int) throws {
    let firm = clip([(Int16(level), 40), (10_000, 100)]).withFirmOnset()
    #expect(firm.count == 140 * 48)
    #expect(try #require(onset(firm)) <= 96)
    #expect(firm.peak == 10_000)
    // It is lifted no more than that takes, and the lift glides away.
    #expect(firm.samples.prefix(1900).allSatisfy { $0 <= 551 })
    #expect(abs(Int(firm.samples[1_919]) - level) <= 2)
    #expect(firm.samples[1_920] == 10_000)
  }

  @Test func whatIsTooSoftToLiftIsCutAndTheCutFadesIn() throws {
    let firm = clip([(150, 30), (-10_000, 100)]).withFirmOnset()
    #expect(firm.count == 101 * 48)
    #expect(firm.samples[0] == 3 && firm.samples[47] == 147)
    #expect(firm.samples[48] == -10_000)
  }

  @Test(arguments: [0, 1])
  func wordThatBeginsAtOnceStaysAsItIs(_ lead: Int) {
    let word = clip([(600, lead), (10_000, 50), (100, 80)])
    #expect(samples(word.withFirmOnset()) == samples(word))
  }

  @Test(arguments: [[], [0, 0, 0], [1], [-32_768]] as [[Int16]])
  func clipOfAFewSamplesStaysAsItIs(_ samples: [Int16]) {
    let clip = PCMClip(rate: 48_000, samples: samples)
    #expect(self.samples(clip.withFirmOnset()) == samples)
  }
}
