import CueSound
import Testing

@testable import CueSound

struct PolyphaseUpsamplerTests {
  private static let ratios: [(from: Int, to: Int)] = [
    (22_050, 48_000), (16_000, 48_000), (22_050, 44_100), (44_100, 48_000),
  ]

  private func tone(_ frequency: Double, rate: Int, count: Int) -> PCMClip {
    PCMClip(
      rate: rate,
      samples: (0..<count).map {
        Int16((16_000 * Sine.of(turns: frequency * Double($0) / Double(rate))).rounded())
      })
  }

  @Test(arguments: ratios) func aToneStaysItselfAndWhereItWas(from: Int, to: Int) throws {
    let upsampler = try #require(PolyphaseUpsampler(from: from, to: to))
    for part in [0.05, 0.2, 0.4] {
      let frequency = part * Double(from)
      let clip = upsampler.convert(tone(frequency, rate: from, count: from / 5))
      let wanted = tone(frequency, rate: to, count: to / 5)
      #expect(clip.rate == to)
      #expect(abs(clip.count - wanted.count) <= 1)
      // Away from the ends, where a tone that stops is none.
      let margin = 48 * to / from
      let greatest = (margin..<(wanted.count - margin)).map {
        abs(Int(clip.samples[$0]) - Int(wanted.samples[$0]))
      }.max()
      // 90 dB below, and a half for each of three roundings.
      #expect(try #require(greatest) <= 2, "\(frequency) Hz")
    }
  }

  @Test(arguments: ratios) func silenceStaysSilentAndFullScaleIsNotExceeded(from: Int, to: Int)
    throws
  {
    let upsampler = try #require(PolyphaseUpsampler(from: from, to: to))
    let silence = upsampler.convert(PCMClip(rate: from, samples: Array(repeating: 0, count: 999)))
    #expect(silence.peak == 0)
    let square = (0..<999).map { ($0 / 40).isMultiple(of: 2) ? Int16.max : Int16.min }
    let loud = upsampler.convert(PCMClip(rate: from, samples: square))
    #expect(loud.samples.contains(.max) && loud.samples.contains(.min))
    #expect(upsampler.convert(PCMClip(rate: from, samples: [])).count == 0)
  }

  private static let others: [(from: Int, to: Int)] = [
    (48_000, 22_050), (48_000, 48_000), (22_051, 48_000), (0, 48_000),
  ]

  @Test(arguments: others) func otherRatiosAreNotItsOwn(from: Int, to: Int) {
    #expect(PolyphaseUpsampler(from: from, to: to) == nil)
  }

  @Test func theNearestSampleIsTheOneThatRoundingGives() {
    let values: [Float] = [
      0, 0.4999, 0.5, 0.49999997, 1.5, 2.5, -0.5, -1.4999, -2.5, 32_766.4, 32_766.5, 32_767, 40_000,
      -32_767.5, -32_768, -32_768.6, -50_000, 8_388_607,
    ]
    for value in values {
      #expect(PCMClip.whole(value) == Int16(max(-32_768, min(32_767, value.rounded()))))
    }
  }

  @Test func thePeakIsThatOfEverySample() {
    for count in [0, 1, 15, 16, 17, 40] {
      for place in 0..<count {
        for value in [Int16(-32_768), -5, 32_767] {
          var samples = [Int16](repeating: 1, count: count)
          samples[place] = value
          #expect(PCMClip(rate: 1, samples: samples).peak == abs(Int(value)))
        }
      }
    }
  }
}
