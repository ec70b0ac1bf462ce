import IntervalTimeline
import Synchronization

/// A clock that never goes back: while the clock beneath it is behind an earlier reading, it stands still.
final class SteadyClock: Sendable {
  private let clock: @Sendable () -> BootInstant
  /// Protects the latest reading.
  private let latest = Mutex(BootInstant(nanoseconds: .min))

  init(_ clock: @escaping @Sendable () -> BootInstant) { self.clock = clock }

  func now() -> BootInstant {
    let reading = clock()
    return latest.withLock { latest in
      latest = max(latest, reading)
      return latest
    }
  }
}
