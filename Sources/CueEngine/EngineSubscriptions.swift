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

  /// A lane's status: as it is now, then whenever a command, a signal or a phase's end has changed it, until
  /// the lane has ended. A slow reader finds the latest one only.
  public func statuses(of lane: LaneID) -> EventSequence<LaneStatus> {
    let (statuses, add) = feed.statuses(of: lane)
    loop.queue.async { [self] in
      guard !loop.state.value.isShutDown, let status = status(of: lane, in: loop.state.value) else {
        feed.end(lane)
        return
      }
      add(status)
    }
    return statuses
  }

  /// How many are subscribed, for tests.
  package var subscriberCount: Int { feed.count }
}
