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
      if let error = absence(of: nil) { return answer(ControlAnswer(id, error)) }
      return send(self.command(command, statuses), to: nil, nil, id, answer)
    }
    if let status = lanes.value[name] {
      return send(self.command(command, [status]), to: status.id, name, id, answer)
    }
    if command == .stop, starts.cancel(name, id, answer) { return }
    if command == .resume, starts.resume(name, unknown(name), id, answer) { return }
    answer(ControlAnswer(id, unknown(name)))
  }

  /// With several workouts `toggle` brings them together: while one runs, all pause.
  private func command(
    _ command: ControlRequest.LaneCommand, _ statuses: [LaneStatus]
  ) -> Command {
    switch command {
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

  /// Ends the phases that wait for a signal.
  func signal(_ name: String, lane: String?, _ id: RequestID, _ answer: @escaping Answer) {
    let status = lane.flatMap { lanes.value[$0] }
    if let error = status == nil ? absence(of: lane) : nil {
      return answer(ControlAnswer(id, error))
    }
    host.signal(name, to: status?.id) { [self] result in
      // Behind everything that the signal has brought about.
      queue.async { [self] in
        if case .noEffect = result.answer {
          let subject = lane.map { "\"\($0)\" does not wait" } ?? "no workout waits"
          return answer(ControlAnswer(id, noEffect("\(subject) for \"\(name)\"", result)))
        }
        if let error = refusal(result.answer, "signal", of: lane) {
          return answer(ControlAnswer(id, error))
        }
        var reply = done(id)
        reply.lanes = names(of: result.lanes)
        answer(reply)
      }
    }
  }

  /// Sets a live value.
  func setValue(
    _ value: ValueRequest, lane: String?, _ id: RequestID, _ answer: @escaping Answer
  ) {
    let status = lane.flatMap { lanes.value[$0] }
    if let error = status == nil ? absence(of: lane) : nil {
      return answer(ControlAnswer(id, error))
    }
    let end = value.validFor.map { configuration.clock() + .milliseconds($0) }
    let live = value.content.map { LiveValue($0, validUntil: end) }
    host.setValue(value.name, to: live, in: status?.id) { [self] result in
      queue.async { [self] in
        if let error = refusal(result, "value", of: lane) {
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
          return answer(ControlAnswer(id, noEffect("\(subject) repetitions now", result)))
        }
        if let error = refusal(result.answer, command.rawValue, of: name) {
          return answer(ControlAnswer(id, error))
        }
        var reply = done(id)
        reply.lanes = name.map { [$0] } ?? names(of: result.lanes)
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
        absence(of: lane)
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
        if let error = refusal(result, "say", of: status.name) {
          return answer(ControlAnswer(id, error))
        }
        var reply = done(id)
        reply.lanes = [status.name]
        answer(reply)
      }
    }
  }

  /// The names of lanes that surfaces know: one that fades may have lost its name to another.
  private func names(of lanes: [LaneStatus]) -> [String] {
    lanes.filter(self.lanes.value.hasName).map(\.name)
  }

  /// Of a signal or a repetition. In a pause only that is the reason.
  private func noEffect(_ line: String, _ result: CommandResult) -> ControlError {
    ControlError(.noEffect, result.paused.map { "\"\($0.name)\" is paused" } ?? line)
  }

  /// Nil where it took effect.
  private func refusal(
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
    case .refused(let line): return ControlError(.invalid, line)
    case .busy(let line): return ControlError(.failed, "\(subject): \(line)")
    case .shutDown: return .ending
    }
  }

  /// Why there is no workout of that name, or with nil none at all; nil where there are some.
  private func absence(of lane: String?) -> ControlError? {
    lane.map(unknown) ?? (statuses.isEmpty ? noLane : nil)
  }

  private var noLane: ControlError {
    let later = starts.scheduledNames.map { "\"\($0)\"" }.joined(separator: ", ")
    return ControlError(
      .noLane, "no workout is running" + (later.isEmpty ? "" : "; still to begin: \(later)"))
  }

  private func unknown(_ name: String) -> ControlError {
    if starts.isComing(name) {
      return ControlError(.noEffect, "\"\(name.shown(atMost: 30))\" has not begun")
    }
    // One that was stopped fades, and takes no commands.
    let names = statuses.filter { !$0.isOver }.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return ControlError(
      .unknownLane,
      "no workout \"\(name.shown(atMost: 30))\" is running"
        + (names.isEmpty ? "" : "; there are \(names)"))
  }
}

extension MessageLeftOut {
  /// For a person.
  package var line: String {
    "\(lane): \"\(text.shown(atMost: 30))\" is not said: \(reason)".singleLine
  }
}
