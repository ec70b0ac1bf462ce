@testable import CueSound

/// The energy of a clip at each frequency, by a Fourier transform of length 2ⁿ.
struct Spectrum {
  private let powers: [Double]
  private let step: Double

  init(_ clip: PCMClip) {
    var count = 1
    while count < clip.count { count *= 2 }
    var real = [Double](repeating: 0, count: count)
    for index in 0..<clip.count { real[index] = Double(clip.samples[index]) }
    let (re, im) = Self.transform(real, [Double](repeating: 0, count: count))
    powers = (0..<count / 2).map { re[$0] * re[$0] + im[$0] * im[$0] }
    step = Double(clip.rate) / Double(count)
  }

  /// The share of the energy between two frequencies.
  func part(_ frequencies: Range<Double>) -> Double {
    let within = powers.indices.reduce(0) {
      frequencies.contains(Double($1) * step) ? $0 + powers[$1] : $0
    }
    return within / powers.reduce(0, +)
  }

  private static func transform(_ re: [Double], _ im: [Double]) -> ([Double], [Double]) {
    let half = re.count / 2
    guard half > 0 else { return (re, im) }
    func every(_ values: [Double], from first: Int) -> [Double] {
      (0..<half).map { values[2 * $0 + first] }
    }
    let even = transform(every(re, from: 0), every(im, from: 0))
    let odd = transform(every(re, from: 1), every(im, from: 1))
    var (resultRe, resultIm) = (re, im)
    for index in 0..<half {
      let turns = Double(index) / Double(2 * half)
      let (cosine, sine) = (Sine.of(turns: turns + 0.25), -Sine.of(turns: turns))
      let turnedRe = odd.0[index] * cosine - odd.1[index] * sine
      let turnedIm = odd.0[index] * sine + odd.1[index] * cosine
      resultRe[index] = even.0[index] + turnedRe
      resultIm[index] = even.1[index] + turnedIm
      resultRe[index + half] = even.0[index] - turnedRe
      resultIm[index + half] = even.1[index] - turnedIm
    }
    return (resultRe, resultIm)
  }
}
