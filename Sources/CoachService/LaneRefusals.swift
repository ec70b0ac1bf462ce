import ControlProtocol
import CueEngine
import IntervalTimeline

/// Says why a request has no effect on the workouts that there are. On the handler's queue.
struct LaneRefusals {
  /// The workouts that surfaces know.
  let statuses: [LaneStatus]
  let starts: WorkoutStarts

  /// Of a signal or a repetition. In a pause only that is the reason.
  func noEffect(_ line: Sentence, _ result: CommandResult) -> ControlError {
    ControlError(.noEffect, result.paused.map { "\"\($0.name)\" is paused" } ?? line)
  }

  /// Nil where it took effect.
  func refusal(
    _ answer: CommandAnswer, _ command: String, of lane: String?
  ) -> ControlError? {
    let subject = lane.map { "\"\($0)\"" } ?? "every workout"
    switch answer {
    case .done: return nil
    case .unknownLane: return ControlError(.unknownLane, "\(subject) has ended")
    case .noLane: return noLane
    case .noEffect where command == Command.whereAmI.rawValue:
      return ControlError(.noEffect, "\(subject) is answering already")
    case .noEffect(let state):
      return ControlError(
        .noEffect, "\(command) changes nothing: \(subject) is \(state.rawValue)")
    case .unknownValue(let name):
      return ControlError(.noEffect, "no text\(lane.map { " of \"\($0)\"" } ?? "") says {\(name)}")
    case .refused(let line): return ControlError(.invalid, message: line)
    case .busy(let line): return ControlError(.failed, "\(subject): \(line)")
    case .shutDown: return .ending
    }
  }

  /// Why there is no workout of that name, or with nil none at all; nil where there are some.
  func absence(of lane: String?) -> ControlError? {
    lane.map(unknown) ?? (statuses.isEmpty ? noLane : nil)
  }

  private var noLane: ControlError {
    let later = starts.scheduledNames.map { "\"\($0)\"" }.joined(separator: ", ")
    return ControlError(
      .noLane,
      later.isEmpty ? "no workout is running" : "no workout is running; still to begin: \(later)")
  }

  func unknown(_ name: String) -> ControlError {
    if starts.isComing(name) {
      return ControlError(.noEffect, "\"\(name.shown(atMost: 30))\" has not begun")
    }
    // One that was stopped fades, and takes no commands.
    let names = statuses.filter { !$0.isOver }.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let problem: Sentence = "no workout \"\(name.shown(atMost: 30))\" is running"
    return ControlError(.unknownLane, names.isEmpty ? problem : "\(problem); there are \(names)")
  }
}
