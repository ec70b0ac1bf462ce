/// When to ask a device for its position: often while the device is new, seldom once it is known.
package struct PollSchedule: BitwiseCopyable, Sendable {
  private var startedAt = BootInstant.boot
  private var readsAt = BootInstant.boot
  private var looksAt = BootInstant.boot

  /// A device with an underrun, or one that stands still, is to be noticed soon.
  private static let longestGap: Duration = .milliseconds(100)
  private var jitter: UInt64 = 1

  package init() {}

  /// The device was started at `now`.
  package mutating func restart(at now: BootInstant) {
    startedAt = now
    readsAt = now
  }

  /// True when the device is to be asked.
  package func wantsLook(at now: BootInstant) -> Bool { now >= min(looksAt, readsAt) }

  package mutating func hasLooked(at now: BootInstant) { looksAt = now + Self.longestGap }

  /// True when the clock wants a reading.
  package func wantsReading(at now: BootInstant) -> Bool { now >= readsAt }

  /// A reading was taken.
  ///
  /// - Parameter isDoubtful: it disagreed with what was known.
  package mutating func hasRead(at now: BootInstant, isDoubtful: Bool) {
    let age = now - startedAt
    // Every reading says something new at first, and again once the device has settled.
    let isSettling = age >= .seconds(1) && age < .milliseconds(1_500)
    let isNew = age < .milliseconds(300) || isSettling || isDoubtful
    let pause: Duration = isNew ? .zero : .milliseconds(age < .seconds(3) ? 80 : 500)
    // At uneven intervals, or the readings would beat with a pointer that moves in steps.
    jitter = jitter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    readsAt = now + pause + pause / 4 * Int(jitter >> 48) / 65_536
  }
}
