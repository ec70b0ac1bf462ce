/// How much sound is kept queued in a device: what is queued cannot be called back, and what is
/// missing is heard. Nanoseconds.
public struct QueueFill: BitwiseCopyable, Hashable, Sendable {
  /// Kept in the device's own buffer.
  public private(set) var length: Int64
  private let least: Int64
  private let greatest: Int64
  private var changedAt: Int64 = 0

  private static let step: Int64 = 20_000_000
  /// A device that has not run dry for so long gets by with less.
  private static let calm: Int64 = 60_000_000_000

  /// - Parameter period: what the device takes at a time; less than two of them cannot last.
  public init(period: Int64 = 0) {
    least = max(48_000_000, 2 * period)
    greatest = max(200_000_000, least)
    length = least
  }

  public mutating func ranDry(at now: Int64) {
    length = min(greatest, length + Self.step)
    changedAt = now
  }

  public mutating func relax(at now: Int64) {
    guard length > least, now - changedAt > Self.calm else { return }
    length = max(least, length - Self.step)
    changedAt = now
  }
}

/// How long to wait before a lost device is tried again: 0.25 s, doubling to 1.6 s.
public struct BackOff: BitwiseCopyable, Hashable, Sendable {
  private var last: Int64 = 0

  public init() {}

  /// The next wait, nanoseconds.
  public mutating func next() -> Int64 {
    last = last == 0 ? 250_000_000 : min(1_600_000_000, last * 2)
    return last
  }

  /// The device plays.
  public mutating func reset() { last = 0 }
}

/// Notices a device that takes sound and plays none of it.
public struct ProgressWatch: BitwiseCopyable, Hashable, Sendable {
  public enum Verdict: Hashable, Sendable {
    case waiting
    /// It plays; the first time since it was opened.
    case proven
    case plays
    /// It has had frames for a second and played none of them.
    case stuck
  }

  private var played: Int64
  private var since: Int64
  private var isProven = false

  private let patience: Int64

  /// The device was opened at `now`, about to play `frame`. A sound server may stand still for some
  /// seconds after a start, and would do so again if it were started again.
  public init(frame: Int64, at now: Int64, isServer: Bool = false) {
    played = frame
    since = now
    patience = isServer ? 4_000_000_000 : 1_000_000_000
  }

  /// The device says that it has played up to `played` of `written` frames.
  public mutating func look(played: Int64, written: Int64, at now: Int64) -> Verdict {
    if played > self.played {
      self.played = played
      since = now
      defer { isProven = true }
      return isProven ? .plays : .proven
    }
    if written <= played { since = now }
    return isStill(at: now) ? .stuck : isProven ? .plays : .waiting
  }

  /// True when it has played nothing for too long, as far as is known.
  public func isStill(at now: Int64) -> Bool { now - since > patience }

  /// This process itself slept until `now`: what the device did meanwhile says nothing.
  public mutating func overslept(at now: Int64) { since = now }

  /// It ran dry, `length` nanoseconds after it was started. Nothing can be played in no time: a
  /// device that is dry at once, again and again, is none. True when that has lasted too long.
  public mutating func ranDry(after length: Int64, at now: Int64) -> Bool {
    if length > 20_000_000 { since = now }
    return now - since > patience
  }
}
