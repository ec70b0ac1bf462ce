import IntervalTimeline

/// How the lanes are. What blocks waits until the check queue is free, and may not be called from a closure that runs
/// there.
extension LaneCommands {
  /// Nil where the lane has ended; after `shutDown` as it was then. Blocks until the check queue is free.
  /// Not from an `events` closure, which has its status.
  public func status(of lane: LaneID) -> LaneStatus? {
    access.loop.wait { [access] in access.status(of: lane) }
  }

  /// Every lane that has not ended, in the order in which they were added, as of one instant, after
  /// `shutDown` as of then. Blocks until the check queue is free. Not from an `events` closure.
  public func statuses() -> [LaneStatus] {
    access.loop.wait { [access] in access.statuses }
  }

  /// The same without waiting: `receive` is called on the check queue, behind everything that has been reported.
  package func statuses(_ receive: @escaping @Sendable ([LaneStatus]) -> Void) {
    access.loop.queue.async { [access] in receive(access.statuses) }
  }

  /// A lane's status: as it is now, then whenever a command, a signal or a phase's end has changed it, until
  /// the lane has ended. A slow reader finds the latest one only.
  public func statuses(of lane: LaneID) -> EventSequence<LaneStatus> {
    let (statuses, add) = access.feed.statuses(of: lane)
    access.loop.queue.async { [access] in
      guard !access.loop.state.value.isShutDown, let status = access.status(of: lane) else {
        return access.feed.end(lane)
      }
      add(status)
    }
    return statuses
  }
}
