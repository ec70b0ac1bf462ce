import Dispatch
import IntervalTimeline

/// The commands for callers that run in a task, as those of `LaneCommands`.
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

  /// Starts lanes so that workout time zero is at `instant`, to the sample. Returns when they wait for it.
  ///
  /// - Returns: `refused` for an instant that is more than a day ahead.
  @discardableResult
  public func start(_ lanes: [LaneID], at instant: BootInstant) async -> CommandAnswer {
    await answer { start(lanes, at: instant, answer: $0) }
  }

  /// Resumes lanes that have run before, and announces that.
  @discardableResult
  public func restore(_ lanes: [Restoration]) async -> CommandAnswer {
    await answer { restore(lanes, answer: $0) }
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
