import CueEngine
import IntervalTimeline

/// The commands for callers that run in a task: each returns what became of it, and blocks no thread.
/// Cancelling the task withdraws no command, but a message.
extension CoachHost {
  /// Starts lanes that were added: new ones all at the same instant, resumed ones as their mode says.
  ///
  /// - Parameter instant: when workout time zero of the new ones is, up to a minute ahead; as soon as
  ///   possible when nil.
  /// - Returns: `done` if a lane began; otherwise why none did.
  @discardableResult
  public func begin(_ ids: [LaneID], at instant: BootInstant? = nil) async -> CommandAnswer {
    await answer { begin(ids, at: instant, answer: $0) }
  }

  /// Sends a command to one lane, or with nil to all lanes at the same instant.
  @discardableResult
  public func send(_ command: Command, to lane: LaneID? = nil) async -> CommandAnswer {
    await answer { send(command, to: lane, answer: $0) }
  }

  /// Passes a signal from outside to one lane, or with nil to all: see `CueEngine.signal`.
  @discardableResult
  public func signal(_ name: String, to lane: LaneID? = nil) async -> CommandAnswer {
    await answer { signal(name, to: lane, answer: $0) }
  }

  /// Says a message, and waits until it is known what became of it. Cancelling the task withdraws the message.
  public func say(
    _ message: Message, in lane: LaneID, at instant: BootInstant? = nil
  ) async -> MessageReport {
    await engine.say(message, in: lane, at: instant)
  }

  /// Sets a live value of one lane, or with nil of all: see `CueEngine.setValue`.
  @discardableResult
  public func setValue(
    _ name: String, to value: LiveValue?, in lane: LaneID? = nil
  ) async -> CommandAnswer {
    await engine.setValue(name, to: value, in: lane)
  }

  /// Sets the master volume of all lanes, a linear gain that is clamped to 0…1.
  @discardableResult
  public func setVolume(_ gain: Float) async -> CommandAnswer {
    await answer { setVolume(gain, answer: $0) }
  }
}
