import Testing

@testable import CueSound

struct SincConverterTests {
  private static func sine(_ frequency: Double, rate: Int) -> PCMClip {
    PCMClip(
      rate: rate,
      samples: (0..<rate / 2).map { index in
        Int16(20_000 * Sine.of(turns: frequency * Double(index) / Double(rate)))
      })
  }

  /// The middle of a clip, where its beginning and end play no part, under a window.
  private static func middle(_ clip: PCMClip) -> PCMClip {
    let count = clip.count / 2
    return PCMClip(
      rate: clip.rate,
      samples: (0..<count).map { index in
        let window = 0.5 - 0.5 * Sine.of(turns: Double(index) / Double(count) + 0.25)
        return Int16(Double(clip.samples[clip.count / 4 + index]) * window)
      })
  }

  @Test(arguments: [(22_050, 48_000), (16_000, 48_000), (8_000, 48_000), (44_100, 48_000)])
  func aToneStaysAToneOfItsHeight(rates: (source: Int, target: Int)) {
    let converted = SincConverter().convert(Self.sine(2_000, rate: rates.source), to: rates.target)
    #expect(converted.rate == rates.target)
    let middle = Self.middle(converted)
    #expect(1 - Spectrum(middle).part(1_900..<2_100) < 1e-6)
    #expect((19_900...20_100).contains(middle.peak))
  }

  /// Towards a lower rate, what that rate cannot have is gone.
  @Test func whatTheLowerRateCannotHaveIsGone() {
    func peak(_ frequency: Double) -> Int {
      Self.middle(SincConverter().convert(Self.sine(frequency, rate: 48_000), to: 8_000)).peak
    }
    #expect(peak(5_000) < 10)
    #expect((19_800...20_100).contains(peak(1_000)))
  }

  @Test func theOnsetStaysWhereItIs() {
    var samples = [Int16](repeating: 0, count: 2_205)
    samples[441] = 30_000
    let converted = SincConverter().convert(PCMClip(rate: 22_050, samples: samples), to: 48_000)
    #expect(converted.count == 4_800)
    let loudest = converted.samples.indices.max {
      converted.samples[$0] < converted.samples[$1]
    }
    #expect(loudest == 960)
  }

  @Test func nothingAndTheSameRateAreLeftAlone() {
    let clip = PCMClip(rate: 8_000, samples: [1, 2, 3])
    #expect(SincConverter().convert(clip, to: 8_000) === clip)
    #expect(SincConverter().convert(PCMClip(rate: 8_000, samples: []), to: 48_000).count == 0)
  }
}
