import CoachHost
import ControlProtocol
import CueEngine
import Dispatch
import IntervalTimeline
import SessionStore

/// Starts that repeat at a time of the local clock. They are kept whatever becomes of the coach. Its state lies on the
/// handler's queue.
final class RepeatedStarts: Sendable {
  typealias Answer = ControlHandler.Answer

  private let configuration: ControlHandler.Configuration
  private let queue: DispatchQueue
  private let starts: WorkoutStarts
  /// Nil until what is kept has been read.
  private let timetable: QueueConfined<Timetable?>

  init(
    _ configuration: ControlHandler.Configuration, _ starts: WorkoutStarts, on queue: DispatchQueue
  ) {
    (self.configuration, self.starts) = (configuration, starts)
    self.queue = queue
    timetable = QueueConfined(nil, to: queue)
  }

  private var records: (any CoachRecords)? { configuration.records }
  private var zone: WallTime.Zone { configuration.zone }
  private var feed: ControlFeed { starts.feed }
  /// The disk is waited for in the order of all starts.
  private var starting: DispatchQueue { starts.starting }

  /// What a request of this kind is answered with; nil for one of another kind.
  func obey(_ action: DeskRequest.Action, _ id: RequestID, _ answer: @escaping Answer) -> Bool {
    switch action {
    case .schedule(let order): schedule(order, id, answer)
    case .unschedule(let schedule): unschedule(schedule, id, answer)
    case .schedules:
      withTimetable(id, answer) { [self] in
        var reply = feed.done(id)
        reply.schedules = timetable.value?.list.map { $0.entry(in: zone) }
        reply.now = WallTime(configuration.wall(), in: zone).offsetText
        answer(reply)
      }
    default: return false
    }
    return true
  }

  // MARK: The list

  /// Reads what is kept, once; then does something on the queue. Where it cannot be read the request is refused.
  private func withTimetable(
    _ id: RequestID, _ answer: @escaping Answer, _ body: @escaping @Sendable () -> Void
  ) {
    guard timetable.value == nil else { return body() }
    restore { error in
      if let error { answer(ControlAnswer(id, error)) } else { body() }
    }
  }

  /// Takes up what is kept; warns where that cannot be read.
  func restore() {
    restore { [feed] error in
      guard let error, error != .noRecords else { return }
      feed.warn("which starts repeat is not known yet: \(error)")
    }
  }

  /// Reads what is kept.
  ///
  /// - Parameter then: called on the queue: nil, it is known now.
  private func restore(_ then: @escaping @Sendable (ControlError?) -> Void) {
    guard let records else { return then(.noRecords) }
    starting.async { [self] in
      let kept = Result { () throws(ControlError) in try records.schedules() }
      queue.async { [self] in
        // A second reading may come behind the first.
        guard timetable.value == nil else { return then(nil) }
        do throws(ControlError) {
          var table = Timetable()
          for start in try kept.get() { table.insert(start) }
          timetable.value = table
          startDue(whoMissed: "the coach was not running at its time")
          then(nil)
        } catch {
          then(error)
        }
      }
    }
  }

  private func schedule(
    _ order: ScheduleOrder, _ id: RequestID, _ answer: @escaping Answer
  ) {
    starting.async { [self] in
      // A preset that cannot be started now is refused now.
      let workout = Result { () throws(ControlError) in
        try configuration.files.workout(order.order)
      }
      queue.async { [self] in
        if case .failure(let error) = workout { return answer(ControlAnswer(id, error)) }
        withTimetable(id, answer) { [self] in
          if let known = timetable.value?.list.first(where: { $0.order == order }) {
            var reply = feed.done(id)
            reply.schedule = known.entry(in: zone)
            return answer(reply)
          }
          guard (timetable.value?.list.count ?? 0) < Timetable.maxCount else {
            let line: Sentence = "\(Timetable.maxCount) starts repeat: as many as are kept"
            return answer(ControlAnswer(id, ControlError(.full, line)))
          }
          let start = timetable.value?.add(
            order, id: SessionIdentity.newID(), now: configuration.wall(), in: zone)
          keepTimetable(undo: { [self] in _ = start.map { timetable.value?.remove($0.id) } }) {
            [self] error in
            if let error { return answer(ControlAnswer(id, error)) }
            var reply = feed.done(id)
            reply.schedule = start?.entry(in: zone)
            answer(reply)
          }
        }
      }
    }
  }

  private func unschedule(_ schedule: String, _ id: RequestID, _ answer: @escaping Answer) {
    withTimetable(id, answer) { [self] in
      guard let start = timetable.value?.remove(schedule) else {
        let line: Sentence = "no start that repeats has the id \"\(schedule.shown(atMost: 40))\""
        return answer(ControlAnswer(id, ControlError(.noEffect, line)))
      }
      keepTimetable(undo: { [self] in timetable.value?.insert(start) }) { [self] error in
        answer(error.map { ControlAnswer(id, $0) } ?? feed.done(id))
      }
    }
  }

  /// Those that begin by themselves again.
  var presets: [String] { timetable.value?.list.map(\.order.preset) ?? [] }

  /// A preset has been saved or deleted: says what becomes of those that ask for it. Any thread; blocks.
  ///
  /// - Parameter repeating: `presets` before.
  func follow(_ request: PresetRequest, _ repeating: [String], _ reply: inout ControlAnswer) {
    switch request.kind {
    case .save(let change): follow(change)
    case .delete(let name, _) where repeating.contains(name):
      // There may be another of that name.
      guard (try? configuration.files.presets(name, outline: false)) == nil else { break }
      let shown = name.shown(atMost: 40)
      reply.notes = ["\"\(shown)\" was to begin by itself again, and will be missed"]
    default: break
    }
  }

  /// A preset may have another name: starts that repeat, and what people have marked, follow it.
  private func follow(_ change: PresetChange) {
    guard let former = change.former, former != change.preset, let records else { return }
    do throws(ControlError) {
      try records.rename(former, to: change.preset)
    } catch {
      starts.warn("\"\(former.shown(atMost: 40))\" is still marked by its old name: \(error)")
    }
    queue.async { [self] in
      guard timetable.value?.rename(former, to: change.preset) == true else { return }
      keepTimetable { [self] error in
        guard let error else { return }
        let name = former.shown(atMost: 40)
        feed.warn("a start that repeats has the name \"\(name)\" again after a restart: \(error)")
      }
    }
  }

  /// Writes the list as it is now.
  ///
  /// - Parameters:
  ///   - undo: called on the queue where the disk does not take it.
  ///   - then: called on the queue after that.
  private func keepTimetable(
    undo: @escaping @Sendable () -> Void = {}, _ then: @escaping @Sendable (ControlError?) -> Void
  ) {
    updateAlarm()
    let list = timetable.value?.list ?? []
    starting.async { [self] in
      let kept = Result { () throws(ControlError) in try records?.keep(list) }
      queue.async { [self] in
        if case .failure(let error) = kept {
          undo()
          updateAlarm()
          // What was to be written meanwhile has what is undone.
          let list = timetable.value?.list ?? []
          starting.async { [self] in try? records?.keep(list) }
          return then(error)
        }
        then(nil)
      }
    }
  }

  // MARK: Their time

  /// The next one, and when it is to begin; nil for none, and before what is kept has been read.
  var next: (name: String, at: BootInstant)? {
    timetable.value?.list.first.map {
      ($0.order.name, configuration.clock() + .nanoseconds($0.next - configuration.wall()))
    }
  }

  /// When the next one is to be prepared.
  private func updateAlarm() {
    starts.alarms.set(next.map { $0.at - WorkoutStarts.headStart }, for: .repeated)
  }

  /// The wall clock has been set.
  ///
  /// - Parameter reason: as of `startDue`.
  func followClock(whoMissed reason: Sentence) {
    if timetable.value?.follow(wall: configuration.wall(), in: zone) == true { keepMoved() }
    startDue(whoMissed: reason)
  }

  private func keepMoved() {
    keepTimetable { [self] error in
      guard let error else { return feed.publishLists() }
      feed.warn("a start that repeats may come twice after a restart of the coach: \(error)")
    }
  }

  /// Starts those that are due.
  ///
  /// - Parameter reason: why one was not begun at its time.
  func startDue(whoMissed reason: Sentence) {
    let (now, wall) = (configuration.clock(), configuration.wall())
    let lead = WorkoutStarts.headStart.wholeNanoseconds
    guard let due = timetable.value?.removeDue(by: wall + lead, in: zone), !due.isEmpty else {
      return updateAlarm()
    }
    for start in due where wall - start.at > WorkoutStarts.lateness.wholeNanoseconds {
      miss(start, reason)
    }
    // Ahead of the starts: what has begun does not begin again.
    keepMoved()
    for start in due where wall - start.at <= WorkoutStarts.lateness.wholeNanoseconds {
      let name = start.start.order.name
      if start.at < wall {
        let late = Duration.nanoseconds(wall - start.at)
        feed.warn(
          "\"\(name)\" begins \(late.passedText) late: \(reason)")
      }
      begin(start, at: now + .nanoseconds(start.at - wall))
    }
  }

  private func begin(_ due: Timetable.Due, at instant: BootInstant) {
    let order = due.start.order
    starting.async { [self] in
      let workout = Result { () throws(ControlError) in
        try configuration.files.workout(order.order)
      }
      queue.async { [self] in
        do throws(ControlError) {
          var workout = try workout.get()
          workout.name = try NameRule.lane.name(
            order.lane, or: workout.name, among: starts.takenNames)
          starts.launch([
            Launch(
              name: workout.name, at: instant, isScheduled: true, open: starts.opening(workout)
            ) { [self] error, notices in
              switch error?.code {
              case nil: for notice in notices { feed.warn("\(order.name): \(notice)") }
              // It was stopped in its first seconds, before it began.
              case .unknownLane: break
              default: miss(due, error?.sentence ?? "")
              }
            }
          ])
        } catch {
          miss(due, error.sentence)
        }
      }
    }
  }

  private func miss(_ due: Timetable.Due, _ reason: Sentence) {
    timetable.value?.note(missed: due.at, of: due.start.id)
    let name = due.start.order.name
    feed.warn("\"\(name)\" did not begin: \(reason)")
    let list = timetable.value?.list ?? []
    starting.async { [self] in
      do throws(ControlError) {
        try records?.miss(due.start.order, at: due.at)
        try records?.keep(list)
      } catch {
        starts.warn("that \"\(name)\" was missed is not recorded: \(error)")
      }
    }
  }
}

extension ScheduleOrder {
  /// For a person.
  fileprivate var name: String { (lane ?? preset).shown(atMost: 40) }
}
