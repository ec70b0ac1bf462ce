/// How far music is lowered around the cues, frame by frame: 10 dB from a cue's first sample to its last, with ramps
/// of 150 ms before and after. Between cues that follow each other within a second it stays low.
///
/// Made of the cues' own sound: what is not silence is a cue.
package struct Ducking {
  /// How far music is lowered, in dB.
  package static let depth = 10.0
  package static let ramp: Duration = .milliseconds(150)
  /// Shorter pauses do not raise it.
  package static let gap: Duration = .seconds(1)
  /// −60 dB: the end of a sound that fades is not heard.
  private static let unheard: UInt16 = 32

  /// How far the cues must be known beyond a frame for its gain.
  package let reach: Int
  /// The linear gains of a ramp, from none of it to all.
  private let gains: [Float]
  /// Of the cues, in order, further apart than `minimumLeadTime`.
  private var spans: [Range<Int>] = []
  /// How many frames of the cues are known.
  package private(set) var known = 0

  package init(rate: Int) {
    reach = Int(SampleRate.frames(in: Self.gap, at: rate))
    let count = Int(SampleRate.frames(in: Self.ramp, at: rate))
    gains = (0...count).map { step in
      let decibels = -Self.depth * Double(step) / Double(count)
      return Float(Logarithm.inverse(decibels / 20 * Logarithm.ofTen))
    }
  }

  /// The next frames of the cues.
  package mutating func hear(_ cues: UnsafeBufferPointer<Int16>) {
    var open = spans.popLast()
    for index in 0..<cues.count where cues[index].magnitude > Self.unheard {
      let frame = known + index
      if let span = open, frame - span.upperBound <= reach {
        open = span.lowerBound..<frame + 1
      } else {
        if let open { spans.append(open) }
        open = frame..<frame + 1
      }
    }
    if let open { spans.append(open) }
    known += cues.count
  }

  /// Writes the gains of `count` frames from `first` on. What lies before them is forgotten.
  ///
  /// - Precondition: the cues are known for `minimumLeadTime` frames more, or to their end.
  package mutating func write(to target: UnsafeMutablePointer<Float>, from first: Int, count: Int) {
    let ramp = gains.count - 1
    spans.removeAll { $0.upperBound + ramp < first }
    let end = first + count
    target.update(repeating: 1, count: count)
    for span in spans where span.lowerBound - ramp < end {
      for frame in max(first, span.lowerBound - ramp)..<min(end, span.upperBound + ramp) {
        let distance = max(0, span.lowerBound - frame, frame - span.upperBound + 1)
        target[frame - first] = gains[ramp - min(ramp, distance)]
      }
    }
  }
}
