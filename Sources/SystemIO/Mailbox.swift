import CGlibc
import Glibc
import Synchronization

/// Brings messages from any thread to one that waits on a descriptor.
///
/// A descriptor, because a Dispatch semaphore waits by the wall clock on Linux: if that is set back by a day, it
/// waits a day longer.
package final class Mailbox<Message: Sendable>: Sendable {
  /// Protects the messages that wait.
  private let messages = Mutex<[Message]>([])
  /// To be waited for with poll(2), beside others; readable while messages wait.
  package let descriptor: Int32

  /// Nil where no descriptor is left: `errno` says why.
  package init?() {
    descriptor = cuecoach_event_counter()
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package func send(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    guard isFirst else { return }
    var one: UInt64 = 1
    while write(descriptor, &one, 8) < 0, errno == EINTR {}
  }

  /// Everything that waits, in order.
  package func takeAll() -> [Message] {
    // Before the messages are taken: one that comes now wakes the thread again.
    quiet()
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }

  /// The next message, or nil if none comes in time. Blocks.
  package func next(within time: Duration?) -> Message? {
    let end = time.map { ContinuousClock.now + $0 }
    while true {
      let first: Message? = messages.withLock { messages in
        // It stays readable while others wait. A sender may wake this thread after its message was taken.
        if messages.count <= 1 { quiet() }
        return messages.isEmpty ? nil : messages.removeFirst()
      }
      if let first { return first }
      let left = end.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
      if left == .zero { return nil }
      // Whole milliseconds, rounded up to avoid a busy loop.
      let wait = left.map { Int32(min(86_400_000, ($0 / .milliseconds(1)).rounded(.up))) } ?? -1
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&event, 1, wait)
    }
  }

  private func quiet() {
    var count: UInt64 = 0
    while read(descriptor, &count, 8) > 0 {}
  }
}
