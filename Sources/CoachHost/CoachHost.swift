import CueEngine
import CueSound
import IntervalTimeline

/// Runs workouts for any program: a command line, a service, another trainer.
///
/// A host runs any number of workouts side by side through one engine, stores their sessions on
/// disk, writes the ledger and the recording, and reports everything to any number of subscribers.
/// It reads no terminal, environment variable or command-line argument. All methods may be called
/// from any thread, but some, as noted, not from a subscriber's closure: they end the program with a sentence
/// there. After `shutDown` commands are answered with `shutDown`.
public final class CoachHost: LaneCommands {
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
  private let feed: Subscribers<HostEvent>
  private let warnings: Subscribers<Sentence>

  /// Starts the engine and the output. `shutDown` ends them.
  public init(_ configuration: Configuration) {
    let feed = Subscribers<HostEvent>()
    let warnings = Subscribers<Sentence>()
    let saver = configuration.repository.map { repository in
      SessionSaver(repository) { line in
        feed.send(.warning(line.text))
        warnings.send(line)
      }
    }
    let lanes = HostLanes(saver: saver, repository: configuration.repository)
    let ledger = configuration.ledger
    (self.feed, self.warnings) = (feed, warnings)
    self.saver = saver
    self.lanes = lanes
    self.ledger = ledger
    repository = configuration.repository
    recording = configuration.recording
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

  public var access: LaneAccess { engine.access }

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

  /// The same for callers that run in a task.
  ///
  /// - Returns: `done` if a lane began; otherwise why none did.
  @discardableResult
  public func begin(_ ids: [LaneID], at instant: BootInstant? = nil) async -> CommandAnswer {
    await answer { begin(ids, at: instant, answer: $0) }
  }

  /// A lane as it was added; nil where it has ended.
  package func lane(_ id: LaneID) -> OpenedWorkout? { lanes[id] }

  /// Every line of the ledger from now on, as it becomes known.
  public var ledgerEvents: EventSequence<LedgerEvent> { engine.ledger }

  /// Runs the engine's check at once, for tests on a clock of their own.
  package func checkNow() { engine.checkNow() }

  // MARK: Feed

  /// Calls `receive` for every event from now on, on the check queue or the store's queue. It must
  /// not block. The subscription ends with `cancel` or with its last reference.
  public func subscribe(_ receive: @escaping @Sendable (HostEvent) -> Void) -> Subscription {
    feed.subscribe(receive)
  }

  /// Calls `receive` with each `HostEvent.warning`, as a sentence that can be translated; on any thread.
  package func subscribeToWarnings(
    _ receive: @escaping @Sendable (Sentence) -> Void
  ) -> Subscription {
    warnings.subscribe(receive)
  }

  /// Calls `receive` on the check queue with the words that will be heard: see `CueEngine.subscribeToSpeech`.
  package func subscribeToSpeech(
    _ receive: @escaping @Sendable (SpokenText) -> Void
  ) -> Subscription {
    engine.subscribeToSpeech(receive)
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
    return engine.statuses().filter { !$0.isTried }
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
