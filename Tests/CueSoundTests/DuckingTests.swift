import Testing

@testable import CueSound

/// How far music is lowered around the cues.
struct DuckingTests {
  private let rate = 8_000
  private let ramp = 1_200
  private let low: Float = 0.316_227_77

  /// The gains of `count` frames around cues that sound in these frames, asked for in blocks of that size.
  private func gains(
    _ cues: [Range<Int>], count: Int, block: Int = 1_000, level: Int16 = 5_000
  ) -> [Float] {
    var ducking = Ducking(rate: rate)
    var sound = [Int16](repeating: 0, count: count + ducking.reach)
    for cue in cues { for frame in cue { sound[frame] = frame % 40 < 20 ? level : -level } }
    var gains = [Float](repeating: -1, count: count)
    var done = 0
    var heard = 0
    while done < count {
      let part = min(block, count - done)
      // No more than it has to know.
      let known = done + part + ducking.reach
      sound.withUnsafeBufferPointer { ducking.hear(.init(rebasing: $0[heard..<known])) }
      heard = known
      gains.withUnsafeMutableBufferPointer {
        ducking.write(to: $0.baseAddress! + done, from: done, count: part)
      }
      done += part
    }
    return gains
  }

  @Test func musicIsTenDecibelsLowerFromACuesFirstSampleToItsLast() {
    let gains = gains([20_000..<24_000], count: 40_000)
    #expect(gains[20_000..<24_000].allSatisfy { abs($0 - low) < 1e-5 })
    #expect(gains[0...20_000 - ramp].allSatisfy { $0 == 1 })
    #expect(gains[(24_000 + ramp - 1)...].allSatisfy { $0 == 1 })
    // Linear in dB, over 150 ms.
    #expect(abs(gains[20_000 - ramp / 2] - 0.562_341_3) < 1e-4)
    #expect(abs(gains[24_000 - 1 + ramp / 2] - 0.562_341_3) < 1e-4)
    let falls = zip(gains[18_800..<20_000], gains[18_801...20_000]).allSatisfy { $0 > $1 }
    #expect(falls)
  }

  @Test func musicStaysLowInAPauseOfASecondAndRisesInALongerOne() {
    let short = gains([8_000..<8_800, 16_800..<17_600], count: 24_000)
    #expect(short[8_000..<17_600].allSatisfy { abs($0 - low) < 1e-5 })
    let long = gains([8_000..<8_800, 16_901..<17_600], count: 24_000)
    #expect(long[12_000] == 1)
  }

  @Test(arguments: [1, 7, 400, 30_000])
  func theDivisionIntoBlocksChangesNothing(block: Int) {
    let cues = [0..<10, 3_000..<3_100, 20_000..<21_000]
    #expect(gains(cues, count: 30_000, block: block) == gains(cues, count: 30_000))
  }

  @Test func whatNobodyHearsLowersNothing() {
    #expect(gains([8_000..<8_800], count: 20_000, level: 32).allSatisfy { $0 == 1 })
    #expect(gains([8_000..<8_800], count: 20_000, level: 33)[8_400] < 0.32)
  }
}
