/// For how long nothing has needed the device: no workout runs, and no voice waits or sounds.
struct IdleTime: BitwiseCopyable {
  private var since: BootInstant?
  private let staysOpen: Bool

  /// How long the device is kept open after a workout, for the next command.
  private static let grace: Duration = .seconds(5)

  /// - Parameter staysOpen: the device stays open in a pause.
  init(staysOpen: Bool) { self.staysOpen = staysOpen }

  /// A turn begins. True when the device may be closed.
  ///
  /// - Parameter isSounding: a voice waits or sounds.
  mutating func mayRest(
    at now: BootInstant, _ activity: OutputActivity, isSounding: Bool,
    _ situation: DeviceSituation
  ) -> Bool {
    guard activity != .running, !isSounding else {
      since = nil
      return false
    }
    let since = since ?? now
    self.since = since
    // A sink that falls asleep during a pause would swallow the first cue after it.
    // A sound server takes seconds until it knows its own delay again.
    if activity == .paused, staysOpen || situation.last?.isServer == true { return false }
    return !situation.isOpen || now - since >= Self.grace
  }
}
