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
  fileprivate let waiting: WaitingEvents<Element>
  /// What stands for a number of omitted elements; nil where each element replaces the one before.
  fileprivate let omitted: (@Sendable (Int) -> Element)?

  /// The place of one loop in the sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator(), waiting: waiting, omitted: omitted)
  }

  /// Reads the sequence, in one task.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<Numbered>.Iterator
    fileprivate let waiting: WaitingEvents<Element>
    fileprivate let omitted: (@Sendable (Int) -> Element)?

    /// The next element; nil at the end, or when the task is cancelled.
    public mutating func next() async -> Element? { await next(isolation: nil) }

    /// The same on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      if let held = waiting.takeHeld() { return held }
      guard let (number, event) = await base.next(isolation: actor) else { return nil }
      guard let omitted else { return event }
      let missing = waiting.missing(before: number, event)
      return missing > 0 ? omitted(missing) : event
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
    let waiting = WaitingEvents<Event>()
    let add = { @Sendable (event: Event) in
      waiting.add { continuation.yield((number: $0, event: event)) }
    }
    let subscription = subscribe(add, finish: { continuation.finish() })
    continuation.onTermination = { _ in subscription.cancel() }
    return (EventSequence(stream: stream, waiting: waiting, omitted: omitted), add)
  }
}

/// What the loops over one sequence share: the numbers of its events, from 0, and which of them nobody will read.
private final class WaitingEvents<Element: Sendable>: Sendable {
  private struct State {
    var next = 0
    /// The numbers of events that were replaced before they were read, in order.
    var replaced: [Range<Int>] = []
    /// Events whose place was taken by one that says how many were omitted; they come next.
    var held: [Element] = []
  }

  /// Protects everything; held while an event is added, so that the numbers are in order.
  private let state = Mutex(State())

  func add(
    _ add: (Int) -> AsyncStream<EventSequence<Element>.Numbered>.Continuation.YieldResult
  ) {
    state.withLock { state in
      let result = add(state.next)
      state.next += 1
      guard case .dropped(let dropped) = result else { return }
      let number = dropped.number
      if let last = state.replaced.last, last.upperBound == number {
        state.replaced[state.replaced.count - 1] = last.lowerBound..<number + 1
      } else {
        state.replaced.append(number..<number + 1)
      }
    }
  }

  func takeHeld() -> Element? {
    state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }
  }

  /// How many were replaced before that event, which is held if there are any. None are reported twice.
  func missing(before number: Int, _ event: Element) -> Int {
    state.withLock { state in
      let missing = state.replaced.prefix { $0.lowerBound < number }
      guard !missing.isEmpty else { return 0 }
      state.replaced.removeFirst(missing.count)
      state.held.append(event)
      return missing.reduce(0) { $0 + $1.count }
    }
  }
}
