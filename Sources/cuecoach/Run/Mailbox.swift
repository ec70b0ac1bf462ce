import CGlibc
import Glibc
import Synchronization

/// Brings what happens on other threads to the one that runs the show.
///
/// It waits on a descriptor: a Dispatch semaphore waits by the wall clock here, and for a day where
/// that is set back by one.
final class Mailbox<Message: Sendable>: Sendable {
  /// Protects the messages that wait.
  private let messages = Mutex<[Message]>([])
  /// Counts the messages that wait.
  private let arrived = cuecoach_event_counter()

  init() { precondition(arrived >= 0, "eventfd: no descriptor left") }

  deinit { close(arrived) }

  func send(_ message: Message) {
    messages.withLock { $0.append(message) }
    var one: UInt64 = 1
    while write(arrived, &one, 8) < 0, errno == EINTR {}
  }

  /// The next message, or nil when none comes in time. Blocks.
  func next(within time: Duration?) -> Message? {
    let end = time.map { ContinuousClock.now + $0 }
    while true {
      let left = end.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
      // Whole milliseconds, rounded up: no busy loop.
      let wait = left.map { Int32(min(86_400_000, ($0 / .milliseconds(1)).rounded(.up))) } ?? -1
      var event = pollfd(fd: arrived, events: Int16(POLLIN), revents: 0)
      if poll(&event, 1, wait) > 0 {
        var one: UInt64 = 0
        _ = read(arrived, &one, 8)
        return messages.withLock { $0.removeFirst() }
      }
      if let end, ContinuousClock.now >= end { return nil }
    }
  }
}
