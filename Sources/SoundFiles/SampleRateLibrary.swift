import CSampleRate
import CueSound

/// Changes rates with libsamplerate, a whole clip at a time; its delay is compensated.
public struct SampleRateLibrary: SampleRateConverter {
  /// How well frequencies are kept and reflections suppressed; better takes longer.
  public enum Quality: Sendable {
    /// 97 dB, up to 80 % of the lower rate's band: fast, for words, which are many.
    case speech
    /// 121 dB, up to 90 % of the band.
    case sound
  }

  private let quality: Quality

  /// - Parameter quality: for everything that is converted; a pack's few sounds deserve `sound`.
  public init(_ quality: Quality = .sound) {
    self.quality = quality
  }

  public func convert(_ clip: PCMClip, to rate: Int) -> PCMClip {
    guard clip.rate != rate, clip.count > 0 else { return clip }
    let ratio = Double(rate) / Double(clip.rate)
    let input = clip.memory.map { Float($0) / 32_768 }
    var output = [Float](repeating: 0, count: Int((Double(clip.count) * ratio).rounded(.up)) + 1)
    let written = input.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        var data = SRC_DATA()
        data.data_in = source.baseAddress
        data.data_out = target.baseAddress
        data.input_frames = source.count
        data.output_frames = target.count
        data.src_ratio = ratio
        let kind = quality == .speech ? SRC_SINC_FASTEST : SRC_SINC_MEDIUM_QUALITY
        // Fails only for ratios beyond 256, which no sound file has after reading.
        return src_simple(&data, Int32(kind), 1) == 0
          ? data.output_frames_gen : 0
      }
    }
    return PCMClip(
      rate: rate,
      samples: output[..<written].map {
        Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded())))
      })
  }
}
