/// How loud a clip is to the ear: the greatest momentary loudness after ITU-R BS.1770-4 and
/// EBU Tech 3341, in LUFS.
public enum Loudness {
  /// The loudness of every sound and every word, −23 LUFS. At this level the mixer's limiter bends no sound and, at
  /// usual rates, no word of a shipped language.
  public static let target = -23.0

  /// No gain raises a clip's peak above this part of full scale.
  package static let maxPeak = 0.9

  /// Below this a clip is silence: the absolute gate of BS.1770.
  private static let gate = -70.0
  /// An inaudible difference, in dB.
  private static let unheard = 0.05

  /// The loudest 400 ms of the clip, with silence before and after it; −infinity for silence.
  package static func momentary(of clip: PCMClip) -> Double {
    let window = max(1, clip.rate * 2 / 5)
    var filter = KWeighting(rate: clip.rate)
    var sum = 0.0
    var greatest = 0.0
    // 50 ms after its end the filters have rung out, and nothing louder can come.
    let count = clip.count + clip.rate / 20
    // A ring of the window's length.
    withUnsafeTemporaryAllocation(of: Double.self, capacity: window) { powers in
      powers.initialize(repeating: 0)
      var place = 0
      for index in 0..<count {
        let sample = index < clip.count ? Double(clip.memory[index]) / 32_768 : 0
        let weighted = filter.pass(sample)
        let power = weighted * weighted
        sum += power
        if index >= window { sum -= powers[place] }
        powers[place] = power
        place = place + 1 == window ? 0 : place + 1
        greatest = max(greatest, sum)
      }
    }
    guard greatest > 0 else { return -.infinity }
    return -0.691 + decibels(ofPower: greatest / Double(window))
  }

  /// The gain for a voice whose words differ more than those of the usual one: with the loudest 400 ms alone, its short
  /// words sound up to 5 LU louder than its long ones. It brings the mean of that and of `voiced` to `target`, so that
  /// each of them ranges over 1.6 to 2.8 LU.
  package static func evenGain(of clip: PCMClip) -> Float {
    let gain = gain(of: clip)
    let (loudest, whole) = (momentary(of: clip), voiced(of: clip))
    guard loudest > gate, whole > gate else { return gain }
    let even = gain * Float(Logarithm.inverse((loudest - whole) / 40 * Logarithm.ofTen))
    return min(even, Float(maxPeak * 32_767 / Double(clip.peak)))
  }

  /// The loudness of what is voiced: of the stretches of 20 ms that are within 20 dB of the loudest; −infinity for silence.
  package static func voiced(of clip: PCMClip) -> Double {
    let step = max(1, clip.rate / 100)
    var filter = KWeighting(rate: clip.rate)
    var powers = [Double](repeating: 0, count: clip.count / step + 1)
    for index in 0..<clip.count {
      let weighted = filter.pass(Double(clip.memory[index]) / 32_768)
      powers[index / step] += weighted * weighted
    }
    let stretches = zip(powers, powers.dropFirst()).map { ($0 + $1) / Double(2 * step) }
    guard let greatest = stretches.max(), greatest > 0 else { return -.infinity }
    let loud = stretches.filter { $0 * 100 > greatest }
    return -0.691 + decibels(ofPower: loud.reduce(0, +) / Double(loud.count))
  }

  /// The gain that brings the clip to `target`, as far as its peak allows: linear, 1 for silence
  /// and for a clip that has that loudness already.
  public static func gain(of clip: PCMClip, to target: Double = Loudness.target) -> Float {
    let loudness = momentary(of: clip)
    guard loudness > gate else { return 1 }
    let missing = target - loudness
    let wanted = abs(missing) < unheard ? 1 : Logarithm.inverse(missing / 20 * Logarithm.ofTen)
    return Float(min(wanted, maxPeak * 32_767 / Double(clip.peak)))
  }

  /// The greatest sample of a tick as a part of full scale: 12 dB below the greatest of words of that loudness.
  package static let tickPeak = 0.085

  /// The gain that brings a tick's peak to `tickPeak`; 1 for silence.
  package static func tickGain(of clip: PCMClip) -> Float {
    clip.peak > 0 ? Float(tickPeak * 32_767 / Double(clip.peak)) : 1
  }

  private static func decibels(ofPower power: Double) -> Double {
    10 * Logarithm.of(power) / Logarithm.ofTen
  }
}
