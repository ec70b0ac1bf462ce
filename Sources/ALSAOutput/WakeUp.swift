import CALSA
import Glibc

/// Lets any thread end the audio thread's wait.
final class WakeUp: Sendable {
  private let descriptor: Int32

  init() {
    descriptor = cuecoach_eventfd()
    precondition(descriptor >= 0, "eventfd: no descriptor left")
  }

  deinit { _ = Glibc.close(descriptor) }

  func signal() {
    var one: UInt64 = 1
    _ = Glibc.write(descriptor, &one, 8)
  }

  /// Waits until somebody signals, `nanoseconds` at most, rounded up to a millisecond.
  func wait(_ nanoseconds: Int64) {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if Glibc.poll(&event, 1, Int32((nanoseconds + 999_999) / 1_000_000)) > 0 {
      var count: UInt64 = 0
      _ = Glibc.read(descriptor, &count, 8)
    }
  }
}
