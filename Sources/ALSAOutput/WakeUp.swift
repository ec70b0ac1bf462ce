import CALSA
import CueSound
import Glibc

/// Lets any thread end the audio thread's wait.
final class WakeUp: Sendable {
  private let descriptor: Int32

  init() {
    descriptor = cuecoach_eventfd()
    guard descriptor >= 0 else { fatalError("no file descriptor is left for an eventfd") }
    // In a debug build the first wait allocates the metadata of its types: better now than while a device
    // plays.
    wait(.zero)
  }

  deinit { _ = Glibc.close(descriptor) }

  func signal() {
    var one: UInt64 = 1
    _ = Glibc.write(descriptor, &one, 8)
  }

  /// Waits until it is signalled or `other` can be read, at most for `longest`; `.unlimited`: for ever.
  func wait(_ longest: Duration, orFor other: Int32 = -1) {
    var time = timespec(
      tv_sec: Int(longest.components.seconds),
      tv_nsec: Int(longest.components.attoseconds / 1_000_000_000))
    var events = (
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0)
    )
    withUnsafeMutablePointer(to: &events) { events in
      events.withMemoryRebound(to: pollfd.self, capacity: 2) { events in
        _ = longest == .unlimited ? cuecoach_poll(events, 2, nil) : cuecoach_poll(events, 2, &time)
      }
    }
    if events.0.revents != 0 {
      var count: UInt64 = 0
      _ = Glibc.read(descriptor, &count, 8)
    }
  }
}
