import Dispatch
import IntervalTimeline

/// The commands for callers that run in a task: each returns what became of it, blocks no thread and may be
/// given from anywhere, a task begun in one of the engine's closures among them. Cancelling the task
/// withdraws no command, but it does withdraw a message (`say`).
extension CueEngine {
  /// Adds a workout under a name of its own; it waits for `start`. See the form that blocks.
  ///
  /// - Throws: `LaneError`; nothing has changed then.
  public func addLane(
    _ name: String, timeline: Timeline, style: LaneStyle = LaneStyle(),
    sounds: SoundPack? = nil, restoring record: SessionRecord? = nil
  ) async throws(LaneError) -> LaneID {
    let result = await withCheckedContinuation { continuation in
      loop.queue.async { [self] in
        continuation.resume(
          returning: add(name, timeline: timeline, style: style, sounds: sounds, restoring: record))
      }
    }
    return try result.get()
  }

  /// Opens the output for the coming start, and renders what is said first. Returns when that is done, after
  /// at most `patience`.
  ///
  /// - Parameter lanes: those that are to start; nil: all.
  public func prepare(
    _ lanes: [LaneID]? = nil, within patience: Duration = .milliseconds(400)
  ) async {
    await withCheckedContinuation { continuation in
      // Waits on a thread of its own, because the threads of tasks are few.
      DispatchQueue(label: "cuecoach.prepare").async { [self] in
        prepare(lanes, within: patience)
        continuation.resume()
      }
    }
  }

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

  /// Starts lanes so that workout time zero is at `instant`, to the sample. Returns when they wait for it.
  ///
  /// - Returns: `refused` for an instant that is more than a day ahead.
  @discardableResult
  public func start(_ lanes: [LaneID], at instant: BootInstant) async -> CommandAnswer {
    await answer { start(lanes, at: instant, answer: $0) }
  }

  /// Passes a signal from outside to one lane, or with nil to all. See the form that returns at once.
  ///
  /// - Returns: `done`; `noEffect` where no phase waits for it, also for a name that no signal can have;
  ///   `unknownLane`, `noLane` or `shutDown`.
  @discardableResult
  public func signal(_ name: String, to lane: LaneID? = nil) async -> CommandAnswer {
    await answer { signal(name, to: lane, answer: $0) }
  }

  /// Resumes lanes that have run before, and announces that.
  @discardableResult
  public func restore(_ lanes: [Restoration]) async -> CommandAnswer {
    await answer { restore(lanes, answer: $0) }
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

/// The answer to a command whose closure is called once.
package func answer(
  _ give: (@escaping @Sendable (CommandAnswer) -> Void) -> Void
) async -> CommandAnswer {
  await withCheckedContinuation { continuation in
    give { continuation.resume(returning: $0) }
  }
}
