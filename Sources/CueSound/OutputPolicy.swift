/// How much sound is kept queued in a device: queued sound answers commands late, and too little of
/// it leaves gaps.
package struct QueueFill: BitwiseCopyable, Hashable, Sendable {
  /// Kept in the device's own buffer.
  package private(set) var length: Duration
  private let least: Duration
  private let maxLength: Duration
  private var changedAt = BootInstant.boot

  private static let step: Duration = .milliseconds(20)
  /// After this long without running dry the queue shrinks by a step.
  private static let calm: Duration = .seconds(60)

  /// - Parameter period: what the device takes at a time; the queue holds two of them at least.
  package init(period: Duration = .zero) {
    least = max(.milliseconds(48), period * 2)
    maxLength = max(.milliseconds(200), least)
    length = least
  }

  package mutating func noteUnderrun(at now: BootInstant) {
    length = min(maxLength, length + Self.step)
    changedAt = now
  }

  package mutating func relax(at now: BootInstant) {
    guard length > least, now - changedAt > Self.calm else { return }
    length = max(least, length - Self.step)
    changedAt = now
  }
}

/// Notices a device that takes sound and plays none of it.
package struct ProgressWatch: BitwiseCopyable, Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case waiting
    /// It plays; the first time since it was opened.
    case proven
    case plays
    /// It has had frames for a second, or four as a sound server, and played none of them.
    case stuck
  }

  private var played: Frames
  private var since: BootInstant
  private var isProven = false

  private let patience: Duration

  /// The device was opened at `now`, about to play `frame`. A sound server may stand still for some
  /// seconds after a start, and would do so again if it were started again.
  package init(frame: Frames, at now: BootInstant, isServer: Bool = false) {
    played = frame
    since = now
    patience = .seconds(isServer ? 4 : 1)
  }

  /// The device says that it has played up to `played` of `written` frames.
  package mutating func look(played: Frames, written: Frames, at now: BootInstant) -> Verdict {
    if played > self.played {
      self.played = played
      since = now
      defer { isProven = true }
      return isProven ? .plays : .proven
    }
    if written <= played { since = now }
    return isStill(at: now) ? .stuck : isProven ? .plays : .waiting
  }

  /// True when it is not known to have played anything for too long.
  package func isStill(at now: BootInstant) -> Bool { now - since > patience }

  /// This process itself slept until `now`: the device is not to blame for that time.
  package mutating func overslept(at now: BootInstant) { since = now }

  /// An underrun, `length` after it was started. A working device plays for 20 ms at least; one
  /// whose underruns come sooner, again and again, plays nothing. True when that has lasted too long.
  package mutating func noteUnderrun(after length: Duration, at now: BootInstant) -> Bool {
    if length > .milliseconds(20) { since = now }
    return now - since > patience
  }
}
