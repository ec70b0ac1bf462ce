import IntervalTimeline

/// Why a lane was not added.
public enum LaneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A name has 1 to 500 characters on one line, and not all of them are invisible.
  case name(String)
  /// A lane of that name is not over yet.
  case nameTaken(String)
  /// As many lanes as an engine takes have not ended.
  case full(limit: Int)
  /// The saved session belongs to a workout with other phases.
  case otherWorkout
  /// The lane's sounds have another sample rate than the engine's.
  case sampleRate(Int, expected: Int)
  /// A value of the style is outside its range; the line says which.
  case style(String)
  /// `shutDown` was called.
  case shutDown

  public var description: String {
    switch self {
    case .name(let name):
      "\(String(reflecting: String(name.prefix(40)))) as the name of a lane, expected "
        + NameRule.workout.expected.text
    case .nameTaken(let name): "the name \"\(name)\" is taken by a workout that has not ended"
    case .full(let limit): "\(limit) workouts run, as many as an engine takes"
    case .otherWorkout: "the session does not fit the workout"
    case .sampleRate(let rate, let expected):
      "the sounds have \(rate) samples a second, expected \(expected)"
    case .style(let line): line
    case .shutDown: "the engine has been shut down"
    }
  }
}

/// What became of a command.
public enum CommandAnswer: Hashable, Sendable {
  /// It took effect, in at least one of the lanes it was for.
  case done
  /// The lane has ended, or is of another engine.
  case unknownLane
  /// It was for all lanes, and there is none.
  case noLane
  /// The command changes nothing in this state, such as `pause` in a paused workout.
  case noEffect(Transport.State)
  /// No text of the workout or its catalogue says a live value of this name. It is kept all the same, for
  /// messages.
  case unknownValue(String)
  /// A text finds no room, or too many wait to be said; the line says which. Later it may be possible.
  case busy(String)
  /// What was asked for cannot be, such as a volume that is no number; the line says why. Nothing has
  /// changed.
  case refused(String)
  /// `shutDown` was called.
  case shutDown
}

/// What became of a command, and the lanes that obeyed it.
package struct CommandResult: Sendable {
  package var answer: CommandAnswer
  /// As they were once they had obeyed.
  package var lanes: [LaneStatus] = []
  /// Of a repetition or a signal: a lane that would have counted it or ended its phase if it were not paused.
  package var paused: LaneStatus?

  /// That lane has obeyed.
  mutating func note(_ status: LaneStatus) {
    answer = .done
    lanes.append(status)
  }
}

extension CommandAnswer: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .done: "done"
    case .unknownLane: "the workout has ended, or is of another engine"
    case .noLane: "there is no workout"
    case .noEffect(let state): "it changes nothing: the workout is \(state.rawValue)"
    case .unknownValue(let name): "nothing in the workout says \"\(name)\""
    case .refused(let line), .busy(let line): line
    case .shutDown: "the engine has been shut down"
    }
  }
}
