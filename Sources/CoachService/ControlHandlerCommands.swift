import CoachHost
import ControlProtocol
import CueEngine
import IntervalTimeline

/// Commands to workouts that run.
extension ControlHandler {
  func obey(
    _ command: ControlRequest.LaneCommand, lane: String?, _ id: RequestID,
    _ answer: @escaping Answer
  ) {
    guard let name = lane else {
      if let error = refusals.absence(of: nil) { return answer(ControlAnswer(id, error)) }
      return send(command.forAll(statuses), to: nil, nil, id, answer)
    }
    if let status = lanes.value[name] {
      return send(command.forAll([status]), to: status.id, name, id, answer)
    }
    if command == .stop, starts.cancel(name, id, answer) { return }
    if command == .resume, starts.resume(name, refusals.unknown(name), id, answer) { return }
    answer(ControlAnswer(id, refusals.unknown(name)))
  }

  /// Ends the phases that wait for a signal.
  func signal(_ name: String, lane: String?, _ id: RequestID, _ answer: @escaping Answer) {
    let status = lane.flatMap { lanes.value[$0] }
    if status == nil, let error = refusals.absence(of: lane) {
      return answer(ControlAnswer(id, error))
    }
    host.signal(name, to: status?.id) { [self] result in
      // Behind everything that the signal has brought about.
      queue.async { [self] in
        var error = refusals.refusal(result.answer, "signal", of: lane)
        if case .noEffect = result.answer {
          let subject = lane.map { "\"\($0)\" does not wait" } ?? "no workout waits"
          error = refusals.noEffect("\(subject) for \"\(name)\"", result)
        }
        answer(reply(id, error, lanes: lanes.value.names(of: result.lanes)))
      }
    }
  }

  /// What stands against a request, or with nil that it is done for these workouts.
  private func reply(
    _ id: RequestID, _ error: ControlError?, lanes: [String]? = nil
  ) -> ControlAnswer {
    if let error { return ControlAnswer(id, error) }
    var reply = feed.done(id)
    reply.lanes = lanes
    return reply
  }

  /// Sets a live value.
  func setValue(
    _ value: ValueRequest, lane: String?, _ id: RequestID, _ answer: @escaping Answer
  ) {
    let status = lane.flatMap { lanes.value[$0] }
    if status == nil, let error = refusals.absence(of: lane) {
      return answer(ControlAnswer(id, error))
    }
    let end = value.validFor.map { configuration.clock() + .milliseconds($0) }
    let live = value.content.map { LiveValue($0, validUntil: end) }
    host.setValue(value.name, to: live, in: status?.id) { [self] result in
      queue.async { [self] in
        answer(reply(id, refusals.refusal(result, "value", of: lane)))
      }
    }
  }

  private func send(
    _ command: Command, to lane: LaneID?, _ name: String?, _ id: RequestID,
    _ answer: @escaping Answer
  ) {
    host.send(command, to: lane) { [self] result in
      // Behind everything that the command has brought about.
      queue.async { [self] in
        var error = refusals.refusal(result.answer, command.rawValue, of: name)
        if case .noEffect = result.answer, command == .rep {
          let subject = name.map { "\"\($0)\" counts no" } ?? "no workout counts"
          error = refusals.noEffect("\(subject) repetitions now", result)
        }
        let reply = self.reply(
          id, error, lanes: name.map { [$0] } ?? lanes.value.names(of: result.lanes))
        guard command == .rep, error == nil else { return answer(reply) }
        // Not even a power failure loses a repetition that has been answered.
        filing.async { [self] in
          host.flush()
          answer(reply)
        }
      }
    }
  }

  func say(_ text: String, lane: String?, _ id: RequestID, _ answer: @escaping Answer) {
    let named = lane.flatMap { lanes.value[$0] }
    guard let status = named ?? (lane == nil && statuses.count == 1 ? statuses[0] : nil) else {
      let names = statuses.map { "\"\($0.name)\"" }.joined(separator: ", ")
      let error =
        refusals.absence(of: lane)
        ?? ControlError(.unknownLane, "lane: several workouts run; expected one of \(names)")
      return answer(ControlAnswer(id, error))
    }
    let line = text.singleLine
    guard line.contains(where: { !$0.isWhitespace }) else {
      return answer(ControlAnswer(id, ControlError(.malformed, "text: expected words")))
    }
    host.say(line, in: status.id) { [self] result in
      queue.async { [self] in
        var error = refusals.refusal(result, "say", of: status.name)
        if case .busy(let reason) = result {
          let message = "\(status.name): \"\(line.shown(atMost: 30))\" is not said: \(reason)"
          error = ControlError(.failed, message: message.singleLine)
        }
        answer(reply(id, error, lanes: [status.name]))
      }
    }
  }
}

extension ControlRequest.LaneCommand {
  /// What it asks of the workouts it is for. `toggle` brings several together: while one runs, all pause.
  fileprivate func forAll(_ statuses: [LaneStatus]) -> Command {
    switch self {
    case .pause: .pause
    case .resume: .resume
    case .toggle: statuses.contains { $0.state == .running } ? .pause : .resume
    case .next: .next
    case .back: .back
    case .stop: .stop
    case .rep: .rep
    case .whereAmI: .whereAmI
    case .sayTime: .sayTime
    }
  }
}

extension MessageLeftOut {
  /// For a person.
  package var line: String {
    "\(lane): \"\(text.shown(atMost: 30))\" is not said: \(reason)".singleLine
  }
}
