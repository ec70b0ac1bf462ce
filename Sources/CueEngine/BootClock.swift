import IntervalTimeline
import SystemIO

/// The machine's running clock, CLOCK_BOOTTIME: runs on while the machine sleeps, and never jumps.
public struct BootClock: Clock {
  /// The machine has one.
  public init() {}

  /// The instant of the call. Any thread; never blocks.
  public static func now() -> BootInstant { .now }

  /// How long the machine has slept since it booted: what CLOCK_MONOTONIC does not count.
  public static func slept() -> Duration { .nanoseconds(MachineTime.asleep) }

  public var now: BootInstant { Self.now() }

  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Sleeps until an instant, or throws `CancellationError` when the task is cancelled.
  public func sleep(until deadline: BootInstant, tolerance: Duration?) async throws {
    // The same clock of the kernel, with an origin of its own.
    let clock = ContinuousClock()
    try await clock.sleep(until: clock.now + now.duration(to: deadline), tolerance: tolerance)
  }
}
