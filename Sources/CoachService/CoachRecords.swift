import ControlProtocol

/// What a handler needs of the disk for what is asked for beside the workouts: the history, people, presets that they
/// like. Any thread; blocks.
package protocol CoachRecords: Sendable {
  /// Obeys a request, and writes what it is answered with. What it changes is on disk when it returns.
  func obey(
    _ action: DeskRequest.Action, _ reply: inout ControlAnswer
  ) throws(ControlError)
  /// The starts that repeat, as they were kept last.
  func schedules() throws(ControlError) -> [RepeatedStart]
  /// Keeps the starts that repeat. On disk when it returns.
  func keep(_ schedules: [RepeatedStart]) throws(ControlError)
  /// One of them has not begun, because its time has passed: the history says so.
  ///
  /// - Parameter instant: nanoseconds since 1970.
  func miss(_ order: ScheduleOrder, at instant: Int64) throws(ControlError)
  /// A preset has another name from now on: what people have marked stays marked. On disk when it returns.
  func rename(_ preset: String, to name: String) throws(ControlError)
}

extension ControlHandler {
  /// What is asked for beside the workouts.
  func obey(_ action: DeskRequest.Action, _ id: RequestID, _ answer: @escaping Answer) {
    switch action {
    case .presets:
      return file(id, answer) { [configuration] reply throws(ControlError) in
        try configuration.files.obey(.desk(DeskRequest(action)), &reply)
      }
    case .startTogether(let order, let lanes):
      return starts.start(order, as: lanes, id, answer)
    case .mute(let isMuted, let volume):
      return feed.setVolume(volume, isMuted: isMuted, id, answer)
    case .outputs, .output:
      return file(id, answer) { [self] reply throws(ControlError) in
        try configuration.outputs.obey(action, &reply)
        // Each has a ceiling of its own.
        if case .output = action { refreshVolume() }
      }
    default: break
    }
    if case .discard(let lane) = action, starts.takenNames.contains(lane) {
      let line: Sentence = "\"\(lane)\" is running or still to begin; stop ends it"
      return answer(ControlAnswer(id, ControlError(.noEffect, line)))
    }
    guard let records = configuration.records else {
      return answer(ControlAnswer(id, .noRecords))
    }
    if repeated.obey(action, id, answer) { return }
    // Among the starts: a workout of the name may be about to begin.
    let queue = if case .discard = action { starts.starting } else { filing }
    file(id, on: queue, answer) { [configuration] reply throws(ControlError) in
      // Whoever has seen the end of a workout finds it.
      configuration.host.flush()
      try records.obey(action, &reply)
    }
  }
}

extension ControlError {
  static let noRecords = ControlError(.failed, "this coach keeps no history for its surfaces")
}
