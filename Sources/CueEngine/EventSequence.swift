import Synchronization

/// What happens from the moment at which the sequence is made, in order.
///
/// Each is for one loop: a second loop over the same sequence receives what the first one leaves. What
/// waits to be read is limited: beyond the limit the oldest elements are omitted, and in their place comes
/// one that says how many.
///
/// It ends when the engine does, or the lane it is about. Its subscription ends as well when the task that
/// reads it is cancelled, and when the sequence and its iterator are released; it keeps no engine alive. The
/// loop runs on its own task, never on the check queue.
public struct EventSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// The most events that wait to be read, 1024; further ones replace the oldest. Of `CueEngine.statuses(of:)`
  /// only the latest status waits.
  public static var limit: Int { 1024 }

  typealias Numbered = (number: Int, event: Element)

  fileprivate let stream: AsyncStream<Numbered>
  /// What stands for a number of omitted elements; nil where each element replaces the one before.
  fileprivate let omitted: (@Sendable (Int) -> Element)?

  /// The place of one loop in the sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator(), omitted: omitted)
  }

  /// Reads the sequence, in one task.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<Numbered>.Iterator
    fileprivate let omitted: (@Sendable (Int) -> Element)?
    /// The number of the next element if none is omitted.
    private var expected = 0
    /// The element that follows those omitted.
    private var held: Element?

    fileprivate init(
      base: AsyncStream<Numbered>.Iterator, omitted: (@Sendable (Int) -> Element)?
    ) {
      self.base = base
      self.omitted = omitted
    }

    /// The next element; nil at the end, or when the task is cancelled.
    public mutating func next() async -> Element? { await next(isolation: nil) }

    /// The same on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      if let held {
        self.held = nil
        return held
      }
      guard let (number, event) = await base.next(isolation: actor) else { return nil }
      let missing = number - expected
      expected = number + 1
      guard missing > 0, let omitted else { return event }
      held = event
      return omitted(missing)
    }
  }
}

extension Subscribers {
  /// Every event from now on.
  ///
  /// - Parameter omitted: the element that stands for a number of replaced ones.
  package func sequence(omitted: @escaping @Sendable (Int) -> Event) -> EventSequence<Event> {
    sequence(keeping: EventSequence<Event>.limit, omitted: omitted).events
  }

  /// The latest event, from now on. `add` adds one to this sequence alone.
  func latest() -> (events: EventSequence<Event>, add: @Sendable (Event) -> Void) {
    sequence(keeping: 1, omitted: nil)
  }

  private func sequence(
    keeping limit: Int, omitted: (@Sendable (Int) -> Event)?
  ) -> (events: EventSequence<Event>, add: @Sendable (Event) -> Void) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: EventSequence<Event>.Numbered.self, bufferingPolicy: .bufferingNewest(limit))
    let number = EventNumber()
    let add = { @Sendable (event: Event) in
      number.take { continuation.yield((number: $0, event: event)) }
    }
    let subscription = subscribe(add, finish: { continuation.finish() })
    continuation.onTermination = { _ in subscription.cancel() }
    return (EventSequence(stream: stream, omitted: omitted), add)
  }
}

/// Numbers the events of one sequence from 0.
private final class EventNumber: Sendable {
  /// Protects the next number; held while its event is added, so that the numbers are in order.
  private let next = Mutex(0)

  func take(_ add: (Int) -> Void) {
    next.withLock { next in
      add(next)
      next += 1
    }
  }
}
