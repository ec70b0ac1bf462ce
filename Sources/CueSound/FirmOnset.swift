extension PCMClip {
  /// The clip with an onset that is audible from its first millisecond on.
  ///
  /// Words that begin with f, s or th fade in over up to 40 ms, so a word placed by its first sample
  /// sounds late. The beginning below 2 % of the peak is cut off. What follows is raised, by at most
  /// 9 dB, so that it exceeds 5 % within two milliseconds; the gain falls back to 1 where the word reaches
  /// that level by itself. The end does not change.
  package func withFirmOnset() -> PCMClip {
    let peak = peak
    let margin = rate / 1000
    guard peak > 0, let soft = memory.firstIndex(where: { abs(Int($0)) * 50 > peak }),
      let loud = memory.firstIndex(where: { abs(Int($0)) * 20 > peak })
    else { return self }
    let from = max(0, soft - margin)
    let onset = soft - from
    let window = onset..<min(count - from, 2 * margin - margin / 10)
    guard from > 0 || loud >= window.upperBound else { return self }
    var kept = memory[from...].map(Double.init)
    if loud - from >= window.upperBound, let level = kept[window].map(\.magnitude).max() {
      let lift = 0.055 * Double(peak) / level
      let glide = Double(loud - from - window.upperBound + 1)
      for index in 0..<(loud - from) {
        let gone = Double(max(0, index - window.upperBound + 1)) / glide
        kept[index] *= lift + (1 - lift) * gone
      }
    }
    if from > 0 {
      for index in 0..<onset { kept[index] *= Double(index + 1) / Double(onset + 1) }
    }
    return PCMClip(rate: rate, samples: kept.map { Int16(max(-32_768, min(32_767, $0.rounded()))) })
  }
}

extension PCMClip {
  /// The greatest sample of each millisecond without what is below 70 Hz.
  private var levels: [Float] {
    let step = max(1, rate / 1000)
    // One pole at 70 Hz.
    let keep = Float(1 / (1 + 2 * Double.pi * 70 / Double(rate)))
    var (last, high) = (Float.zero, Float.zero)
    var levels: [Float] = []
    levels.reserveCapacity(count / step + 1)
    var index = 0
    while index < count {
      let end = min(count, index + step)
      var level = Float.zero
      while index < end {
        let sample = Float(memory[index])
        high = keep * (high + sample - last)
        last = sample
        level = max(level, abs(high))
        index += 1
      }
      levels.append(level)
    }
    return levels
  }

  /// In milliseconds: for so long it is quiet around a word.
  private static let silence = 60

  /// How loud the quietest 60 ms before or after the word are: their greatest sample as a part of the word's, without
  /// what is below 70 Hz. Nil where there is no such time, and for silence.
  package var silenceLevel: Float? {
    let levels = levels
    guard let peak = levels.max(), peak > 0,
      let first = levels.firstIndex(where: { $0 > 0.3 * peak }),
      let last = levels.lastIndex(where: { $0 > 0.3 * peak })
    else { return nil }
    var quietest: Float?
    for part in [levels[..<first], levels[(last + 1)...]] where part.count >= Self.silence {
      for start in part.startIndex...(part.endIndex - Self.silence) {
        let level = part[start..<(start + Self.silence)].reduce(0, max)
        quietest = min(quietest ?? level, level)
      }
    }
    return quietest.map { $0 / peak }
  }

  /// How loud its first and its last two milliseconds are: their greatest sample as a part of the word's, without what is
  /// below 70 Hz. Zero for silence.
  package var edgeLevels: (first: Float, last: Float) {
    let levels = levels
    guard let peak = levels.max(), peak > 0 else { return (0, 0) }
    return (levels.prefix(2).reduce(0, max) / peak, levels.suffix(2).reduce(0, max) / peak)
  }

  /// In milliseconds: no word is as short, but a click or a knock is.
  private static let click = 30

  /// Where the word begins by a second rule, in samples: the end of the last 60 ms below 2 % of the peak before the
  /// first millisecond above 30 %, without what is below 70 Hz; 0 where there is no such silence. A click, a breath or
  /// a buzz before the word, after which it is silent, is no part of it, however loud the click is.
  private var onsetBehindSilence: Int {
    let step = max(1, rate / 1000)
    let levels = levels
    var word = levels[...]
    while let peak = word.max(), peak > 0, let loud = word.firstIndex(where: { $0 > 0.3 * peak }) {
      // What is silent again so soon was a click, if a word follows.
      let end = levels[loud...].prefix(Self.click).lastIndex { $0 >= 0.02 * peak } ?? loud
      let silence = levels[(end + 1)...].prefix { $0 < 0.02 * peak }
      let rest = levels[silence.endIndex...]
      let isFollowed = rest.count { $0 >= 0.05 * peak } > Self.click
      if silence.count >= Self.silence, isFollowed {
        word = rest
        continue
      }
      var quiet = 0
      for place in (0..<loud).reversed() {
        quiet = levels[place] < 0.02 * peak ? quiet + 1 : 0
        if quiet == Self.silence { return (place + Self.silence) * step }
      }
      return 0
    }
    return 0
  }

  /// How many samples before the word are no part of it: where it begins more than 5 ms later by that rule than where it
  /// exceeds 2 % of the peak. Otherwise 0. It has to be asked before `withFirmOnset`, which raises quiet sound.
  package var falseStart: Int {
    let (peak, onset) = (peak, onsetBehindSilence)
    guard let soft = memory.firstIndex(where: { abs(Int($0)) * 50 > peak }) else { return 0 }
    return onset - soft > rate / 200 ? onset : 0
  }

  /// The word without its false start.
  package var withoutFalseStart: PCMClip {
    let from = falseStart
    guard from > 0 else { return self }
    return PCMClip(rate: rate, unwritten: count - from) { kept in
      _ = kept.update(fromContentsOf: memory[from...])
    }.trimmed()
  }
}

extension PCMClip {
  /// True for sound of so few steps that it would be noise if it were as loud as words are.
  package var isFaint: Bool { peak < 328 }

  /// Where `isFaint` ends, in words.
  package static let faintest = "-40 dB of full scale"

  /// The sound without the constant that cheap sound cards add: the median of the means of
  /// hundredths of a second. The mean of the whole would not do, for a voice may have one of its own.
  package var withoutOffset: PCMClip {
    let length = max(1, rate / 100)
    let means = stride(from: 0, to: count, by: length).map { start in
      let part = memory[start..<min(start + length, count)]
      return part.reduce(0) { $0 + Double($1) } / Double(part.count)
    }.sorted()
    let offset = means.isEmpty ? 0 : Float(means[means.count / 2].rounded())
    guard offset != 0 else { return self }
    return PCMClip(rate: rate, unwritten: count) { target in
      for index in 0..<count { target[index] = Self.whole(Float(memory[index]) - offset) }
    }
  }
}
