/// Keeps what is mixed within full scale: straight up to three quarters of it, bent smoothly above, so that simultaneous
/// cues never clip.
enum SoftLimit {
  private static var knee: Float { 24_576 }

  /// Writes samples, times a gain, between −32 767 and 32 767.
  static func write(
    _ sum: UnsafePointer<Float>, by gain: Float, to target: UnsafeMutablePointer<Int16>, count: Int
  ) {
    var index = 0
    while index < count {
      if count - index >= 8 {
        let values = UnsafeRawPointer(sum + index).loadUnaligned(as: SIMD8<Float>.self) * gain
        // Nearly every sample is straight.
        if all((values .<= knee) .& (values .>= -knee)) {
          UnsafeMutableRawPointer(target + index)
            .storeBytes(of: PCMClip.nearest(to: values), as: SIMD8<Int16>.self)
          index += 8
          continue
        }
      }
      let end = min(index + 8, count)
      while index < end {
        target[index] = limited(sum[index] * gain)
        index += 1
      }
    }
  }

  static func limited(_ value: Float) -> Int16 {
    let room: Float = 32_767 - knee
    let size = abs(value)
    guard size > knee else { return PCMClip.whole(value) }
    let over = (size - knee) / room
    let bent = PCMClip.whole(knee + room * over / (1 + over))
    return value < 0 ? -bent : bent
  }
}
