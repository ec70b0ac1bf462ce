import IntervalTimeline
import Synchronization

/// A clock that only moves when a test advances it.
///
/// An engine takes it as `clock: { clock.now }`, together with `sleepClock: { .zero }`. Any thread.
public final class ManualClock: Sendable {
  /// Protects the instant.
  private let instant: Mutex<BootInstant>

  /// A clock that shows `start`.
  ///
  /// - Parameter start: what it shows at first: by default 1000 s after a boot.
  public init(_ start: BootInstant = BootInstant(nanoseconds: 1_000_000_000_000)) {
    instant = Mutex(start)
  }

  /// The instant that it shows.
  public var now: BootInstant { instant.withLock { $0 } }

  /// Moves it on; back by a negative duration, which an engine never sees of a machine's clock.
  public func advance(by duration: Duration) { instant.withLock { $0 = $0 + duration } }

  /// Moves it to `target`. Traps where it shows a later instant: a clock does not go back.
  public func advance(to target: BootInstant) {
    instant.withLock { instant in
      guard target >= instant else { fatalError("a ManualClock does not go back") }
      instant = target
    }
  }
}
