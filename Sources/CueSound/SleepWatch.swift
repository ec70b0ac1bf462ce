/// Notices at a turn that the machine or this process has slept, so that the map may no longer hold.
struct SleepWatch: BitwiseCopyable {
  /// When the next turn is to come at the latest.
  var dueAt = BootInstant.never
  /// The machine has slept since the turn before.
  private(set) var machineSlept = false
  /// CLOCK_BOOTTIME less CLOCK_MONOTONIC: grows while the machine sleeps.
  private var asleep: Duration

  /// A turn that comes later than this shows that the process has slept.
  private static let oversleep: Duration = .milliseconds(500)
  /// When the machine has slept longer than this, the device has slept too.
  private static let noticedSleep: Duration = .milliseconds(1)

  /// - Parameter asleep: how long the machine has slept so far.
  init(asleep: Duration) { self.asleep = asleep }

  /// A turn begins.
  mutating func turn(asleep: Duration) {
    machineSlept = asleep - self.asleep > Self.noticedSleep
    self.asleep = max(self.asleep, asleep)
  }

  /// The machine or this process has slept until `now`.
  func hasSlept(at now: BootInstant) -> Bool { machineSlept || now - dueAt > Self.oversleep }
}
