import CoachHost
import ControlProtocol
import CueEngine
import Dispatch
import IntervalTimeline

/// Starts workouts, at once or at a later time. Its state lies on the handler's queue; the disk and the host, which may
/// take long, are waited for on a queue of its own, in the order of the requests.
final class WorkoutStarts: Sendable {
  let configuration: ControlHandler.Configuration
  let queue: DispatchQueue
  let feed: ControlFeed
  let lanes: QueueConfined<LaneRegistry>
  /// Those that begin later.
  let later: QueueConfined<ScheduledStarts>
  /// Called before any of them begins; set once.
  let willBegin: QueueConfined<(@Sendable () -> Void)?>
  let alarms: StartAlarms
  /// Adds workouts and prepares them.
  let starting = DispatchQueue(label: "cuecoach.control.start")

  private var host: CoachHost { configuration.host }

  init(
    _ configuration: ControlHandler.Configuration, _ feed: ControlFeed,
    _ lanes: QueueConfined<LaneRegistry>, on queue: DispatchQueue
  ) {
    self.configuration = configuration
    self.queue = queue
    self.feed = feed
    self.lanes = lanes
    let wallOffset = configuration.wall() - configuration.clock().nanoseconds
    willBegin = QueueConfined(nil, to: queue)
    later = QueueConfined(ScheduledStarts(wallOffset: wallOffset), to: queue)
    alarms = StartAlarms(configuration.setAlarm, on: queue)
  }

  /// How long before its start a workout is added: its first words are rendered and the device opened.
  static let headStart = Duration.seconds(3)
  /// The most that a start lies ahead.
  private static let longestWait = Duration.seconds(7 * 86_400)

  typealias Answer = ControlHandler.Answer

  /// - Parameter names: those of several workouts, which begin at one instant; nil: it is one.
  func start(
    _ order: StartOrder, as names: [String?]? = nil, _ id: RequestID, _ answer: @escaping Answer
  ) {
    guard configuration.takesStarts else {
      return answer(
        ControlAnswer(
          id,
          ControlError(.failed, "this coach runs the workouts of a terminal and takes no others")))
    }
    if let instant = order.at {
      let now = configuration.clock()
      guard instant >= now, instant <= now + Self.longestWait else {
        return answer(
          ControlAnswer(
            id,
            ControlError(
              .invalid,
              "at: expected an instant from now, \(now.nanoseconds), up to a week ahead")))
      }
    }
    let orders = (names ?? [order.lane]).map { name in
      var order = order
      order.lane = name
      return order
    }
    starting.async { [self] in
      let workouts = Result { () throws(ControlError) -> [OpenedWorkout] in
        var workouts: [OpenedWorkout] = []
        for order in orders { workouts.append(try configuration.files.workout(order)) }
        return workouts
      }
      queue.async { [self] in
        do throws(ControlError) {
          var workouts = try workouts.get()
          // All of them have their names before one begins.
          for (index, order) in orders.enumerated() {
            workouts[index].name = try NameRule.lane.name(
              order.lane, or: workouts[index].name, among: takenNames, besides: index)
          }
          begin(workouts, at: order.at, StartTally(of: workouts.count, self, id, answer))
        } catch {
          answer(ControlAnswer(id, error))
        }
      }
    }
  }

  private func begin(
    _ workouts: [OpenedWorkout], at instant: BootInstant?, _ tally: StartTally
  ) {
    if let instant, instant > configuration.clock() + Self.headStart {
      let wall = configuration.wall() + configuration.clock().duration(to: instant).wholeNanoseconds
      for var workout in workouts {
        workout.identity.startedAt = wall
        schedule(ScheduledStart(workout, at: instant), tally)
      }
      return
    }
    launch(
      workouts.map { workout in
        Launch(name: workout.name, at: instant, open: opening(workout)) {
          tally.note(workout.name, $0, $1)
        }
      })
  }

  func opening(_ workout: OpenedWorkout) -> @Sendable () throws(ControlError) -> OpenedWorkout {
    { [configuration] () throws(ControlError) in
      var workout = workout
      try configuration.files.claim(&workout)
      return workout
    }
  }

  /// Takes up what was interrupted under a name, as `cuecoach resume` does. False where no workout can begin under it.
  ///
  /// - Parameter nothing: the answer where nothing was.
  func resume(
    _ name: String, _ nothing: ControlError, _ id: RequestID, _ answer: @escaping Answer
  ) -> Bool {
    guard configuration.takesStarts, takenNames.count < ControlLimits.lanes,
      !takenNames.contains(name)
    else { return false }
    let open: @Sendable () throws(ControlError) -> OpenedWorkout = {
      [configuration] () throws(ControlError) in
      guard let opened = try configuration.files.interrupted(name) else { throw nothing }
      return opened
    }
    // It is in the list of what was interrupted no more.
    let tally = StartTally(of: 1, self, id, feed.publishingLists(before: answer))
    launch([Launch(name: name, open: open) { tally.note(name, $0, $1) }])
    return true
  }

  /// Names of workouts that run, are being added or begin later.
  var takenNames: Set<String> {
    lanes.value.takenNames.union(scheduledNames)
  }

  /// Those that begin later, by instant.
  var scheduled: [ScheduledStart] { later.value.list }
  var scheduledNames: [String] { scheduled.map(\.name) }

  /// A workout of that name has not begun.
  func isComing(_ name: String) -> Bool {
    lanes.value.starting.contains(name) || scheduledNames.contains(name)
  }

  /// Nothing runs or is being added.
  var isIdle: Bool { !lanes.value.needsDevice }

  private func updateDevice() { feed.updateDevice(isNeeded: lanes.value.needsDevice) }

  /// How long a start waits for its first words.
  private static let patience = Duration.milliseconds(400)

  private typealias AddedLaunch = (id: LaneID, launch: Launch, notices: [Sentence])

  /// Adds workouts and starts them. They are prepared together, so that those of one instant begin at it.
  func launch(_ launches: [Launch]) {
    willBegin.value?()
    for launch in launches { lanes.value.starting.insert(launch.name) }
    updateDevice()
    starting.async { [self] in
      let asked = configuration.clock()
      var added: [AddedLaunch] = []
      for launch in launches {
        let result = Result { () throws(ControlError) in try add(launch) }
        queue.async { [self] in
          lanes.value.starting.remove(launch.name)
          if case .failure(let error) = result {
            updateDevice()
            launch.then(error, [])
          }
        }
        if case .success((let id, let notices)) = result { added.append((id, launch, notices)) }
      }
      guard !added.isEmpty else { return }
      // Those that wait for their turn share the time, so that many at once keep no other from its start.
      let patience = queue.sync {
        Self.patience / (lanes.value.starting.count + 1)
      }
      host.prepare(added.map(\.id), within: patience)
      for (_, launch, _) in added where launch.isScheduled {
        if let at = launch.at { warnIfLate(launch.name, at, asked: asked) }
      }
      let atOnce = added.filter { $0.launch.at == nil }
      if !atOnce.isEmpty { begin(atOnce, at: nil) }
      for each in added { if let at = each.launch.at { begin([each], at: at) } }
    }
  }

  private func begin(_ group: [AddedLaunch], at instant: BootInstant?) {
    host.begin(group.map(\.id), at: instant) { [queue] result in
      queue.async {
        for (_, launch, notices) in group {
          switch result {
          case .done: launch.then(nil, notices)
          case .shutDown: launch.then(.ending, [])
          case .refused(let line), .busy(let line):
            launch.then(ControlError(.invalid, message: line), [])
          case .unknownLane, .noLane, .noEffect, .unknownValue:
            launch.then(
              ControlError(.unknownLane, "\"\(launch.name)\" was stopped before it began"), [])
          }
        }
      }
    }
  }

  /// - Parameter asked: when the preparation began; what was late by then has been reported.
  private func warnIfLate(_ name: String, _ at: BootInstant, asked: BootInstant) {
    let now = configuration.clock()
    guard at >= asked, now > at else { return }
    let milliseconds = at.duration(to: now) / .milliseconds(1)
    queue.async { [self] in
      feed.warn(
        "\"\(name)\" begins \(Int(milliseconds)) ms late: it could not be prepared in time")
    }
  }

  private func add(_ launch: Launch) throws(ControlError) -> (LaneID, [Sentence]) {
    let opened = try launch.open()
    do throws(HostError) {
      return (try host.add(opened), opened.remarks)
    } catch {
      throw ControlError(error)
    }
  }
}

/// A workout that is to be added and started.
struct Launch: Sendable {
  var name: String
  /// Nil: at once.
  var at: BootInstant?
  /// It was asked for earlier, and nobody waits for an answer.
  var isScheduled = false
  /// Blocks on the disk.
  var open: @Sendable () throws(ControlError) -> OpenedWorkout
  /// Called on the queue, behind everything that the start has brought about: nil, it has begun; and
  /// remarks for the person who asked.
  var then: @Sendable (ControlError?, [Sentence]) -> Void
}

extension NameRule {
  /// What a workout that is to begin is called: as was asked, or like its preset where nothing was.
  ///
  /// - Parameters:
  ///   - names: those that are taken.
  ///   - others: how many are to begin besides.
  func name(
    _ asked: String?, or preset: String, among names: Set<String>, besides others: Int = 0
  ) throws(ControlError) -> String {
    guard names.count + others < ControlLimits.lanes else {
      throw ControlError(.full, "\(ControlLimits.lanes) workouts run: as many as the coach takes")
    }
    guard let asked else { return free(preset, among: names) }
    guard allows(asked) else { throw ControlError(.badName, "lane: expected \(expected)") }
    guard !names.contains(asked) else {
      throw ControlError(.nameTaken, "a workout \"\(asked)\" is running or still to begin")
    }
    return asked
  }

  /// A name that is allowed and none of those: the same with the least number behind it that is free.
  func free(_ name: String, among names: Set<String>) -> String {
    let name = fitted(name)
    guard names.contains(name) else { return name }
    return (2...).lazy.map { number in
      let end = " \(number)"
      let stem = name.unicodeScalars.prefix(maximum - end.unicodeScalars.count)
      return fitted(String(String.UnicodeScalarView(stem)) + end)
    }.first { !names.contains($0) } ?? name
  }
}

extension ControlError {
  /// What a client is answered where the host refuses.
  public init(_ error: HostError) {
    let code: Code
    switch error.kind {
    case .nameTaken, .nameInUse: code = .nameTaken
    case .refused: code = .invalid
    case .store, .file: code = .failed
    case .shutDown:
      self = .ending
      return
    }
    self.init(code, message: error.description)
  }
}
