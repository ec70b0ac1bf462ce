import Testing

@testable import CueSound

struct LoudnessTests {
  private func sine(
    _ frequency: Double, rate: Int = 48_000, level: Double = 1, seconds: Double = 1
  ) -> PCMClip {
    PCMClip(
      rate: rate,
      samples: (0..<Int(seconds * Double(rate))).map {
        Int16((32_767 * level * Sine.of(turns: frequency * Double($0) / Double(rate))).rounded())
      })
  }

  // The first is BS.1770's own example; the others follow from it.
  private static let known:
    [(frequency: Double, level: Double, seconds: Double, loudness: Double)] =
      [
        (997, 1, 1, -3.01), (997, 0.1, 1, -23.01), (997, 1, 0.4, -3.01), (997, 1, 0.04, -13.01),
        // The curve of the weighting: a little below 0 dB at 200 Hz, and 4 dB up at the top.
        (200, 1, 1, -3.98), (10_000, 1, 1, 0.34),
      ]

  @Test(arguments: known) func itIsTheOneOfTheStandard(
    _ known: (frequency: Double, level: Double, seconds: Double, loudness: Double)
  ) {
    let clip = sine(known.frequency, level: known.level, seconds: known.seconds)
    #expect(abs(Loudness.momentary(of: clip) - known.loudness) < 0.05)
  }

  @Test(arguments: [8_000, 11_025, 22_050, 44_100, 96_000, 192_000]) func theRateMakesNoDifference(
    _ rate: Int
  ) {
    #expect(abs(Loudness.momentary(of: sine(997, rate: rate, seconds: 0.5)) + 3.01) < 0.1)
  }

  /// By half of what the loudest 400 ms leave out of a short word.
  @Test(arguments: [(0.2, 1.5), (0.4, 0), (1, 0)]) func shortWordsAreNotMuchLouderThanLongOnes(
    seconds: Double, less: Double
  ) {
    let clip = sine(997, level: 0.1, seconds: seconds)
    let even = clip.scaled(by: Loudness.evenGain(of: clip))
    #expect(abs(Loudness.momentary(of: even) - (Loudness.target - less)) < 0.15)
    #expect(abs(Loudness.voiced(of: even) - (Loudness.target + less)) < 0.15)
  }

  @Test func silenceStaysSilence() {
    let silence = PCMClip(rate: 48_000, samples: [Int16](repeating: 0, count: 9600))
    #expect(Loudness.evenGain(of: silence) == 1)
    #expect(Loudness.voiced(of: silence) == -.infinity)
  }

  @Test func theFilterAt48kHzIsTheOneOfTheTable() {
    let filter = KWeighting(rate: 48_000)
    let pairs = [
      (filter.shelf.b0, 1.53512485958697), (filter.shelf.b1, -2.69169618940638),
      (filter.shelf.b2, 1.19839281085285), (filter.shelf.a1, -1.69065929318241),
      (filter.shelf.a2, 0.73248077421585), (filter.highPass.b0, 1), (filter.highPass.b1, -2),
      (filter.highPass.b2, 1), (filter.highPass.a1, -1.99004745483398),
      (filter.highPass.a2, 0.99007225036621),
    ]
    for (coefficient, table) in pairs { #expect(abs(coefficient - table) < 1e-8) }
  }

  @Test(arguments: [100, 1_000, 3_363, 3_364, 4_000]) func atAnyRateItIsANumber(_ rate: Int) {
    let loudness = Loudness.momentary(of: sine(Double(rate) / 8, rate: rate))
    #expect(loudness > -40 && loudness < 5)
  }

  @Test func silenceHasNoneAndIsLeftAsItIs() {
    for samples in [[], [0], [Int16](repeating: 0, count: 48_000)] {
      let clip = PCMClip(rate: 48_000, samples: samples)
      #expect(Loudness.momentary(of: clip) == -.infinity)
      #expect(Loudness.gain(of: clip) == 1)
    }
    // The last bit of a converter is no sound either.
    let noise = PCMClip(rate: 48_000, samples: (0..<48_000).map { Int16($0 / 7 % 2) })
    #expect(Loudness.gain(of: noise) == 1)
  }

  @Test func theLoudestPartCountsAndNotTheRest() {
    let quiet = Array(sine(997, level: 0.01, seconds: 2).samples)
    let loud = Array(sine(997, level: 0.5, seconds: 0.4).samples)
    let clip = PCMClip(rate: 48_000, samples: quiet + loud + quiet)
    #expect(abs(Loudness.momentary(of: clip) + 9.03) < 0.05)
  }

  @Test(arguments: [0.003, 0.02, 0.3, 1]) func aGainBringsAClipToTheTarget(_ level: Double) {
    let clip = sine(500, level: level)
    let levelled = clip.scaled(by: Loudness.gain(of: clip))
    #expect(abs(Loudness.momentary(of: levelled) - Loudness.target) < 0.1)
    // What is as loud already keeps its samples.
    #expect(Loudness.gain(of: levelled) == 1)
  }

  @Test func aPeakLimitsTheGain() {
    // A click has much peak and little loudness.
    let click = PCMClip(rate: 48_000, samples: [0, 8_000, -8_000, 0])
    let levelled = click.scaled(by: Loudness.gain(of: click))
    #expect(Loudness.momentary(of: levelled) < Loudness.target - 3)
    #expect(levelled.peak == 29_490)
    let full = PCMClip(rate: 48_000, samples: [0, -32_768, 0])
    #expect(full.scaled(by: Loudness.gain(of: full)).peak == 29_490)
  }
}
