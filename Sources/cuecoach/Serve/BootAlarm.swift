import CGlibc
import Dispatch
import Glibc
import IntervalTimeline

/// Calls a closure at an instant of the clock that runs on while the machine sleeps; after a sleep at
/// once. It wakes nothing before.
final class BootAlarm: @unchecked Sendable {
  // Unchecked: the source is made and cancelled, and nothing else.

  private let descriptor: Int32
  private let source: any DispatchSourceRead

  /// - Parameter ring: called on a queue of its own.
  init(_ ring: @escaping @Sendable () -> Void) {
    let descriptor = cuecoach_boot_timer()
    guard descriptor >= 0 else { fatalError("no file descriptor is left for a timerfd") }
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor, queue: DispatchQueue(label: "cuecoach.alarm"))
    source.setEventHandler {
      var count: UInt64 = 0
      if read(descriptor, &count, 8) == 8 { ring() }
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }

  /// Rings at `instant` instead of what was set before; nil: not at all.
  func set(_ instant: BootInstant?) {
    // Zero would stop it.
    _ = cuecoach_boot_timer_set(descriptor, instant.map { max(1, $0.nanoseconds) } ?? 0)
  }
}
