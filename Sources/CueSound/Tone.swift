/// A synthesised sound: notes one after another, each a sine with overtones under an envelope.
package struct Tone: Hashable, Sendable {
  package struct Note: Hashable, Sendable {
    /// Hertz.
    package var frequency: Double
    /// Seconds from one note's beginning to the next one's.
    package var length: Double
    /// Seconds in which it falls to a thousandth; it may sound on under the next note.
    package var decay: Double

    package init(_ frequency: Double, length: Double, decay: Double) {
      self.frequency = frequency
      self.length = length
      self.decay = decay
    }
  }

  package var notes: [Note]
  /// Levels of the fundamental and its overtones, scaled to a sum of 1.
  package var partials: [Double]
  /// Greatest sample as a part of full scale, 0…1.
  package var level: Double
  /// True for a Hann pulse over each note's decay, in place of the steep beginning and the slow end.
  package var isPulse = false

  package init(_ notes: [Note], partials: [Double] = [1], level: Double = 0.35) {
    self.notes = notes
    self.partials = partials
    self.level = level
  }

  /// A pulse of so many hertz and seconds.
  static func pulse(_ frequency: Double, length: Double) -> Tone {
    var tone = Tone([.init(frequency, length: length, decay: length)])
    tone.isPulse = true
    return tone
  }

  /// Of a note of that decay, 0…1.
  private func envelope(_ time: Double, _ decay: Double) -> Double {
    if isPulse {
      let half = Sine.of(turns: time / decay / 2)
      return half * half
    }
    let left = 1 - time / decay
    return min(1, time / Self.attack) * left * left
  }
  private static let attack = 0.003

  /// The tone as a clip. Its onset is its first sample; it ends in silence.
  package func clip(rate: Int) -> PCMClip {
    let total =
      notes.reduce(0) { $0 + $1.length } + (notes.last.map { max(0, $0.decay - $0.length) } ?? 0)
    var samples = [Double](repeating: 0, count: Int(total * Double(rate)))
    let scale = 1 / partials.reduce(0, +)
    var begin = 0.0
    for note in notes {
      let first = Int(begin * Double(rate))
      let count = min(samples.count - first, Int(note.decay * Double(rate)))
      for index in 0..<max(0, count) {
        let time = Double(index) / Double(rate)
        var value = 0.0
        // Not a range, as in the sine.
        var order = 0
        while order < partials.count {
          let turns = note.frequency * Double(order + 1) * time
          value += partials[order] * scale * Sine.of(turns: turns)
          order += 1
        }
        samples[first + index] += value * envelope(time, note.decay)
      }
      begin += note.length
    }
    let greatest = samples.reduce(0) { max($0, abs($1)) }
    let gain = greatest > 0 ? level * 32_767 / greatest : 0
    return PCMClip(rate: rate, samples: samples.map { Int16(($0 * gain).rounded()) })
  }
}

/// The sine, which the standard library does not have.
enum Sine {
  /// sin(2π·turns), within 1e−9: the Taylor series on a quarter turn.
  static func of(turns: Double) -> Double {
    // Not `rounded()`, which is a call where the processor has no such instruction: as far up as this, doubles are
    // whole numbers.
    let high = 6_755_399_441_055_744.0
    var turn = turns - (turns + high - high)
    if turn > 0.25 { turn = 0.5 - turn } else if turn < -0.25 { turn = -0.5 - turn }
    let angle = turn * 2 * Double.pi
    let square = angle * angle
    // The reciprocals of factorials, without a division for each: a sound has 100 000 sines.
    var sum = 1 / 355_687_428_096_000.0
    sum = sum * square - 1 / 1_307_674_368_000
    sum = sum * square + 1 / 6_227_020_800
    sum = sum * square - 1 / 39_916_800
    sum = sum * square + 1 / 362_880
    sum = sum * square - 1 / 5_040
    sum = sum * square + 1 / 120
    sum = sum * square - 1 / 6
    return angle + angle * square * sum
  }
}
