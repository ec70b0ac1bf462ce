import CSoxr
import CueSound

/// Changes rates with libsoxr, a whole clip at a time: 20 bits, 91 % of the lower rate's band, its delay compensated.
public struct SampleRateLibrary: SampleRateConverter {
  /// One for all clips and threads: it has no state.
  public init() {}

  public func convert(_ clip: PCMClip, to rate: Int) -> PCMClip {
    guard clip.rate != rate, clip.count > 0 else { return clip }
    let ratio = Double(rate) / Double(clip.rate)
    let capacity = Int((Double(clip.count) * ratio).rounded(.up)) + 1
    let samples = [Int16](unsafeUninitializedCapacity: capacity) { output, count in
      var format = soxr_io_spec(SOXR_INT16_I, SOXR_INT16_I)
      // The same clip always gives the same samples.
      format.flags = UInt(SOXR_NO_DITHER)
      // Fails only without memory.
      _ = soxr_oneshot(
        Double(clip.rate), Double(rate), 1, clip.memory.baseAddress, clip.count, nil,
        output.baseAddress, capacity, &count, &format, nil, nil)
    }
    return PCMClip(rate: rate, samples: samples)
  }
}
