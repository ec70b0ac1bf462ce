/// Keeps what is mixed within full scale: straight up to three quarters of it, bent smoothly above, so that simultaneous
/// cues never clip.
enum SoftLimit {
  private static var knee: Float { 24_576 }

  /// Writes samples, times a gain, between −32 767 and 32 767.
  static func write(
    _ sum: UnsafePointer<Float>, by gain: Float, to target: UnsafeMutablePointer<Int16>, count: Int
  ) {
    for index in 0..<count {
      let value = sum[index] * gain
      // Nearly every sample is straight; a call for each would cost more than all the rest.
      let isStraight = value.magnitude <= knee
      target[index] = isStraight ? PCMClip.nearest(to: value) : limited(value)
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
