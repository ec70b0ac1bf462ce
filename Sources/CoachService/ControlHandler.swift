import CoachHost
import ControlProtocol
import CueEngine
import CueSound
import Dispatch
import IntervalTimeline
import SessionStore
import Synchronization

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
    /// What is asked for beside the workouts; nil: that is refused.
    package var records: (any CoachRecords)?
    /// The outputs between which surfaces choose; nil: none.
    package var outputs: (any OutputSelection)?
    /// Sends an event to every subscriber; never waits.
    public var publish: @Sendable (ControlEvent) -> Void
    /// Sends what is said to the subscribers that have asked for it; never waits. By default nowhere.
    package var publishSpeech: @Sendable (SpeechEvent) -> Void = { _ in }
    /// Writes a line to the log; by default nowhere.
    public var log: @Sendable (String) -> Void = { _ in }
    /// One line about a lost device, an xrun or a sound thread without real-time priority, with what to do about it.
    public var advice: @Sendable (EngineEvent) -> String = { $0.line }
    /// The master gain of a volume in per cent; by default a hundredth of it.
    public var gain: @Sendable (Int) -> Float = { Float($0) / 100 }
    /// At first, per cent.
    public var volume = 100
    /// Says what there is to say of a preset's text. Blocks for seconds. By default it is never done.
    package var checkPreset: @Sendable (String) throws(ControlError) -> PresetReport = {
      (_) throws(ControlError) in throw .noChecks
    }
    /// Reads the file of a workout, with its name, and writes it in a format; and says in a language what of it is lost.
    /// Blocks for seconds. By default it is never done.
    package var convertFile: FileConversion = {
      (_, _, _, _) throws(ControlError) in throw .noConversions
    }
    /// Sentences in a language, for `Sentence.text(in:)`. Blocks on the disk. By default there are none.
    package var translations: @Sendable (String) -> [String: String] = { _ in [:] }
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
    /// The offset of local time, in seconds.
    package var zone: @Sendable (Int64) -> Int64 = { WallTime.localZone($0) }

    /// With the host's workouts at full volume and no log; the other properties are set afterwards.
    public init(
      host: CoachHost, files: any ControlFiles, publish: @escaping @Sendable (ControlEvent) -> Void
    ) {
      self.host = host
      self.files = files
      self.publish = publish
    }
  }

  let configuration: Configuration
  let queue = DispatchQueue(label: "cuecoach.control")
  /// Reads presets, sessions and the history.
  let filing = DispatchQueue(label: "cuecoach.control.files")
  let lanes: QueueConfined<LaneRegistry>
  let feed: ControlFeed
  let starts: WorkoutStarts
  let repeated: RepeatedStarts
  private let reports: HostReports
  let trials: PresetTrials
  private let subscriptions = Mutex<[Subscription]>([])

  var host: CoachHost { configuration.host }

  /// Subscribes to the host, and sets its volume.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
    lanes = QueueConfined(LaneRegistry(), to: queue)
    feed = ControlFeed(configuration, on: queue)
    starts = WorkoutStarts(configuration, feed, lanes, on: queue)
    repeated = RepeatedStarts(configuration, starts, on: queue)
    reports = HostReports(configuration: configuration, feed: feed, lanes: lanes)
    trials = PresetTrials(configuration, starts, repeated, on: queue)
    queue.sync { starts.willBegin.value = { [weak trials] in trials?.silence() } }
    let events = configuration.host.subscribe { [weak self] event in
      guard let self else { return }
      queue.async { self.reports.note(event) }
    }
    let speech = configuration.host.subscribeToSpeech { [weak self] words in
      guard let self else { return }
      queue.async { self.reports.note(words) }
    }
    let warnings = configuration.host.subscribeToWarnings { [weak self] in self?.warn(saying: $0) }
    subscriptions.withLock { $0 = [events, speech, warnings] }
    configuration.host.setVolume(configuration.gain(configuration.volume))
  }

  /// Takes a request. Any thread; returns at once.
  ///
  /// - Parameter rights: those of its socket. Of voices whose names have a colon, clients with
  ///   other rights choose only those that are offered: a program may fetch a voice for every name.
  public func handle(
    _ request: ControlRequest, rights: ControlRights, _ answer: @escaping Answer
  ) {
    queue.async { [self] in
      let files = configuration.files
      let answer = ControlAnswer.showing(
        in: request.language, configuration.translations, on: filing, answer)
      if let refusal = rights.refusal(
        of: request.action, besides: files.offeredVoices, isEditable: files.isEditable)
      {
        return answer(ControlAnswer(request.id, ControlError(.notAllowed, refusal)))
      }
      take(request, request.verb.changesLists ? feed.publishingLists(before: answer) : answer)
    }
  }

  /// A line for every surface and for the log. Any thread; returns at once.
  ///
  /// - Parameter isLogged: false where the log has it already.
  public func warn(_ line: String, isLogged: Bool = true) {
    warn(saying: Sentence(verbatim: line), isLogged: isLogged)
  }

  package func warn(saying line: Sentence, isLogged: Bool = true) {
    queue.async { [feed] in feed.warn(line, isLogged: isLogged) }
  }

  /// The ceiling of the volume has changed. Any thread; returns at once.
  public func refreshVolume() {
    queue.async { [self] in host.setVolume(feed.gain) }
  }

  /// What is on disk of what was to begin later; only what earlier runs of the coach have asked for is taken
  /// up. Any thread; returns at once.
  public func restore(_ later: [ScheduledStart]) { starts.restore(later) }

  /// Takes up the starts that repeat. Any thread; returns at once.
  package func restoreSchedules() {
    queue.async { [repeated] in repeated.restore() }
  }

  /// All on disk that are still to begin, with their instants on the wall clock. Waits for the queue.
  public var stillToBegin: [(name: String, wall: Int64)] { starts.stillToBegin }

  /// Starts what is due. Any thread; returns at once.
  public func alarm() {
    queue.async { [self] in
      starts.startDue(whoMissed: WorkoutStarts.slept)
      repeated.startDue(whoMissed: WorkoutStarts.slept)
    }
  }

  /// The wall clock has been set. Any thread; returns at once.
  public func wallClockWasSet() {
    queue.async { [self] in
      let reason = starts.followClock()
      repeated.followClock(whoMissed: reason)
    }
  }

  /// Waits until the commands that the host has obeyed are answered.
  public func finishAnswers() {
    // Answers leave the host's queue in the order of the commands.
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
    case .start(let start): starts.start(start, id, answer)
    case .command(let command, let lane): obey(command, lane: lane, id, answer)
    case .signal(let name, let lane): signal(name, lane: lane, id, answer)
    case .value(let value, let lane): setValue(value, lane: lane, id, answer)
    case .volume(let volume): feed.setVolume(volume, id, answer)
    case .status(let outline): show(outline: outline, in: request.language, id, answer)
    case .subscribe: show(outline: false, in: nil, id, answer)
    case .say(let text, let lane): say(text, lane: lane, id, answer)
    case .preset(let preset) where trials.takes(preset, of: request, answer): break
    case .presets, .preset:
      let repeating = repeated.presets
      file(id, answer) { [self] reply throws(ControlError) in
        try configuration.files.obey(request.action, &reply)
        if case .preset(let preset) = request.action {
          repeated.follow(preset, repeating, &reply)
        }
      }
    case .sessions:
      let running = Set(statuses.map(\.name))
      file(id, answer) { [configuration] reply throws(ControlError) in
        // One that has just been stopped is none that was interrupted.
        configuration.host.flush()
        reply.sessions = try configuration.files.sessions(besides: running)
      }
    case .desk(let request): obey(request.action, id, answer)
    case .history(let limit):
      file(id, answer) { [configuration] reply throws(ControlError) in
        // Whoever has seen the end of a workout finds it.
        configuration.host.flush()
        reply.history = try configuration.files.history(limit: limit)
      }
    }
  }

  /// Answers with something of the disk.
  func file(
    _ id: RequestID, on queue: DispatchQueue? = nil, _ answer: @escaping Answer,
    _ read: @escaping @Sendable (inout ControlAnswer) throws(ControlError) -> Void
  ) {
    let reply = feed.done(id)
    (queue ?? filing).async {
      var reply = reply
      do throws(ControlError) {
        try read(&reply)
        answer(reply)
      } catch {
        answer(ControlAnswer(id, error))
      }
    }
  }

  /// The workouts that surfaces know, in the order in which they were added.
  var statuses: [LaneStatus] { lanes.value.statuses }
  var refusals: LaneRefusals { LaneRefusals(statuses: statuses, starts: starts) }

  /// Answers with a snapshot. The host is asked, because a phase that has just begun is reported by its next check.
  private func show(
    outline: Bool, in language: String?, _ id: RequestID, _ answer: @escaping Answer
  ) {
    host.statuses { [self] statuses in
      queue.async { [self] in
        let known = statuses.filter { lanes.value[$0.name]?.id == $0.id }
        let now = configuration.clock()
        let workouts = known.map { $0.shown(at: now) } + starts.scheduled.map(\.status)
        var reply = feed.status(id, workouts, at: now, repeatsWarnings: language != nil)
        if outline { Outlines(known, of: host, starts.scheduled).write(to: &reply) }
        answer(reply)
      }
    }
  }
}

extension LaneStatus {
  /// As surfaces see it at an instant, where nothing has happened meanwhile.
  func shown(at instant: BootInstant) -> WorkoutStatus {
    var shown = workoutStatus.bounded
    shown.advance(from: at, to: instant)
    return shown
  }
}

extension ControlError {
  static let ending = ControlError(.failed, "the coach is ending")
  static let noChecks = ControlError(.failed, "this coach checks no presets")
  static let noConversions = ControlError(.failed, "this coach reads no files of its surfaces")
  static let noOwnPresets = ControlError(.failed, "this coach keeps no presets for its surfaces")
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
