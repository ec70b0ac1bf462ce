import CoachHost
import ControlProtocol
import CueEngine
import CueSound
import Dispatch
import IntervalTimeline
import SessionStore

/// Between a host and the control socket: takes the requests of all clients in one order, answers each,
/// and turns what the host reports into events.
///
/// Its state lies on one serial queue, and so do the revisions: what a request changes is in its answer's
/// revision, and every event after that answer has a greater one. The disk is read on other queues.
public final class ControlHandler: Sendable {
  /// Takes what a request is answered.
  public typealias Answer = @Sendable (ControlAnswer) -> Void

  /// What a handler is made of.
  public struct Configuration: Sendable {
    /// Runs the workouts.
    public var host: CoachHost
    /// Presets, sessions and the history.
    public var files: any ControlFiles
    /// Sends an event to every subscriber; never waits.
    public var publish: @Sendable (ControlEvent) -> Void
    /// Writes a line to the log; by default nowhere.
    public var log: @Sendable (String) -> Void = { _ in }
    /// One line about a lost device, an xrun or a sound thread without real-time priority, with what to do about it.
    public var advice: @Sendable (EngineEvent) -> String = { $0.line }
    /// The master gain of a volume in per cent; by default a hundredth of it.
    public var gain: @Sendable (Int) -> Float = { Float($0) / 100 }
    /// At first, per cent.
    public var volume = 100
    /// False where the host runs the workouts of a terminal and takes no others.
    public var takesStarts = true
    /// Called on its queue when the last workout has ended.
    public var becameIdle: @Sendable () -> Void = {}
    /// Asks for `alarm()` at an instant; nil: for none. By default nobody is asked, and nothing can begin later.
    public var setAlarm: @Sendable (BootInstant?) -> Void = { _ in }
    /// CLOCK_BOOTTIME, unless a test brings its own.
    public var clock: @Sendable () -> BootInstant = BootClock.now
    /// Nanoseconds since 1970.
    public var wall: @Sendable () -> Int64 = { MachineClocks.wall }

    /// With the host's workouts at full volume and no log; the other properties are set afterwards.
    public init(
      host: CoachHost, files: any ControlFiles, publish: @escaping @Sendable (ControlEvent) -> Void
    ) {
      self.host = host
      self.files = files
      self.publish = publish
    }
  }

  struct State {
    var revision: UInt64 = 0
    var volume: Int
    /// By name, the lane that surfaces know under it, as the host last reported it.
    var known: [String: LaneStatus] = [:]
    /// Of all that have not ended: one that was stopped fades, and may have lost its name.
    var lanes: Set<LaneID> = []
    /// Names of workouts that are being added.
    var starting: Set<String> = []
    /// By instant.
    var scheduled: [ScheduledStart] = []
    /// The ids of all that were scheduled before those of earlier runs are restored; nil afterwards.
    var scheduledHere: Set<String>? = []
    /// The wall clock less the boot's, nanoseconds, as last seen.
    var wallOffset: Int64
    /// Why no sound comes out.
    var lost: String?
    var device = DeviceSnapshot(.idle)
    /// The latest last.
    var warnings: [String] = []
    var subscription: Subscription?
  }

  let configuration: Configuration
  let queue = DispatchQueue(label: "cuecoach.control")
  /// Reads presets, sessions and the history.
  let filing = DispatchQueue(label: "cuecoach.control.files")
  /// Adds workouts and prepares them.
  let starting = DispatchQueue(label: "cuecoach.control.start")
  let state: QueueConfined<State>

  var host: CoachHost { configuration.host }

  /// Subscribes to the host, and sets its volume.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    let wallOffset = configuration.wall() - configuration.clock().nanoseconds
    state = QueueConfined(State(volume: configuration.volume, wallOffset: wallOffset), to: queue)
    let subscription = configuration.host.subscribe { [weak self] event in
      guard let self else { return }
      queue.async { self.note(event) }
    }
    queue.sync { state.value.subscription = subscription }
    configuration.host.setVolume(configuration.gain(configuration.volume))
  }

  /// Takes a request. Any thread; returns at once.
  public func handle(_ request: ControlRequest, _ answer: @escaping Answer) {
    queue.async { [self] in take(request, answer) }
  }

  /// A line for every surface and for the log. Any thread; returns at once.
  ///
  /// - Parameter isLogged: false where the log has it already.
  public func warn(_ line: String, isLogged: Bool = true) {
    queue.async { [self] in publishWarning(line, isLogged: isLogged) }
  }

  /// The ceiling of the volume has changed. Any thread; returns at once.
  public func refreshVolume() {
    queue.async { [self] in host.setVolume(configuration.gain(state.value.volume)) }
  }

  /// Waits until the commands that the host has obeyed are answered.
  public func finishAnswers() {
    // Answers leave the host's queue in the order of the commands.
    _ = host.statuses()
    queue.sync {}
  }

  /// Waits until everything has been done that was asked for before, for tests.
  package func settle() {
    starting.sync {}
    filing.sync {}
    queue.sync {}
    _ = host.statuses()
    queue.sync {}
  }

  // MARK: Requests

  private func take(_ request: ControlRequest, _ answer: @escaping Answer) {
    let id = request.id
    if let error = request.expiry(at: configuration.clock().nanoseconds) {
      return answer(ControlAnswer(id, error))
    }
    switch request.action {
    case .start(let start): self.start(start, id, answer)
    case .command(let command, let lane): obey(command, lane: lane, id, answer)
    case .signal(let name, let lane): signal(name, lane: lane, id, answer)
    case .value(let value, let lane): setValue(value, lane: lane, id, answer)
    case .volume(let volume): setVolume(volume, id, answer)
    case .status(let outline): show(outline: outline, id, answer)
    case .subscribe: show(outline: false, id, answer)
    case .say(let text, let lane): say(text, lane: lane, id, answer)
    case .presets(let name, let outline):
      file(id, answer) { [configuration] reply throws(ControlError) in
        let (entries, omitted) = try configuration.files.presets(name, outline: outline)
        reply.presets = entries
        reply.omitted = omitted == 0 ? nil : omitted
      }
    case .sessions:
      let running = Set(statuses.map(\.name))
      file(id, answer) { [configuration] reply throws(ControlError) in
        reply.sessions = try configuration.files.sessions(besides: running)
      }
    case .history(let limit):
      file(id, answer) { [configuration] reply throws(ControlError) in
        // Whoever has seen the end of a workout finds it.
        configuration.host.flush()
        reply.history = try configuration.files.history(limit: limit)
      }
    }
  }

  /// Answers with something of the disk.
  private func file(
    _ id: RequestID, _ answer: @escaping Answer,
    _ read: @escaping @Sendable (inout ControlAnswer) throws(ControlError) -> Void
  ) {
    let reply = done(id)
    filing.async {
      var reply = reply
      do throws(ControlError) {
        try read(&reply)
        answer(reply)
      } catch {
        answer(ControlAnswer(id, error))
      }
    }
  }

  func done(_ id: RequestID) -> ControlAnswer {
    ControlAnswer(id, revision: state.value.revision)
  }

  private func setVolume(_ volume: Int?, _ id: RequestID, _ answer: @escaping Answer) {
    guard let volume, volume != state.value.volume else {
      var reply = done(id)
      reply.volume = state.value.volume
      return answer(reply)
    }
    state.value.volume = volume
    host.setVolume(configuration.gain(volume)) { [self] result in
      queue.async { [self] in
        guard result == .done else { return answer(ControlAnswer(id, .ending)) }
        publish(.volume) { $0.volume = volume }
        var reply = done(id)
        reply.volume = volume
        answer(reply)
      }
    }
  }

  // MARK: What is shown

  /// The workouts as the host last reported them, in the order in which they were added: of one name the latest,
  /// because what was stopped before fades.
  var statuses: [LaneStatus] { state.value.known.values.sorted { $0.id < $1.id } }

  /// Answers with a snapshot. The host is asked, because a phase that has just begun is reported by its next check.
  private func show(outline: Bool, _ id: RequestID, _ answer: @escaping Answer) {
    host.statuses { [self] statuses in
      queue.async { [self] in
        let known = statuses.filter { state.value.known[$0.name]?.id == $0.id }
        var reply = done(id)
        reply.snapshot = snapshot(known)
        if outline {
          let (outlines, omitted) = outlines(known)
          reply.outlines = outlines
          reply.omitted = omitted == 0 ? nil : omitted
        }
        answer(reply)
      }
    }
  }

  private func snapshot(_ statuses: [LaneStatus]) -> CoachSnapshot {
    let now = configuration.clock()
    return CoachSnapshot(
      revision: state.value.revision, at: now.nanoseconds, wall: configuration.wall(),
      lanes: statuses.map { $0.shown(at: now) } + state.value.scheduled.map(\.status),
      device: state.value.device, volume: state.value.volume, warnings: state.value.warnings)
  }

  /// Bytes of outlines in an answer; those of lanes that exceed them are left out.
  private static let maxOutlines = 180_000

  private func outlines(
    _ statuses: [LaneStatus]
  ) -> (outlines: [String: [OutlineSegment]], omitted: Int) {
    var outlines: [String: [OutlineSegment]] = [:]
    var omitted = 0
    var room = Self.maxOutlines
    func add(_ name: String, _ timeline: Timeline, _ phrases: PhraseCatalogue) {
      guard
        let outline = OutlineSegment.outline(of: timeline, phrases, limit: ControlLimits.segments)
      else { return }
      room -= outline.reduce(name.utf8.count) { $0 + $1.label.utf8.count + 80 }
      if room >= 0 { outlines[name] = outline } else { omitted += 1 }
    }
    for status in statuses {
      if let lane = host.lane(status.id) { add(status.name, lane.timeline, status.phrases) }
    }
    for later in state.value.scheduled {
      add(later.name, later.workout.timeline, later.workout.style.phrases)
    }
    return (outlines, omitted)
  }

  // MARK: What the host reports

  private func note(_ event: HostEvent) {
    switch event {
    case .leftOut(let message): publishWarning(message.line)
    case .warning(let line): publishWarning(line)
    case .engine(let event): note(event)
    }
    updateDevice()
  }

  /// False for a lane whose name another one has by now: surfaces have seen its end.
  func isKnown(_ status: LaneStatus) -> Bool {
    state.value.known[status.name].map { $0.id <= status.id } ?? true
  }

  private func note(_ event: EngineEvent) {
    switch event {
    case .added(let status):
      state.value.lanes.insert(status.id)
      // For the surfaces the one that had the name before, and still fades, has ended.
      if let old = state.value.known[status.name] { publishEnd(of: old) }
      publishLane(status)
    case .restored(let status, _), .phaseBegan(let status), .finished(let status),
      .signalled(_, let status):
      publishLane(status)
    case .obeyed(let command, let status):
      if command.changesALane { publishLane(status) }
    case .ended(let status, _):
      state.value.lanes.remove(status.id)
      guard isKnown(status) else { break }
      state.value.known[status.name] = nil
      publishEnd(of: status)
    case .deviceLost(let error):
      state.value.lost = "\(error.kind)"
      updateDevice()
      publishWarning(configuration.advice(.deviceLost(error)))
    case .deviceRecovered:
      state.value.lost = nil
      updateDevice()
      publishWarning(PhraseCatalogue.english.screen(.soundBack))
    case .slept(let time):
      // A service has no keys.
      publishWarning(
        "this machine slept for \(time.passedText): paused where the sleep began;"
          + " cuecoach ctl resume continues")
    case .stalled(let time):
      publishWarning(PhraseCatalogue.english.screen(.stalled, ["time": time.passedText]))
    case .speechFailed(let error): publishWarning(error.detail.singleLine)
    case .xrun: configuration.log(configuration.advice(.xrun))
    case .notRealtime: configuration.log(configuration.advice(.notRealtime))
    case .asked, .volumeChanged, .omitted: break
    }
  }

  private func publishLane(_ status: LaneStatus) {
    guard isKnown(status) else { return }
    state.value.known[status.name] = status
    publish(.lane) { $0.lane = status.shown(at: BootInstant(nanoseconds: $0.at)) }
  }

  private func publishEnd(of status: LaneStatus) {
    publish(.ended) { $0.lane = status.workoutStatus.bounded }
  }

  /// Whether a device is wanted follows from the lanes.
  func updateDevice() {
    let isNeeded = !state.value.starting.isEmpty || !state.value.lanes.isEmpty
    if !isNeeded { state.value.lost = nil }
    let device =
      !isNeeded
      ? DeviceSnapshot(.idle)
      : state.value.lost.map { DeviceSnapshot(.lost, reason: $0) } ?? DeviceSnapshot(.working)
    guard device != state.value.device else { return }
    state.value.device = device
    publish(.device) { $0.device = device }
    if !isNeeded { configuration.becameIdle() }
  }

  func publishWarning(_ line: String, isLogged: Bool = true) {
    if isLogged { configuration.log(line.singleLine) }
    let line = line.shownShort
    state.value.warnings = (state.value.warnings + [line]).suffix(ControlLimits.warnings)
    publish(.warning) { $0.message = line }
  }

  func publish(_ kind: ControlEvent.Kind, _ fill: (inout ControlEvent) -> Void) {
    state.value.revision += 1
    var event = ControlEvent(
      kind, revision: state.value.revision, at: configuration.clock().nanoseconds)
    fill(&event)
    configuration.publish(event)
  }
}

extension LaneStatus {
  /// As surfaces see it at an instant, where nothing has happened meanwhile.
  fileprivate func shown(at instant: BootInstant) -> WorkoutStatus {
    var shown = workoutStatus.bounded
    shown.advance(from: at, to: instant)
    return shown
  }
}

extension Command {
  /// False for commands that only make the coach speak.
  fileprivate var changesALane: Bool {
    switch self {
    case .whereAmI, .sayName, .askStop: false
    case .start, .pause, .resume, .next, .back, .stop, .rep: true
    }
  }
}

extension ControlError {
  static let ending = ControlError(.failed, "the coach is ending")
}

extension EngineEvent {
  /// What has happened to the output, without advice.
  fileprivate var line: String {
    switch self {
    case .deviceLost(let error): error.detail
    case .notRealtime: "the sound thread has no real-time priority"
    default: "the output was short of sound: this machine is busy"
    }
  }
}
