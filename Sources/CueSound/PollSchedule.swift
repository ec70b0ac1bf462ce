/// When a device is asked where it is: often while that is new, seldom when it is known.
/// Nanoseconds.
public struct PollSchedule: BitwiseCopyable, Sendable {
  private var startedAt: Int64 = 0
  private var readsAt: Int64 = 0
  private var looksAt: Int64 = 0

  /// A device that runs dry or stands still is to be noticed soon.
  private static let longestGap: Int64 = 100_000_000
  private var jitter: UInt64 = 1

  public init() {}

  /// The device was started at `now`.
  public mutating func restart(at now: Int64) {
    startedAt = now
    readsAt = now
  }

  /// True when the device is to be asked.
  public func wantsLook(at now: Int64) -> Bool { now >= min(looksAt, readsAt) }

  public mutating func hasLooked(at now: Int64) { looksAt = now + Self.longestGap }

  /// True when a reading is wanted for the clock.
  public func wantsReading(at now: Int64) -> Bool { now >= readsAt }

  /// A reading was taken; `isDoubtful`: it did not agree with what was known.
  public mutating func hasRead(at now: Int64, isDoubtful: Bool) {
    let age = now - startedAt
    // At first, and once the device has settled, every turn tells something new.
    let isNew = age < 300_000_000 || (1_000_000_000..<1_500_000_000).contains(age) || isDoubtful
    let pause: Int64 = isNew ? 0 : age < 3_000_000_000 ? 80_000_000 : 500_000_000
    // Not evenly, or the readings would beat with a pointer that moves in steps.
    jitter = jitter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    readsAt = now + pause + pause / 4 * Int64(jitter >> 48) / 65_536
  }
}
