import IntervalTimeline

/// Something that happens to a planned run from outside, and when.
///
/// ```swift
/// let script: [ScriptStep] = [
///   .signal("heart-rate-low", at: .seconds(42)),
///   .command(.pause, at: .seconds(60)), .command(.resume, at: .seconds(75)),
///   ScriptStep(.say(Message("Half of it")), at: .workoutTime(.seconds(90))),
///   ScriptStep(.say(Message("Now"), for: .seconds(120)), at: .sinceStart(.seconds(100))),
/// ]
/// ```
public struct ScriptStep: Hashable, Sendable {
  /// What happens.
  public enum Action: Hashable, Sendable {
    /// As `CueEngine.send` gives it; `.rep` counts a repetition.
    case command(Command)
    /// As `CueEngine.signal` passes it.
    case signal(String)
    /// As `CueEngine.say` says it: as soon as it has room, or with its first sample at a time since the start of the
    /// run. `PlannedRun.reports` has what became of it.
    case say(Message, for: Duration? = nil)
    /// As `CueEngine.setValue` sets it; instants count from `PlannedRun.start`.
    case value(String, LiveValue?)
  }

  /// When it happens.
  public enum Moment: Hashable, Sendable {
    /// Since the run began, pauses included. Not below zero.
    case sinceStart(Duration)
    /// In the lane's workout time, which stands still in a pause; at once where it has passed already. Not
    /// below zero. Its time never comes where the lane ends before it.
    case workoutTime(Duration)

    var time: Duration {
      switch self {
      case .sinceStart(let time), .workoutTime(let time): time
      }
    }
  }

  /// What happens.
  package var action: Action
  /// When it happens.
  package var moment: Moment
  /// The name of the lane that it is for. Nil: every lane, where a text is said by the first lane alone, and
  /// a workout time is that of the first lane.
  package var lane: String?

  /// A step for one lane, or with nil for all.
  public init(_ action: Action, at moment: Moment, lane: String? = nil) {
    self.action = action
    self.moment = moment
    self.lane = lane
  }

  /// A command at that time since the start of the run.
  public static func command(
    _ command: Command, at time: Duration, lane: String? = nil
  ) -> ScriptStep { ScriptStep(.command(command), at: .sinceStart(time), lane: lane) }

  /// A signal at that time since the start of the run.
  public static func signal(
    _ name: String, at time: Duration, lane: String? = nil
  ) -> ScriptStep { ScriptStep(.signal(name), at: .sinceStart(time), lane: lane) }

  /// A text that is said as soon as it has room after that time since the start of the run.
  public static func say(
    _ text: String, at time: Duration, lane: String? = nil
  ) -> ScriptStep { ScriptStep(.say(Message(text)), at: .sinceStart(time), lane: lane) }

  /// A live value that is set at that time since the start of the run; nil removes it.
  public static func value(
    _ name: String, _ value: LiveValue?, at time: Duration, lane: String? = nil
  ) -> ScriptStep { ScriptStep(.value(name, value), at: .sinceStart(time), lane: lane) }
}
