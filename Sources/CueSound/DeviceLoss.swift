/// The loss of a device, and when the device is tried again: later after each attempt that fails.
///
/// It lasts until the device is known to play: that it can be opened proves nothing.
struct DeviceLoss: BitwiseCopyable {
  private(set) var retryAt: BootInstant
  private var backOff: BackOff

  /// The system needs this long to set the permissions of a new device.
  private static var permissionDelay: Duration { .milliseconds(100) }
  private static var shortestWait: Duration { .milliseconds(1) }

  /// - Parameter last: the loss that has not ended; nil where the device was not lost before.
  init(after last: DeviceLoss?, at now: BootInstant) {
    backOff = last?.backOff ?? BackOff(from: .milliseconds(250), to: .milliseconds(1_600))
    retryAt = now + backOff.next()
  }

  /// A device has come, or its permissions have changed.
  mutating func hardwareChanged(at now: BootInstant) {
    retryAt = min(retryAt, now + Self.permissionDelay)
    backOff.reset()
  }

  /// The device is not needed for now. When it is needed again, it is tried at once.
  mutating func rest() {
    retryAt = .boot
    backOff.reset()
  }

  /// How long to wait before the next attempt, or until the sound wants to be rendered without a device.
  func wait(from now: BootInstant, atMost longest: Duration) -> Duration {
    min(longest, max(Self.shortestWait, retryAt - now))
  }
}
