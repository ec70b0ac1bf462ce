import CGlibc
import Glibc
import Synchronization

/// Brings messages from any thread to one that waits on a descriptor.
final class Inbox<Message: Sendable>: Sendable {
  /// Protects the messages that wait.
  private let messages = Mutex<[Message]>([])
  /// Readable while messages wait.
  let descriptor: Int32

  init() throws(ControlSocketError) {
    descriptor = cuecoach_event_counter()
    guard descriptor >= 0 else {
      throw ControlSocketError(.failed, "eventfd: \(String(cString: strerror(errno)))")
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  func put(_ message: Message) {
    let isFirst = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    guard isFirst else { return }
    var one: UInt64 = 1
    while write(descriptor, &one, 8) < 0, errno == EINTR {}
  }

  /// Everything that waits, in order.
  func takeAll() -> [Message] {
    var count: UInt64 = 0
    // Before the messages are taken: one that comes now wakes the thread again.
    while read(descriptor, &count, 8) > 0 {}
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
