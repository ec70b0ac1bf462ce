/// Everything that happens, as sequences beside the closures. Any thread, any number of them; one that is
/// made after `shutDown` is empty.
///
/// A sequence receives what happens after it was made: make it before the command whose effect it is to
/// show.
extension CueEngine {
  /// What the engine reports. A reader that is more than `EventSequence.limit` events behind finds
  /// `EngineEvent.omitted` in place of the oldest.
  public var events: EventSequence<EngineEvent> {
    feed.events.sequence { .omitted($0) }
  }

  /// Every line of the ledger, as it becomes known. A reader that is more than `EventSequence.limit` lines
  /// behind finds `LedgerEvent.omitted` in place of the oldest.
  public var ledger: EventSequence<LedgerEvent> {
    feed.ledger.sequence { .omitted($0) }
  }

  /// Calls `receive` on the check queue with words that will be heard, when they are placed, and again where they are
  /// withdrawn. It must not block.
  package func subscribeToSpeech(
    _ receive: @escaping @Sendable (SpokenText) -> Void
  ) -> Subscription {
    feed.spoken.subscribe(receive)
  }

  /// How many are subscribed, for tests.
  package var subscriberCount: Int { feed.count }
}
