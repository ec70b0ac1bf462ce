import ControlProtocol
import CueEngine
import IntervalTimeline

/// Answers a request to start workouts when it is known of each what becomes of it: with those that begin, or why none
/// does.
final class StartTally: Sendable {
  private struct State {
    var left: Int
    var lanes: [String] = []
    var warnings: [Sentence] = []
    /// Why the first does not begin that does not.
    var error: ControlError?
  }

  private let feed: ControlFeed
  private let id: RequestID
  private let answer: ControlHandler.Answer
  private let state: QueueConfined<State>

  init(
    of count: Int, _ starts: WorkoutStarts, _ id: RequestID,
    _ answer: @escaping ControlHandler.Answer
  ) {
    (feed, self.id, self.answer) = (starts.feed, id, answer)
    state = QueueConfined(State(left: count), to: starts.queue)
  }

  /// On the handler's queue, once for each workout.
  ///
  /// - Parameter error: why it does not begin; nil: it does, and there are notes about it.
  func note(_ name: String, _ error: ControlError?, _ notices: [Sentence]) {
    state.value.left -= 1
    if error == nil { state.value.lanes.append(name) }
    state.value.error = state.value.error ?? error
    let lines = error.map { ["\"\(name)\" does not begin: \($0.sentence)"] } ?? notices
    for line in lines where !state.value.warnings.contains(line) {
      state.value.warnings.append(line)
    }
    guard state.value.left == 0 else { return }
    if let error = state.value.error, state.value.lanes.isEmpty {
      return answer(ControlAnswer(id, error))
    }
    var reply = feed.done(id)
    reply.lanes = state.value.lanes
    reply.notes = state.value.warnings.isEmpty ? nil : state.value.warnings
    answer(reply)
  }
}
