import CSonic
import CueSound

/// The same words faster or slower at the same pitch, by libsonic.
enum TimeCompression {
  /// How much faster words may be: above that they are not understood as well.
  static let fastest = 1.25

  /// - Parameter speed: above 1 for shorter clips.
  static func compressed(_ clip: PCMClip, by speed: Double) -> PCMClip {
    guard abs(speed - 1) > 0.001, clip.count > 0,
      let stream = sonicCreateStream(Int32(clip.rate), 1)
    else { return clip }
    defer { sonicDestroyStream(stream) }
    sonicSetSpeed(stream, Float(speed))
    var samples = Array(clip.samples)
    guard sonicWriteShortToStream(stream, &samples, Int32(samples.count)) != 0,
      sonicFlushStream(stream) != 0
    else { return clip }
    var result = [Int16](repeating: 0, count: Int(sonicSamplesAvailable(stream)))
    let count = sonicReadShortFromStream(stream, &result, Int32(result.count))
    return PCMClip(rate: clip.rate, samples: Array(result.prefix(Int(count))))
  }
}
