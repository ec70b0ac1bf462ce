import IntervalTimeline

/// How the lanes are. Each blocks until the check queue is free, and may not be called from a closure that
/// runs there.
extension CueEngine {
  /// Nil where the lane has ended; after `shutDown` as it was then. Blocks until the check queue is free.
  /// Not from an `events` closure, which has its status.
  public func status(of lane: LaneID) -> LaneStatus? {
    loop.wait { [self] in status(of: lane, in: loop.state.value) }
  }

  /// On the queue.
  func status(of lane: LaneID, in state: EngineState) -> LaneStatus? {
    state.coach.lanes.contains(lane)
      ? state.coach.performer.status(of: lane, at: state.instant(at: loop.clock())) : nil
  }

  /// Every lane that has not ended, in the order in which they were added, as of one instant, after
  /// `shutDown` as of then. Blocks until the check queue is free. Not from an `events` closure.
  public func statuses() -> [LaneStatus] {
    loop.wait { [self] in currentStatuses }
  }

  /// The same without waiting: `receive` is called on the check queue, behind everything that has been reported.
  package func statuses(_ receive: @escaping @Sendable ([LaneStatus]) -> Void) {
    loop.queue.async { [self] in receive(currentStatuses) }
  }

  /// On the queue.
  private var currentStatuses: [LaneStatus] {
    let now = loop.state.value.instant(at: loop.clock())
    return loop.state.value.coach.lanes.ids.map {
      loop.state.value.coach.performer.status(of: $0, at: now)
    }
  }

  /// A lane's session as it is now, after `shutDown` as it was then; nil where the lane has ended. Blocks
  /// until the check queue is free. Not from a closure that was given to the initialiser.
  public func record(of lane: LaneID) -> SessionRecord? {
    loop.wait { [self] in
      let now = loop.state.value.instant(at: loop.clock())
      return loop.state.value.coach.lanes.contains(lane)
        ? loop.state.value.coach.performer.record(of: lane, at: now) : nil
    }
  }
}
