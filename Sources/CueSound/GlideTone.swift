/// The tone of a tempo, whose pitch goes up or down by an octave, in pieces that overlap by half.
///
/// A piece is the whole tone under a Hann window: two of them at any moment add up to the tone.
package struct GlideTone {
  private let rate: Int
  private let window: [Double]

  /// Hertz.
  private static let lowest = 330.0
  /// Of full scale: −18 dB. A long tone is as loud as a far higher tick.
  private static let level = 0.126

  /// - Parameter length: of a piece.
  package init(rate: Int, length: Duration) {
    self.rate = rate
    let count = Int(length / .seconds(1) * Double(rate))
    window = (0..<count).map { index in
      let half = Sine.of(turns: Double(index) / Double(count) / 2)
      return half * half * Self.level * 32_767
    }
  }

  /// - Parameters:
  ///   - part: how long the whole tone is, above zero.
  ///   - rises: up by an octave, or down.
  ///   - offset: where the piece begins in it.
  package func piece(of part: Duration, rises: Bool, from offset: Duration) -> PCMClip {
    let octave = (part / .seconds(1)) / Logarithm.ofTwo
    let direction = rises ? 1.0 : -1
    let first = rises ? Self.lowest : 2 * Self.lowest
    // The pitch at a sample as a multiple of the first.
    var factor = Logarithm.inverse(direction * (offset / .seconds(1)) / octave)
    let growth = Logarithm.inverse(direction / octave / Double(rate))
    return PCMClip(rate: rate, unwritten: window.count) { samples in
      for index in samples.indices {
        // The integral of a frequency that doubles in the tone's length, or halves.
        let turns = first * octave * direction * (factor - 1)
        samples[index] = Int16((Sine.of(turns: turns) * window[index]).rounded())
        factor *= growth
      }
    }
  }
}
