import IntervalTimeline
import Synchronization

/// A clock that never goes back: while the clock beneath it is behind an earlier reading, it stands still.
final class SteadyClock: Sendable {
  private let clock: @Sendable () -> BootInstant
  private struct State {
    var latest = BootInstant(nanoseconds: .min)
  }

  /// Protects the latest reading.
  private let state = Mutex(State())

  init(_ clock: @escaping @Sendable () -> BootInstant) { self.clock = clock }

  func now() -> BootInstant {
    let reading = clock()
    guard reading.isSane else {
      fatalError(
        "a clock that says \(reading.nanoseconds) ns since the boot, expected less than a century")
    }
    return state.withLock { state in
      state.latest = max(state.latest, reading)
      return state.latest
    }
  }
}
