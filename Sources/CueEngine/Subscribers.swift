import Synchronization

/// A closure's subscription. Ends with its last reference, or by `cancel`.
public final class Subscription: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends it now. A call of the closure that has begun on another thread is not waited for. Any thread; a
  /// further call does nothing.
  public func cancel() { end() }
}

/// Distributes events to any number of subscribers, in the order in which they subscribed.
package final class Subscribers<Event: Sendable>: Sendable {
  private struct Subscriber {
    let number: Int
    let receive: @Sendable (Event) -> Void
    let finish: @Sendable () -> Void
  }

  private struct State {
    var subscribers: [Subscriber] = []
    var nextNumber = 0
    var isFinished = false
  }

  /// Protects the subscribers; never held while one is called.
  private let state = Mutex(State())

  package init() {}

  package var count: Int { state.withLock { $0.subscribers.count } }

  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// - Parameters:
  ///   - receive: called for every event from now on, on the sender's thread.
  ///   - finish: called once, when no event will follow; at once where that is known.
  package func subscribe(
    _ receive: @escaping @Sendable (Event) -> Void, finish: @escaping @Sendable () -> Void = {}
  ) -> Subscription {
    let number: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.nextNumber += 1
      state.subscribers.append(
        Subscriber(number: state.nextNumber, receive: receive, finish: finish))
      return state.nextNumber
    }
    guard let number else {
      finish()
      return Subscription {}
    }
    return Subscription { [weak self] in
      self?.state.withLock { $0.subscribers.removeAll { $0.number == number } }
    }
  }

  package func send(_ event: Event) {
    for subscriber in state.withLock({ $0.subscribers }) { subscriber.receive(event) }
  }

  /// No event follows: every subscription ends.
  package func finish() {
    let subscribers = state.withLock { state in
      state.isFinished = true
      defer { state.subscribers = [] }
      return state.subscribers
    }
    for subscriber in subscribers { subscriber.finish() }
  }
}
