import Testing

@testable import CueSound

@Suite struct GlideToneTests {
  private static let rate = 8_000
  private static let tone = GlideTone(rate: rate, length: .milliseconds(200))

  /// All pieces of a tone, one each 100 ms.
  private func sum(_ seconds: Int, rises: Bool) -> [Int] {
    let part = Duration.seconds(seconds)
    var sum = [Int](repeating: 0, count: seconds * Self.rate)
    for step in 0..<seconds * 10 - 1 {
      let piece = Self.tone.piece(of: part, rises: rises, from: .milliseconds(100 * step))
      for (index, sample) in piece.samples.enumerated() {
        sum[step * Self.rate / 10 + index] += Int(sample)
      }
    }
    return sum
  }

  /// How often the samples pass zero upwards, a second, in a range of seconds.
  private func pitch(_ samples: [Int], _ from: Double, _ to: Double) -> Double {
    let range = Int(from * Double(Self.rate))..<Int(to * Double(Self.rate))
    let crossings = range.filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
    return Double(crossings.count - 1) * Double(Self.rate) / Double(crossings.last! - crossings[0])
  }

  @Test(arguments: [true, false])
  func thePitchGoesByAnOctaveInTheWholePart(rises: Bool) {
    let samples = sum(4, rises: rises)
    // In the middle of each range the pitch is so many octaves above the lowest.
    for (from, octaves) in [(0.1, 0.0625), (1.9, 0.5), (3.6, 0.9375)] {
      let expected = 330 * Logarithm.inverse((rises ? octaves : 1 - octaves) * 0.6931)
      #expect(abs(pitch(samples, from, from + 0.3) / expected - 1) < 0.02, "\(from)")
    }
  }

  /// Pieces add up to one tone: without their seams its peaks are all alike, and no step is greater than the pitch's.
  @Test(arguments: [true, false])
  func thePiecesAddUpToOneTone(rises: Bool) {
    let samples = sum(4, rises: rises)
    let level = 0.126 * 32_767
    let middle = Self.rate / 10..<samples.count - Self.rate / 10
    for start in stride(from: middle.lowerBound, to: middle.upperBound - 40, by: 40) {
      let peak = samples[start..<start + 40].map { abs($0) }.max() ?? 0
      #expect(Double(peak) > level * 0.95 && Double(peak) < level + 3, "\(start)")
    }
    let steepest = 2 * 3.1416 * 660 / Double(Self.rate) * level
    #expect(zip(samples, samples.dropFirst()).allSatisfy { Double(abs($1 - $0)) <= steepest + 3 })
    #expect(samples[0] == 0 && abs(samples[samples.count - 1]) <= 1)
  }
}
