import CueEngine
import CueSound
import IntervalTimeline
import SessionStore

/// Runs workouts for any program: a command line, a service, another trainer.
///
/// A host runs any number of workouts side by side through one engine, stores their sessions on
/// disk, writes the ledger and the recording, and reports everything to any number of subscribers.
/// It reads no terminal, environment variable or command-line argument. All methods may be called
/// from any thread, but some, as noted, not from a subscriber's closure: they end the program with a sentence
/// there. After `shutDown` commands are answered with `shutDown`.
public final class CoachHost: Sendable {
  /// What a host is made of. The program that embeds it chooses the adapters.
  public struct Configuration: Sendable {
    /// Started by the host's initialiser, stopped by `shutDown`. Of no other host.
    public var output: any SoundOutput
    /// The sounds of every lane that has none of its own, at the output's rate.
    public var sounds: SoundPack
    /// Nil for workouts without speech.
    public var speech: SpeechLibrary?
    /// Those of the engine that the host runs.
    public var settings = CueEngine.Settings()
    /// Nil: sessions are not stored.
    public var repository: SessionRepository?
    /// Takes a line for each event, on the check queue; closed by `shutDown`. Nil: no ledger.
    public var ledger: LedgerFile?
    /// Called on the check queue with each line of the ledger.
    public var observeLedger: @Sendable (LedgerEvent) -> Void = { _ in }
    /// Finished by `shutDown`, after the output has stopped. Nil: no recording.
    public var recording: (any SoundRecording)?
    /// CLOCK_BOOTTIME, unless a test brings its own. Called on any thread.
    public var clock: @Sendable () -> BootInstant = BootClock.now
    /// How long the machine has slept since it booted. Called on the check queue.
    public var sleepClock: @Sendable () -> Duration = BootClock.slept

    /// A host that stores nothing and keeps no ledger; the other properties are set afterwards.
    public init(output: any SoundOutput, sounds: SoundPack, speech: SpeechLibrary?) {
      self.output = output
      self.sounds = sounds
      self.speech = speech
    }
  }

  let engine: CueEngine
  private let lanes: HostLanes
  private let saver: SessionSaver?
  private let repository: SessionRepository?
  private let ledger: LedgerFile?
  private let recording: (any SoundRecording)?
  private let clock: @Sendable () -> BootInstant
  private let feed: Subscribers<HostEvent>

  /// Starts the engine and the output. `shutDown` ends them.
  public init(_ configuration: Configuration) {
    let feed = Subscribers<HostEvent>()
    let saver = configuration.repository.map { repository in
      SessionSaver(repository) { feed.send(.warning($0)) }
    }
    let lanes = HostLanes(saver: saver, repository: configuration.repository)
    let ledger = configuration.ledger
    self.feed = feed
    self.saver = saver
    self.lanes = lanes
    self.ledger = ledger
    repository = configuration.repository
    recording = configuration.recording
    clock = configuration.clock
    engine = CueEngine(
      output: configuration.output, sounds: configuration.sounds, speech: configuration.speech,
      settings: configuration.settings,
      clock: configuration.clock, sleepClock: configuration.sleepClock,
      ledger: { event in
        ledger?.write(event)
        configuration.observeLedger(event)
        if let message = MessageLeftOut(event) { feed.send(.leftOut(message)) }
      },
      events: { event in
        if case .ended(let status, let record) = event { lanes.end(status, record) }
        feed.send(.engine(event))
      },
      keep: { saver?.keep($0, $1) }, beat: { saver?.beat(at: $0) })
  }

  // MARK: Lanes

  /// Adds a workout, which waits for `begin`. Blocks until the check queue is free; not from a
  /// subscriber.
  ///
  /// - Parameter workout: a new session, or one that `Resumption` has found.
  /// - Throws: `HostError` if the name is taken, here or by another process, or if the sounds do
  ///   not fit. Nothing has changed then.
  public func add(_ workout: OpenedWorkout) throws(HostError) -> LaneID {
    try repository?.claim(workout.name, isForLane: true)
    do throws(LaneError) {
      let id = try engine.addLane(
        workout.name, timeline: workout.timeline, style: workout.style, sounds: workout.sounds,
        restoring: workout.resumed?.record)
      lanes.add(id, workout)
      return id
    } catch {
      // The claim above was for this lane alone.
      repository?.release(workout.name)
      let kind: HostError.Kind =
        switch error {
        case .nameTaken: .nameTaken
        case .shutDown: .shutDown
        case .name, .full, .otherWorkout, .sampleRate, .style: .refused
        }
      throw HostError(kind, "\(error)")
    }
  }

  /// Opens the output and renders the first announcements of lanes that are to begin. Blocks; not
  /// from a subscriber.
  ///
  /// - Parameters:
  ///   - ids: nil for all lanes.
  ///   - patience: how long it waits for the words at most.
  public func prepare(_ ids: [LaneID]? = nil, within patience: Duration = .milliseconds(400)) {
    // Stored before the preparation, so that a crash in it is counted.
    for (id, lane) in lanes.unbegun where ids?.contains(id) ?? true {
      if let resumed = lane.resumed, resumed.mode == .running { saver?.keep(id, resumed.record) }
    }
    engine.prepare(ids, within: patience)
  }

  /// Starts lanes that were added: new ones all at the same instant, resumed ones as their mode
  /// says.
  ///
  /// - Parameters:
  ///   - ids: as `add` returned them.
  ///   - instant: when workout time zero of the new ones is, up to a minute ahead; as soon as
  ///     possible when nil.
  ///   - answer: called on the check queue: `done` if a lane began; otherwise why none did, such as
  ///     `refused` for more than a day ahead.
  public func begin(
    _ ids: [LaneID], at instant: BootInstant? = nil,
    answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    if let instant, !engine.canStart(at: instant) {
      engine.start(ids, at: instant, answer: answer)
      return
    }
    let begun = lanes.begin(ids)
    let resumed = begun.compactMap { id, lane in lane.resumed.map { (id, $0.mode, $0.alive) } }
    let new = begun.filter { $0.lane.resumed == nil }.map(\.id)
    // Only the last call answers.
    if !resumed.isEmpty { engine.restore(resumed, answer: new.isEmpty ? answer : nil) }
    if !new.isEmpty {
      if let instant {
        engine.start(new, at: instant, answer: answer)
      } else {
        engine.send(.start, to: new, answer: answer)
      }
    }
    // The engine knows why: these lanes have ended, or run already.
    if begun.isEmpty { engine.send(.start, to: ids, answer: answer) }
  }

  /// Sends a command to one lane, or with nil to all lanes at the same instant.
  ///
  /// - Parameters:
  ///   - command: what is to be done.
  ///   - lane: nil: every lane that has not ended.
  ///   - answer: called on the check queue: `done`, or why not.
  public func send(
    _ command: Command, to lane: LaneID? = nil,
    answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    engine.send(command, to: lane, answer: answer)
  }

  /// The same; the result has the lanes that obeyed.
  package func send(
    _ command: Command, to lane: LaneID? = nil, result: @escaping @Sendable (CommandResult) -> Void
  ) {
    engine.send(command, to: lane, result: result)
  }

  /// Passes a signal from outside to one lane, or with nil to all: see `CueEngine.signal`.
  ///
  /// - Parameters:
  ///   - name: of a signal that a running phase may wait for; it is not checked.
  ///   - lane: nil: every lane whose phase waits for it.
  ///   - answer: called on the check queue: `noEffect` where no phase waits for it.
  public func signal(
    _ name: String, to lane: LaneID? = nil,
    answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    engine.signal(name, to: lane, answer: answer)
  }

  /// The same; the result has the lanes that waited for it.
  package func signal(
    _ name: String, to lane: LaneID? = nil, result: @escaping @Sendable (CommandResult) -> Void
  ) {
    engine.signal(name, to: lane, result: result)
  }

  /// Says a text in a lane's voice, as soon as it has room beside everything that the workouts have to
  /// say; one that finds none within a minute is left out: the answer is `busy` where that is known at once, and
  /// `HostEvent.leftOut` reports it afterwards.
  ///
  /// - Parameters:
  ///   - text: 500 characters at most, as they are: braces are plain characters.
  ///   - lane: in whose voice it is said.
  ///   - answer: called on the check queue: `noEffect` before the workout's start.
  public func say(
    _ text: String, in lane: LaneID, answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    engine.say(text, in: lane, answer: answer)
  }

  /// Sets a live value of one lane, or with nil of all: see `CueEngine.setValue`.
  ///
  /// - Parameters:
  ///   - name: 1 to 40 of a–z, 0–9 and hyphens, from a letter; no variable of the coach.
  ///   - value: nil: there is none any more.
  ///   - lane: nil: every lane that has not ended.
  ///   - answer: called on the check queue: `done`, or `unknownValue` where no text says it.
  public func setValue(
    _ name: String, to value: LiveValue?, in lane: LaneID? = nil,
    answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    engine.setValue(name, to: value, in: lane, answer: answer)
  }

  /// Says a message, at an instant or as soon as there is room: see `CueEngine.say`.
  ///
  /// - Parameters:
  ///   - message: its wordings, its priority, and how long it may be delayed.
  ///   - lane: in whose voice it is said.
  ///   - instant: when its first sample is to be heard; nil: as soon as there is room.
  ///   - report: called once, on the check queue, when it is known what became of it.
  /// - Returns: what takes it back.
  @discardableResult
  public func say(
    _ message: Message, in lane: LaneID, at instant: BootInstant? = nil,
    report: @escaping @Sendable (MessageReport) -> Void
  ) -> MessageHandle {
    engine.say(message, in: lane, at: instant, report: report)
  }

  /// Takes a message back that has not begun.
  public func withdraw(_ message: MessageHandle) { engine.withdraw(message) }

  /// Sets the master volume of all lanes, within 20 ms and without a click.
  ///
  /// - Parameters:
  ///   - gain: linear, clamped to 0…1. 1 is the full volume of the output, which is not changed.
  ///   - answer: called on the check queue: `done`, or `refused` for what is no number.
  public func setVolume(
    _ gain: Float, answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    engine.setVolume(gain, answer: answer)
  }

  /// Withdraws the question whether to stop, if it has not been said yet.
  package func withdrawQuestion() { engine.withdrawQuestion() }

  /// Ends what is said of workouts that have been stopped. Any command does that too.
  package func withdrawFarewells() { engine.withdrawFarewells() }

  /// The status of every lane that has not ended. Blocks until the check queue is free; not from a
  /// subscriber.
  public func statuses() -> [LaneStatus] { engine.statuses() }

  /// A lane's status: as it is now, then whenever it changes, until the lane has ended: see `CueEngine`.
  public func statuses(of lane: LaneID) -> EventSequence<LaneStatus> { engine.statuses(of: lane) }

  /// Every line of the ledger from now on, as it becomes known.
  public var ledgerEvents: EventSequence<LedgerEvent> { engine.ledger }

  /// The same without waiting: `receive` is called on the check queue, behind everything that has been reported.
  package func statuses(_ receive: @escaping @Sendable ([LaneStatus]) -> Void) {
    engine.statuses(receive)
  }

  /// A lane as it was added; nil where it has ended.
  public func lane(_ id: LaneID) -> OpenedWorkout? { lanes[id] }

  /// Runs the engine's check at once, for tests on a clock of their own.
  package func checkNow() { engine.checkNow() }

  // MARK: Feed

  /// Calls `receive` for every event from now on, on the check queue or the store's queue. It must
  /// not block. The subscription ends with `cancel` or with its last reference.
  public func subscribe(_ receive: @escaping @Sendable (HostEvent) -> Void) -> Subscription {
    feed.subscribe(receive)
  }

  /// Every event from now on, for a loop on a task of its own, until `shutDown`. A reader that is more than
  /// `EventSequence.limit` events behind finds `HostEvent.engine(.omitted)` in place of the oldest.
  public var events: EventSequence<HostEvent> {
    feed.sequence { .engine(.omitted($0)) }
  }

  /// How many are subscribed, for tests.
  package var subscriberCount: Int { feed.count }

  // MARK: The end

  /// Stores every session as it is now, to be resumed later; what happens afterwards is not stored.
  /// Blocks until the check queue is free; not from a subscriber.
  ///
  /// - Returns: the status of every lane.
  public func suspend() -> [LaneStatus] {
    // A phase, or the workout, may have ended since the last check.
    engine.checkNow()
    lanes.suspend { engine.record(of: $0) }
    return engine.statuses()
  }

  /// Waits until what has been reported so far is on the disk: a workout whose end was reported is in the
  /// history then. Blocks on the disk; not from a subscriber. Returns false if something could not be
  /// written.
  @discardableResult
  public func flush() -> Bool { saver?.finish() ?? true }

  /// Ends the engine, the recording and the ledger, and waits for the disk. Not from a subscriber.
  ///
  /// - Returns: false if the result of a session could not be stored.
  public func shutDown() -> Bool {
    engine.shutDown()
    recording?.finish()
    ledger?.close()
    let isKept = saver?.finish() ?? true
    repository?.releaseAll()
    feed.finish()
    return isKept
  }

  // The engine ends with its last reference, here. Sessions stay as they were last stored, to be resumed.
  deinit { feed.finish() }
}
