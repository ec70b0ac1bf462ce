import Testing

@testable import CueSound

struct ToneTests {
  @Test func theSineIsRightToANanth() {
    // Known values: sin 30° = 1/2, sin 45° = √½, and so round the circle.
    let known: [(Double, Double)] = [
      (0, 0), (1.0 / 12, 0.5), (1.0 / 8, 0.5.squareRoot()), (0.25, 1), (0.5, 0), (0.75, -1),
      (-0.25, -1), (10.125, 0.5.squareRoot()), (1e6 + 1.0 / 12, 0.5),
    ]
    for (turns, value) in known { #expect(abs(Sine.of(turns: turns) - value) < 1e-8) }
  }

  /// The strength of a frequency in part of a clip (Goertzel's algorithm).
  private func strength(_ frequency: Double, of samples: Slice<PCMClip.Samples>)
    -> Double
  {
    let coefficient = 2 * Sine.of(turns: frequency / 48_000 + 0.25)
    var (last, before) = (0.0, 0.0)
    for sample in samples { (last, before) = (Double(sample) + coefficient * last - before, last) }
    return last * last + before * before - coefficient * last * before
  }

  @Test func highRisesLowFallsAndTheFinishIsTheLongest() {
    let high = TonePack.standard[.highBegins].clip(rate: 48_000)
    let low = TonePack.standard[.lowBegins].clip(rate: 48_000)
    let finish = TonePack.standard[.finish].clip(rate: 48_000)
    let (begin, end) = (0..<4_800, 14_400..<19_200)
    #expect(strength(880, of: high.samples[begin]) > 10 * strength(1320, of: high.samples[begin]))
    #expect(strength(1320, of: high.samples[end]) > 10 * strength(880, of: high.samples[end]))
    #expect(strength(660, of: low.samples[begin]) > 10 * strength(440, of: low.samples[begin]))
    #expect(strength(440, of: low.samples[end]) > 10 * strength(660, of: low.samples[end]))
    #expect(finish.count > high.count + 9_600 && finish.count > low.count + 9_600)
  }
}
