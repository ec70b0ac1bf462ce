import IntervalTimeline

/// The commands for callers that run in a task.
extension LaneCommands {
  /// Gives a command to one lane, or with nil to all at the same instant: that of the call.
  @discardableResult
  public func send(_ command: Command, to lane: LaneID? = nil) async -> CommandAnswer {
    await answer { send(command, to: lane, answer: $0) }
  }

  /// Gives a command to some lanes at the same instant: that of the call.
  @discardableResult
  public func send(_ command: Command, to lanes: [LaneID]) async -> CommandAnswer {
    await answer { send(command, to: lanes, answer: $0) }
  }

  /// Passes a signal from outside to one lane, or with nil to all. See the form that returns at once.
  ///
  /// - Returns: `done`; `noEffect` where no phase waits for it, also for a name that no signal can have;
  ///   `unknownLane`, `noLane` or `shutDown`.
  @discardableResult
  public func signal(_ name: String, to lane: LaneID? = nil) async -> CommandAnswer {
    await answer { signal(name, to: lane, answer: $0) }
  }

  /// Sets a live value, which texts say by its name in braces. See the form that returns at once.
  ///
  /// - Returns: `done`; `unknownValue` where no text says it; `refused` for a name that is none, and for a lane's
  ///   hundred and first value; `unknownLane`, `noLane` or `shutDown`.
  @discardableResult
  public func setValue(
    _ name: String, to value: LiveValue?, in lane: LaneID? = nil
  ) async -> CommandAnswer {
    await answer { setValue(name, to: value, in: lane, answer: $0) }
  }

  /// Sets the master volume of all lanes, a linear gain that is clamped to 0…1.
  ///
  /// - Returns: `done`, or `refused` for what is no number.
  @discardableResult
  public func setVolume(_ gain: Float) async -> CommandAnswer {
    await answer { setVolume(gain, answer: $0) }
  }
}
