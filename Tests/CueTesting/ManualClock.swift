import IntervalTimeline
import Synchronization

/// A clock that only moves when a test advances it.
public final class ManualClock: Sendable {
  /// Protects the instant.
  private let instant: Mutex<BootInstant>

  public init(_ start: BootInstant = BootInstant(nanoseconds: 1_000_000_000_000)) {
    instant = Mutex(start)
  }

  public var now: BootInstant { instant.withLock { $0 } }

  public func advance(by duration: Duration) { instant.withLock { $0 = $0 + duration } }

  public func advance(to target: BootInstant) {
    instant.withLock { instant in
      precondition(target >= instant, "a clock does not go back")
      instant = target
    }
  }
}
