extension PCMClip {
  /// A spoken clip that is heard from its first millisecond on.
  ///
  /// Words that begin with f, s or th grow from nothing over up to 40 ms, so that a word placed by
  /// its first sample sounds late. What is below 2 % of the peak is cut off the beginning, and what
  /// follows is lifted, by at most 9 dB, so that it exceeds 5 % within two milliseconds; the lift
  /// has gone where the word gets as loud by itself. The end is left as it is.
  package func withFirmOnset() -> PCMClip {
    let peak = peak
    let margin = rate / 1000
    guard peak > 0, let soft = samples.firstIndex(where: { abs(Int($0)) * 50 > peak }),
      let loud = samples.firstIndex(where: { abs(Int($0)) * 20 > peak })
    else { return self }
    let from = max(0, soft - margin)
    let onset = soft - from
    let window = onset..<min(count - from, 2 * margin - margin / 10)
    guard from > 0 || loud >= window.upperBound else { return self }
    var kept = samples[from...].map(Double.init)
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
