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
    if let error = status == nil ? refusals.absence(of: lane) : nil {
      return answer(ControlAnswer(id, error))
    }
    host.signal(name, to: status?.id) { [self] result in
      // Behind everything that the signal has brought about.
      queue.async { [self] in
        if case .noEffect = result.answer {
          let subject = lane.map { "\"\($0)\" does not wait" } ?? "no workout waits"
          return answer(ControlAnswer(id, refusals.noEffect("\(subject) for \"\(name)\"", result)))
        }
        if let error = refusals.refusal(result.answer, "signal", of: lane) {
          return answer(ControlAnswer(id, error))
        }
        var reply = done(id)
        reply.lanes = lanes.value.names(of: result.lanes)
        answer(reply)
      }
    }
  }

  /// Sets a live value.
  func setValue(
    _ value: ValueRequest, lane: String?, _ id: RequestID, _ answer: @escaping Answer
  ) {
    let status = lane.flatMap { lanes.value[$0] }
    if let error = status == nil ? refusals.absence(of: lane) : nil {
      return answer(ControlAnswer(id, error))
    }
    let end = value.validFor.map { configuration.clock() + .milliseconds($0) }
    let live = value.content.map { LiveValue($0, validUntil: end) }
    host.setValue(value.name, to: live, in: status?.id) { [self] result in
      queue.async { [self] in
        if let error = refusals.refusal(result, "value", of: lane) {
          return answer(ControlAnswer(id, error))
        }
        answer(done(id))
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
        if case .noEffect = result.answer, command == .rep {
          let subject = name.map { "\"\($0)\" counts no" } ?? "no workout counts"
          return answer(ControlAnswer(id, refusals.noEffect("\(subject) repetitions now", result)))
        }
        if let error = refusals.refusal(result.answer, command.rawValue, of: name) {
          return answer(ControlAnswer(id, error))
        }
        var reply = done(id)
        reply.lanes = name.map { [$0] } ?? lanes.value.names(of: result.lanes)
        guard command == .rep else { return answer(reply) }
        // Not even a power failure loses a repetition that has been answered.
        filing.async { [self, reply] in
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
        if case .busy(let reason) = result {
          let message = "\(status.name): \"\(line.shown(atMost: 30))\" is not said: \(reason)"
          return answer(ControlAnswer(id, ControlError(.failed, message.singleLine)))
        }
        if let error = refusals.refusal(result, "say", of: status.name) {
          return answer(ControlAnswer(id, error))
        }
        var reply = done(id)
        reply.lanes = [status.name]
        answer(reply)
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
    }
  }
}

extension MessageLeftOut {
  /// For a person.
  package var line: String {
    "\(lane): \"\(text.shown(atMost: 30))\" is not said: \(reason)".singleLine
  }
}
