/// The filter before a loudness measurement: how the head and the ear weigh frequencies, ITU-R
/// BS.1770-4, annex 1.
///
/// The standard lists coefficients for 48 kHz alone. The analogue filters behind them are those of
/// B. De Man, "Evaluation of Implementations of the EBU R128 Loudness Measurement" (AES 145, 2018),
/// brought to the rate by the bilinear transform.
struct KWeighting {
  /// A filter of second order, transposed direct form II; a0 is 1.
  struct Biquad: Hashable {
    let b0: Double
    let b1: Double
    let b2: Double
    let a1: Double
    let a2: Double
    private var first = 0.0
    private var second = 0.0

    init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
      self.b0 = b0
      self.b1 = b1
      self.b2 = b2
      self.a1 = a1
      self.a2 = a2
    }

    mutating func pass(_ sample: Double) -> Double {
      let result = b0 * sample + first
      first = b1 * sample - a1 * result + second
      second = b2 * sample - a2 * result
      return result
    }
  }

  /// The head: frequencies above 1.7 kHz are 4 dB louder.
  private(set) var shelf: Biquad
  /// The ear: less below 100 Hz.
  private(set) var highPass: Biquad

  init(rate: Int) {
    shelf = Self.shelf(rate: Double(rate))
    highPass = Self.highPass(rate: Double(rate))
  }

  mutating func pass(_ sample: Double) -> Double { highPass.pass(shelf.pass(sample)) }

  private static func shelf(rate: Double) -> Biquad {
    let quality = 0.7071752369554196
    let frequency = 1681.974450955533
    // At such a rate every frequency lies below the shelf.
    guard frequency < rate / 2 else { return Biquad(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0) }
    let k = tangent(halfTurns: frequency / rate)
    // A gain of 3.99984 dB above the shelf, and that gain to the power of 0.49967 at its middle.
    let (high, band) = (1.584864701130855, 1.258720930232562)
    let norm = 1 + k / quality + k * k
    return Biquad(
      b0: (high + band * k / quality + k * k) / norm, b1: 2 * (k * k - high) / norm,
      b2: (high - band * k / quality + k * k) / norm, a1: 2 * (k * k - 1) / norm,
      a2: (1 - k / quality + k * k) / norm)
  }

  private static func highPass(rate: Double) -> Biquad {
    let quality = 0.5003270373238773
    let k = tangent(halfTurns: 38.13547087602444 / rate)
    let norm = 1 + k / quality + k * k
    return Biquad(
      b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / norm, a2: (1 - k / quality + k * k) / norm)
  }

  /// tan(π·halfTurns).
  private static func tangent(halfTurns: Double) -> Double {
    Sine.of(turns: halfTurns / 2) / Sine.of(turns: halfTurns / 2 + 0.25)
  }
}
