import ControlProtocol
import CueEngine
import IntervalTimeline

/// Workouts that begin later. Each is on disk from the answer to its request until its session is.
extension WorkoutStarts {
  /// A start that nothing could begin at its time is made up for so long; after that it is missed.
  static let lateness = Duration.seconds(60)

  /// Keeps a start, then says so.
  func schedule(_ start: ScheduledStart, _ tally: StartTally) {
    var start = start
    // The answer has them.
    let notices = start.workout.remarks
    start.workout.remarks = []
    add(start)
    updateAlarm()
    starting.async { [self, start] in
      let kept = Result { () throws(ControlError) in try configuration.files.keep(start) }
      queue.async { [self] in
        guard case .failure(let error) = kept else {
          later.value.markKept(start)
          return tally.note(start.name, nil, notices)
        }
        tally.note(
          start.name, nil,
          notices + ["it does not begin if the coach ends before: \(error)"])
      }
    }
  }

  private func add(_ start: ScheduledStart) {
    later.value.add(start)
    // What was stopped under this name may still fade.
    if let old = lanes.value.release(start.name) {
      feed.publish(.ended) { $0.lane = old.workoutStatus.bounded }
    }
    feed.publish(.lane) { $0.lane = start.status }
  }

  /// What is on disk of what was to begin later; only what earlier runs of the coach have asked for is taken
  /// up. Any thread; returns at once.
  func restore(_ starts: [ScheduledStart]) {
    queue.async { [self] in
      for start in later.value.ofEarlierRuns(starts) {
        var kept = start
        kept.workout.name = NameRule.lane.free(start.name, among: takenNames)
        kept.isKept = true
        add(kept)
      }
      startDue(whoMissed: "the coach was not running at its time")
    }
  }

  /// A workout that is still to begin does not. Answers when that is on disk. False where there is none of
  /// that name.
  func cancel(_ name: String, _ id: RequestID, _ answer: @escaping Answer) -> Bool {
    guard let start = later.value.remove(name) else { return false }
    updateAlarm()
    publishEnd(of: start)
    starting.async { [self] in
      let withdrawn = Result { () throws(ControlError) in try configuration.files.withdraw(start) }
      queue.async { [self] in
        if case .failure(let error) = withdrawn {
          let line: Sentence =
            "\"\(name)\" may begin once more after a restart of the coach: \(error)"
          return answer(ControlAnswer(id, ControlError(.failed, line)))
        }
        var reply = feed.done(id)
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
    queue.sync { scheduled.filter(\.isKept).map { ($0.name, $0.wall) } }
  }

  func updateAlarm() {
    alarms.set(scheduled.first.map { $0.at - Self.headStart }, for: .later)
  }

  /// The wall clock has been set. Returns why a start was missed meanwhile.
  func followClock() -> Sentence {
    let (wasSet, moved) = later.value.follow(wall: configuration.wall(), at: configuration.clock())
    for start in moved { keepAgain(start) }
    for start in scheduled where start.followsWallClock {
      feed.publish(.lane) { $0.lane = start.status }
    }
    let reason: Sentence = wasSet ? "the clock was set past its time" : Self.slept
    startDue(whoMissed: reason)
    return reason
  }

  /// Why one was missed, where the clock was not set.
  static let slept: Sentence = "the machine slept through its time"

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
  func startDue(whoMissed reason: Sentence) {
    let now = configuration.clock()
    var due: [Launch] = []
    while let next = later.value.removeFirst(by: now + Self.headStart) {
      guard next.at + Self.lateness >= now else {
        miss(next, reason)
        continue
      }
      if next.at < now {
        let late = next.at.duration(to: now)
        feed.warn(
          "\"\(next.name)\" begins \(late.passedText) late: \(reason)")
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
          default: miss(next, error?.sentence ?? "")
          }
        })
    }
    if !due.isEmpty { launch(due) }
    updateAlarm()
  }

  /// From the queue of the disk.
  func warn(_ line: Sentence) { queue.async { [feed] in feed.warn(line) } }

  private func miss(_ later: ScheduledStart, _ reason: Sentence) {
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
