import ControlProtocol
import CueEngine
import IntervalTimeline

/// Workouts that begin later. Each is on disk from the answer to its request until its session is.
extension WorkoutStarts {
  /// A start that nothing could begin at its time is made up for so long; after that it is missed.
  private static let lateness = Duration.seconds(60)
  /// The clocks drift apart by no more between two of the kernel's reports, nanoseconds.
  private static let maxSlew: Int64 = 1_000_000_000

  /// Keeps a start, then answers.
  func schedule(_ start: ScheduledStart, _ id: RequestID, _ answer: @escaping Answer) {
    var later = start
    // The answer has them.
    later.workout.notices = []
    add(later)
    updateAlarm()
    starting.async { [self, later] in
      let kept = Result { () throws(ControlError) in try configuration.files.keep(later) }
      queue.async { [self] in
        var reply = done(id)
        reply.lanes = [later.name]
        var warnings = start.workout.notices
        if case .failure(let error) = kept {
          warnings.append("it does not begin if the coach ends before: \(error)")
        } else if let index = scheduledIndex(later) {
          state.value.scheduled[index].isKept = true
        }
        reply.warnings = warnings.isEmpty ? nil : warnings
        answer(reply)
      }
    }
  }

  private func scheduledIndex(_ later: ScheduledStart) -> Int? {
    state.value.scheduled.firstIndex { $0.workout.identity.id == later.workout.identity.id }
  }

  private func add(_ later: ScheduledStart) {
    state.value.scheduledHere?.insert(later.workout.identity.id)
    state.value.scheduled.append(later)
    state.value.scheduled.sort { $0.at < $1.at }
    // What was stopped under this name may still fade.
    if let old = lanes.value.release(later.name) {
      feed.publish(.ended) { $0.lane = old.workoutStatus.bounded }
    }
    feed.publish(.lane) { $0.lane = later.status }
  }

  /// What is on disk of what was to begin later; only what earlier runs of the coach have asked for is taken
  /// up. Any thread; returns at once.
  func restore(_ starts: [ScheduledStart]) {
    queue.async { [self] in
      // The disk may have been read when this run had scheduled some, which may have begun since.
      let own = state.value.scheduledHere ?? []
      state.value.scheduledHere = nil
      for start in starts where !own.contains(start.workout.identity.id) {
        var kept = start
        kept.workout.name = Self.free(start.name, among: takenNames)
        kept.isKept = true
        add(kept)
      }
      startDue(whoMissed: "the coach was not running at its time")
    }
  }

  /// A workout that is still to begin does not. Answers when that is on disk. False where there is none of
  /// that name.
  func cancel(_ name: String, _ id: RequestID, _ answer: @escaping Answer) -> Bool {
    guard let index = state.value.scheduled.firstIndex(where: { $0.name == name }) else {
      return false
    }
    let later = state.value.scheduled.remove(at: index)
    updateAlarm()
    publishEnd(of: later)
    starting.async { [self] in
      let withdrawn = Result { () throws(ControlError) in try configuration.files.withdraw(later) }
      queue.async { [self] in
        if case .failure(let error) = withdrawn {
          let line = "\"\(name)\" may begin once more after a restart of the coach: \(error)"
          return answer(ControlAnswer(id, ControlError(.failed, line)))
        }
        var reply = done(id)
        reply.lanes = [name]
        answer(reply)
      }
    }
    return true
  }

  private func publishEnd(of later: ScheduledStart) {
    feed.publish(.ended) { $0.lane = later.status }
  }

  /// All on disk that are still to begin, with their instants on the wall clock. Waits for the queue.
  var stillToBegin: [(name: String, wall: Int64)] {
    queue.sync { state.value.scheduled.filter(\.isKept).map { ($0.name, $0.wall) } }
  }

  private func updateAlarm() {
    configuration.setAlarm(state.value.scheduled.first.map { $0.at - Self.headStart })
  }

  /// Starts what is due. Any thread; returns at once.
  func alarm() {
    queue.async { [self] in startDue(whoMissed: "the machine slept through its time") }
  }

  /// The wall clock has been set. Any thread; returns at once.
  func wallClockWasSet() {
    queue.async { [self] in
      let (now, wall) = (configuration.clock(), configuration.wall())
      let offset = wall - now.nanoseconds
      // The kernel reports the end of a sleep in the same way.
      let wasSet = abs(offset - state.value.wallOffset) > Self.maxSlew
      state.value.wallOffset = offset
      for index in state.value.scheduled.indices {
        let later = state.value.scheduled[index]
        if later.followsWallClock {
          state.value.scheduled[index].at = now + .nanoseconds(later.wall - wall)
        } else {
          state.value.scheduled[index].wall = wall + now.duration(to: later.at).wholeNanoseconds
          if wasSet { keepAgain(state.value.scheduled[index]) }
        }
      }
      state.value.scheduled.sort { $0.at < $1.at }
      for later in state.value.scheduled where later.followsWallClock {
        feed.publish(.lane) { $0.lane = later.status }
      }
      startDue(
        whoMissed: wasSet
          ? "the clock was set past its time" : "the machine slept through its time")
    }
  }

  /// On disk a start has the wall clock's time, which is another one now.
  private func keepAgain(_ later: ScheduledStart) {
    // Behind its first save, and ahead of whatever deletes it.
    starting.async { [self] in
      do throws(ControlError) {
        try configuration.files.keep(later)
      } catch {
        warn("\"\(later.name)\" may begin at another time after a restart of the coach: \(error)")
      }
    }
  }

  /// - Parameter reason: why it was not begun at its time.
  private func startDue(whoMissed reason: String) {
    let now = configuration.clock()
    var due: [Launch] = []
    while let next = state.value.scheduled.first, next.at - Self.headStart <= now {
      state.value.scheduled.removeFirst()
      guard next.at + Self.lateness >= now else {
        miss(next, reason)
        continue
      }
      if next.at < now {
        let late = next.at.duration(to: now)
        feed.warn("\"\(next.name)\" begins \(late.passedText) late: \(reason)")
      }
      due.append(
        Launch(
          name: next.name, at: next.at, isScheduled: true, open: opening(next.workout)
        ) { [self] error, notices in
          switch error?.code {
          case nil: for notice in notices { feed.warn("\(next.name): \(notice)") }
          // It was stopped in its first seconds, before it began.
          case .unknownLane: starting.async { [self] in try? configuration.files.withdraw(next) }
          // It begins when the coach runs again.
          case _ where error == .ending: break
          default: miss(next, error?.message ?? "")
          }
        })
    }
    if !due.isEmpty { launch(due) }
    updateAlarm()
  }

  /// From the queue of the disk.
  private func warn(_ line: String) { queue.async { [feed] in feed.warn(line) } }

  private func miss(_ later: ScheduledStart, _ reason: String) {
    publishEnd(of: later)
    feed.warn("\"\(later.name)\" did not begin: \(reason)")
    starting.async { [self] in
      do throws(ControlError) {
        try configuration.files.miss(later)
      } catch {
        warn("that \"\(later.name)\" was missed is not recorded: \(error)")
      }
    }
  }
}
