import Glibc
import SystemIO

/// Waits for whatever of a surface's loop comes first: input, an instant, the end of the process.
package struct SurfaceWait {
  private var entries: [pollfd]
  private var end: Int64 = .max
  private let now = MachineTime.boot

  /// - Parameter endSignals: readable once the process is to end.
  package init(_ endSignals: Int32) {
    entries = [pollfd(fd: endSignals, events: Int16(POLLIN), revents: 0)]
  }

  /// - Parameter descriptor: one below zero is waited for by nobody.
  package mutating func add(_ descriptor: Int32, writes: Bool = false) {
    entries.append(
      pollfd(fd: descriptor, events: Int16(writes ? POLLIN | POLLOUT : POLLIN), revents: 0))
  }

  /// Input that is not waited for while so much has come of it that it has to rest.
  ///
  /// - Parameter timeout: when it needs a turn without an event, nanoseconds of CLOCK_MONOTONIC.
  package mutating func add(
    _ descriptor: Int32, writes: Bool, within limit: ReadLimit, timeout: Int64? = nil
  ) {
    let rest = limit.rest(at: now)
    add(rest == nil ? descriptor : -1, writes: writes)
    add(until: rest ?? timeout.map { now + max(0, $0 - MachineTime.monotonic) })
  }

  /// - Parameter instant: when it ends at the latest, nanoseconds of CLOCK_BOOTTIME; nil: no matter.
  package mutating func add(until instant: Int64?) { end = min(end, instant ?? .max) }

  /// Waits. Returns true where the process is to end.
  package mutating func wait() -> Bool {
    let left = end == .max ? nil : max(0, end - MachineTime.boot)
    // Never too short: it would be waited once more for nothing.
    let milliseconds = left.map { min(3_600_000, ($0 + 999_999) / 1_000_000) } ?? -1
    return poll(&entries, nfds_t(entries.count), Int32(milliseconds)) > 0 && entries[0].revents != 0
  }

  /// Whether a descriptor that was added can be read, or is at its end.
  package func canRead(_ descriptor: Int32) -> Bool { found(descriptor) & ~Int16(POLLOUT) != 0 }

  /// Whether a descriptor that was added can be written to.
  package func canWrite(_ descriptor: Int32) -> Bool { found(descriptor) & Int16(POLLOUT) != 0 }

  private func found(_ descriptor: Int32) -> Int16 {
    descriptor < 0 ? 0 : entries.first { $0.fd == descriptor }?.revents ?? 0
  }
}

/// Limits how much is read from one source in a tenth of a second. Without a limit, a flood uses a whole processor and delays
/// the other sources. The time is an argument: nanoseconds of CLOCK_BOOTTIME.
package struct ReadLimit: Sendable {
  private let most: Int
  private var since: Int64 = 0
  private var count = 0

  private static let window: Int64 = 100_000_000

  /// - Parameter most: messages, or bytes.
  package init(_ most: Int) { self.most = most }

  /// Takes note of what was read.
  package mutating func take(_ count: Int, at now: Int64) {
    if now - since >= Self.window { (since, self.count) = (now, 0) }
    self.count += count
  }

  /// How much may be read.
  package func left(at now: Int64) -> Int {
    now - since >= Self.window ? most : max(0, most - count)
  }

  /// Until when nothing is read; nil: it is.
  package func rest(at now: Int64) -> Int64? { left(at: now) == 0 ? since + Self.window : nil }
}
