import CoachHost
import ControlProtocol
import CueEngine
import IntervalTimeline

/// Starting workouts, now or later.
extension ControlHandler {
  /// How long before its start a workout is added: its first words are rendered and the device opened.
  static let headStart = Duration.seconds(3)
  /// The most that a start lies ahead.
  static let longestWait = Duration.seconds(7 * 86_400)
  /// A start that the machine slept through is made up for so long.
  static let lateness = Duration.seconds(60)

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
      schedule(Scheduled(name: name, workout: workout, at: instant))
      var reply = done(id)
      reply.lanes = [name]
      reply.warnings = workout.warnings.isEmpty ? nil : workout.warnings
      return answer(reply)
    }
    launch(name, workout, at: instant) { [self] error in
      if let error { return answer(ControlAnswer(id, error)) }
      var reply = done(id)
      reply.lanes = [name]
      reply.warnings = workout.warnings.isEmpty ? nil : workout.warnings
      answer(reply)
    }
  }

  private var takenNames: Set<String> {
    // One that was stopped fades, and its name is free.
    Set(host.statuses().filter { !$0.isOver }.map(\.name)).union(state.value.starting)
      .union(state.value.scheduled.map(\.name))
  }

  private static func free(_ name: String, among names: Set<String>) -> String {
    guard names.contains(name) else { return name }
    return (2...).lazy.map { "\(name) \($0)" }.first { !names.contains($0) } ?? name
  }

  /// Adds a workout and starts it.
  ///
  /// - Parameter then: called on the queue, behind everything that the start has brought about; nil:
  ///   it has begun.
  private func launch(
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
            then(ControlError(.failed, "\"\(name)\" was stopped before it began"))
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

  // MARK: Later

  private func schedule(_ later: Scheduled) {
    state.value.scheduled.append(later)
    state.value.scheduled.sort { $0.at < $1.at }
    updateAlarm()
    publish(.lane) { $0.lane = LaneSnapshot(later.name, later.workout, startsAt: later.at) }
  }

  /// A workout that is still to begin does not. False where there is none of that name.
  func cancel(_ name: String) -> Bool {
    guard let index = state.value.scheduled.firstIndex(where: { $0.name == name }) else {
      return false
    }
    let later = state.value.scheduled.remove(at: index)
    updateAlarm()
    publish(.ended) { $0.lane = LaneSnapshot(name, later.workout, startsAt: later.at) }
    return true
  }

  /// The names of all that are still to begin. Waits for the queue.
  var scheduledNames: [String] { queue.sync { state.value.scheduled.map(\.name) } }

  private func updateAlarm() {
    parts.setAlarm(state.value.scheduled.first.map { $0.at - Self.headStart })
  }

  /// Starts what is due. Any thread; returns at once.
  func alarm() {
    queue.async { [self] in
      let now = parts.clock()
      while let next = state.value.scheduled.first, next.at - Self.headStart <= now {
        state.value.scheduled.removeFirst()
        guard next.at + Self.lateness >= now else {
          publish(.ended) { $0.lane = LaneSnapshot(next.name, next.workout, startsAt: next.at) }
          publishWarning("\"\(next.name)\" did not begin: the machine slept through its time")
          continue
        }
        launch(next.name, next.workout, at: next.at) { [self] error in
          if let error { publishWarning("\"\(next.name)\" did not begin: \(error)") }
        }
      }
      updateAlarm()
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
