import Dispatch
import Synchronization

/// Brings what happens on other threads to the one that runs the show.
final class Mailbox<Message: Sendable>: Sendable {
  /// Protects the messages that wait.
  private let messages = Mutex<[Message]>([])
  private let arrived = DispatchSemaphore(value: 0)

  func send(_ message: Message) {
    messages.withLock { $0.append(message) }
    arrived.signal()
  }

  /// The next message, or nil when none comes in time. Blocks.
  func next(within time: Duration?) -> Message? {
    let deadline: DispatchTime =
      time.map {
        .now() + .nanoseconds(Int(max(.zero, $0) / .nanoseconds(1)))
      } ?? .distantFuture
    guard arrived.wait(timeout: deadline) == .success else { return nil }
    return messages.withLock { $0.removeFirst() }
  }
}
