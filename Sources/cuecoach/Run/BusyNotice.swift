/// What a person is told of a machine that is too slow or too busy, and not of the workout.
enum BusyNotice {
  static let stumble = "the sound stumbled: this machine was too busy for a moment"

  static let all = [stumble, DeviceAdvice.realtime]
}
