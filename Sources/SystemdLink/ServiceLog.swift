import Glibc
import Synchronization
import SystemIO

/// The log of a service on standard error, an entry a line; with its level in front if journald reads it.
package final class ServiceLog: Sendable {
  /// As in syslog(3).
  package enum Level: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  /// Protects the throttle.
  private let throttle: Mutex<LogThrottle>
  private let hasLevels: Bool
  private let write: @Sendable (String) -> Void

  /// - Parameter hasLevels: whether a level such as "<4>" precedes each line; nil: if systemd has connected
  ///   the program to the journal.
  package init(
    hasLevels: Bool? = nil, throttle: LogThrottle = LogThrottle(),
    write: @escaping @Sendable (String) -> Void
  ) {
    self.hasLevels = hasLevels ?? (getenv("JOURNAL_STREAM") != nil)
    self.throttle = Mutex(throttle)
    self.write = write
  }

  /// False for a line that has just been logged and is left out.
  @discardableResult
  package func log(_ level: Level, _ text: String) -> Bool {
    let now = Duration.nanoseconds(MachineTime.monotonic)
    guard let line = throttle.withLock({ $0.line(text, at: now) }) else { return false }
    write(hasLevels ? "<\(level.rawValue)>\(line)" : line)
    return true
  }

  /// Logs what somebody has just asked for, however often: such a line is no fault that lasts.
  package func answer(_ level: Level, _ text: String) {
    write(hasLevels ? "<\(level.rawValue)>\(text)" : text)
  }
}
