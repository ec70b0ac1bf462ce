/// Messages about a machine that is too slow or too busy; none is about the workout.
enum BusyNotice {
  static let stumble = "the sound stumbled: this machine was too busy for a moment"

  static let all = [stumble, DeviceAdvice.realtime]
}
