import CoachHost
import ControlProtocol
import CueEngine
import IntervalTimeline

/// Starting workouts.
extension ControlHandler {
  /// How long before its start a workout is added: its first words are rendered and the device opened.
  static let headStart = Duration.seconds(3)
  /// The most that a start lies ahead.
  static let longestWait = Duration.seconds(7 * 86_400)

  func start(_ start: StartRequest, _ id: RequestID, _ answer: @escaping Answer) {
    guard parts.takesStarts else {
      return answer(
        ControlAnswer(
          id,
          ControlError(.failed, "this coach runs the workouts of a terminal and takes no others")))
    }
    let instant = start.at.map { BootInstant(nanoseconds: $0) }
    if let instant {
      let now = parts.clock()
      guard instant >= now, instant <= now + Self.longestWait else {
        return answer(
          ControlAnswer(
            id,
            ControlError(
              .invalid,
              "at: expected an instant from now, \(now.nanoseconds), up to a week ahead")))
      }
    }
    starting.async { [self] in
      let workout = Result { () throws(ControlError) in try parts.files.workout(start) }
      queue.async { [self] in
        do throws(ControlError) {
          try begin(workout.get(), lane: start.lane, at: instant, id, answer)
        } catch {
          answer(ControlAnswer(id, error))
        }
      }
    }
  }

  private func begin(
    _ workout: WorkoutToStart, lane: String?, at instant: BootInstant?, _ id: RequestID,
    _ answer: @escaping Answer
  ) throws(ControlError) {
    let names = takenNames
    guard names.count < ControlLimits.lanes else {
      throw ControlError(.full, "\(ControlLimits.lanes) workouts run: as many as the coach takes")
    }
    if let lane {
      guard NameRule.lane.allows(lane) else {
        throw ControlError(.malformed, "lane: expected \(NameRule.lane.expected)")
      }
      guard !names.contains(lane) else {
        throw ControlError(.nameTaken, "a workout \"\(lane)\" is running or still to begin")
      }
    }
    let name = lane ?? Self.free(NameRule.lane.fitted(workout.name), among: names)
    if let instant, instant > parts.clock() + Self.headStart {
      let wall = parts.wall() + parts.clock().duration(to: instant).wholeNanoseconds
      let later = ScheduledStart(name: name, workout: workout, wall: wall, at: instant)
      return schedule(later, id, answer)
    }
    launch(name, workout, at: instant) { [self] error in
      if let error { return answer(ControlAnswer(id, error)) }
      var reply = done(id)
      reply.lanes = [name]
      reply.warnings = workout.warnings.isEmpty ? nil : workout.warnings
      answer(reply)
    }
  }

  var takenNames: Set<String> {
    // One that was stopped fades, and its name is free.
    Set(host.statuses().filter { !$0.isOver }.map(\.name)).union(state.value.starting)
      .union(state.value.scheduled.map(\.name))
  }

  static func free(_ name: String, among names: Set<String>) -> String {
    guard names.contains(name) else { return name }
    return (2...).lazy.map { "\(name) \($0)" }.first { !names.contains($0) } ?? name
  }

  /// Adds a workout and starts it.
  ///
  /// - Parameter then: called on the queue, behind everything that the start has brought about; nil:
  ///   it has begun.
  func launch(
    _ name: String, _ workout: WorkoutToStart, at instant: BootInstant?,
    then: @escaping @Sendable (ControlError?) -> Void
  ) {
    state.value.starting.insert(name)
    updateDevice()
    starting.async { [self] in
      let result = Result { () throws(ControlError) in try add(name, workout) }
      queue.async { [self] in
        state.value.starting.remove(name)
        if case .failure(let error) = result {
          updateDevice()
          then(error)
        }
      }
      guard case .success(let id) = result else { return }
      host.prepare([id])
      host.begin([id], at: instant) { [self] result in
        queue.async { [self] in
          state.value.obeyed = []
          switch result {
          case .done: then(nil)
          case .shutDown: then(.ending)
          case .unknownLane, .noLane, .noEffect:
            then(ControlError(.unknownLane, "\"\(name)\" was stopped before it began"))
          }
        }
      }
    }
  }

  private func add(_ name: String, _ workout: WorkoutToStart) throws(ControlError) -> LaneID {
    let lane = try parts.files.session(name, workout)
    do throws(HostError) {
      return try host.add(lane, style: workout.style, sounds: workout.sounds)
    } catch {
      throw ControlError(error)
    }
  }
}

extension ControlError {
  init(_ error: HostError) {
    let code: Code =
      switch error.kind {
      case .nameTaken, .nameInUse: .nameTaken
      case .refused: .invalid
      case .store, .file, .shutDown: .failed
      }
    self.init(code, error.description)
  }
}
