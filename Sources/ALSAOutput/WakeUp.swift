import CALSA
import Glibc

/// Lets any thread end the audio thread's wait.
final class WakeUp: Sendable {
  private let descriptor: Int32

  init() {
    descriptor = cuecoach_eventfd()
    precondition(descriptor >= 0, "eventfd: no descriptor left")
    // The first wait of a debug build takes memory to describe its types, and a device may play by then.
    wait(0)
  }

  deinit { _ = Glibc.close(descriptor) }

  func signal() {
    var one: UInt64 = 1
    _ = Glibc.write(descriptor, &one, 8)
  }

  /// Waits until somebody signals or `other` can be read, `nanoseconds` at most; `.max`: for ever.
  func wait(_ nanoseconds: Int64, orFor other: Int32 = -1) {
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    var events = (
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0)
    )
    withUnsafeMutablePointer(to: &events) { events in
      events.withMemoryRebound(to: pollfd.self, capacity: 2) { events in
        _ = nanoseconds == .max ? cuecoach_poll(events, 2, nil) : cuecoach_poll(events, 2, &time)
      }
    }
    if events.0.revents != 0 {
      var count: UInt64 = 0
      _ = Glibc.read(descriptor, &count, 8)
    }
  }
}
