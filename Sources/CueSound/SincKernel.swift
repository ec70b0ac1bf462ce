/// How a sample of one rate is made of those of another, for each place that it can have between two of them.
struct SincKernel: Sendable {
  /// Places between two samples of the source.
  let phases: Int
  /// How many of these places the target's samples are apart.
  let step: Int
  /// How many samples of the source before and after a place count.
  private let reach: Int
  /// `2 * reach` weights for each place.
  let weights: [Double]

  /// Zero crossings of the sinc on each side.
  private static var crossings: Int { 24 }
  /// Where the response is down to a half, as a part of the lower rate: what passes above half of it is gone.
  private static var cutOff: Double { 0.44 }

  init(from source: Int, to target: Int) {
    var (divisor, rest) = (source, target)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    phases = target / divisor
    step = source / divisor
    // Towards a lower rate the sinc is as much wider.
    let width = max(1, Double(source) / Double(target))
    reach = Int((Double(Self.crossings) * width).rounded(.up))
    let band = 2 * Self.cutOff / width
    var weights: [Double] = []
    weights.reserveCapacity(phases * 2 * reach)
    for phase in 0..<phases {
      for tap in 0..<(2 * reach) {
        // From the place to the sample, in samples of the source.
        let distance = Double(tap - reach + 1) - Double(phase) / Double(phases)
        weights.append(band * Self.sinc(band * distance) * Self.window(distance / Double(reach)))
      }
    }
    self.weights = weights
  }

  private static func sinc(_ value: Double) -> Double {
    abs(value) < 1e-9 ? 1 : Sine.of(turns: value / 2) / (.pi * value)
  }

  /// Blackman's, 1 at 0 and 0 at −1 and 1.
  private static func window(_ place: Double) -> Double {
    guard abs(place) < 1 else { return 0 }
    return 0.42 + 0.5 * Sine.of(turns: place / 2 + 0.25) + 0.08 * Sine.of(turns: place + 0.25)
  }

  /// The sound `phase` places after the sample `index`.
  func sample(
    of samples: UnsafeBufferPointer<Int16>, at index: Int, _ phase: Int,
    _ weights: UnsafePointer<Double>
  ) -> Float {
    // Plain pointers and indices: debug builds call for everything else.
    guard let source = samples.baseAddress else { return 0 }
    let first = index - reach + 1
    var tap = max(0, -first)
    let end = min(2 * reach, samples.count - first)
    let row = phase * 2 * reach
    var sum = 0.0
    while tap < end {
      sum += Double(source[first + tap]) * weights[row + tap]
      tap += 1
    }
    return Float(sum)
  }
}
