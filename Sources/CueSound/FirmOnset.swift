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
