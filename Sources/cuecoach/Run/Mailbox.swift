import CGlibc
import Glibc
import Synchronization

/// Delivers events from other threads to the main thread.
///
/// It waits on a descriptor, because a Dispatch semaphore waits by the wall clock on Linux: if that
/// is set back by a day, it waits a day longer.
final class Mailbox<Message: Sendable>: Sendable {
  /// Protects the pending messages.
  private let messages = Mutex<[Message]>([])
  /// Counts the pending messages.
  private let arrived = cuecoach_event_counter()

  init() { precondition(arrived >= 0, "eventfd: no descriptor left") }

  deinit { close(arrived) }

  /// To be waited for with poll(2), beside others; readable while a message is pending.
  var descriptor: Int32 { arrived }

  func send(_ message: Message) {
    messages.withLock { $0.append(message) }
    var one: UInt64 = 1
    while write(arrived, &one, 8) < 0, errno == EINTR {}
  }

  /// The next message, or nil if none comes in time. Blocks.
  func next(within time: Duration?) -> Message? {
    let end = time.map { ContinuousClock.now + $0 }
    while true {
      let left = end.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
      // Whole milliseconds, rounded up to avoid a busy loop.
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
