import CueEngine
import CueSound
import IntervalTimeline
import SessionStore
import Synchronization

/// What a run is, for any holder: a terminal, a service, another trainer's program.
///
/// A host runs any number of workouts side by side through one engine, keeps their sessions on disk,
/// writes the ledger and the recording, and reports everything to any number of subscribers. It knows
/// no terminal, environment or argument. All methods may be called from any thread, but those that say
/// so not from a subscriber.
public final class CoachHost: Sendable {
  /// What a host works with; the holder chooses the adapters.
  public struct Parts: Sendable {
    public var output: any SoundOutput
    public var sounds: SoundPack
    /// Nil for workouts without words.
    public var speech: SpeechLibrary?
    public var settings = CueEngine.Settings()
    /// Nil: sessions are kept nowhere.
    public var shelf: SessionShelf?
    public var ledger: LedgerFile?
    public var recording: (any SoundRecording)?
    public var clock: @Sendable () -> BootInstant = BootClock.now
    public var sleepClock: @Sendable () -> Duration = BootClock.slept

    public init(output: any SoundOutput, sounds: SoundPack, speech: SpeechLibrary?) {
      self.output = output
      self.sounds = sounds
      self.speech = speech
    }
  }

  private struct State {
    var lanes: [LaneID: HostLane] = [:]
    /// Those that `begin` has started.
    var begun: Set<LaneID> = []
  }

  private let engine: CueEngine
  private let keeper: SessionKeeper?
  private let shelf: SessionShelf?
  private let ledger: LedgerFile?
  private let recording: (any SoundRecording)?
  private let clock: @Sendable () -> BootInstant
  private let feed: Feed
  /// Protects the lanes; never held while the engine is waited for.
  private let state = Mutex(State())
  /// Called on the engine's queue when a lane has ended.
  private let removal: Removal

  /// Breaks the circle between the engine, which is made first, and the host.
  private final class Removal: Sendable {
    let action = Mutex<(@Sendable (LaneStatus, SessionRecord) -> Void)?>(nil)
  }

  public init(_ parts: Parts) {
    let feed = Feed()
    let keeper = parts.shelf.map { shelf in
      SessionKeeper(shelf) { feed.send(.warning($0)) }
    }
    let removal = Removal()
    self.feed = feed
    self.keeper = keeper
    self.removal = removal
    shelf = parts.shelf
    ledger = parts.ledger
    recording = parts.recording
    clock = parts.clock
    let ledger = parts.ledger
    engine = CueEngine(
      output: parts.output, sounds: parts.sounds, speech: parts.speech, settings: parts.settings,
      clock: parts.clock, sleepClock: parts.sleepClock,
      ledger: { ledger?.write($0) },
      events: { event in
        if case .ended(let status, let record) = event {
          removal.action.withLock { $0 }?(status, record)
        }
        feed.send(.engine(event))
      },
      keep: { keeper?.keep($0, $1) }, beat: { keeper?.beat(at: $0) })
    removal.action.withLock { action in
      action = { [weak self] status, record in self?.removed(status, record) }
    }
  }

  private func removed(_ status: LaneStatus, _ record: SessionRecord) {
    let lane = state.withLock { state in
      state.begun.remove(status.id)
      return state.lanes.removeValue(forKey: status.id)
    }
    guard let lane else { return }
    // One that never began leaves nothing.
    if status.state == .ready {
      keeper?.forget(status.id)
      shelf?.letGo(lane.name)
    } else {
      keeper?.end(status.id, record)
    }
  }

  // MARK: Lanes

  /// Adds a workout, which waits for `begin`. Blocks until the check queue is free; not from a
  /// subscriber.
  ///
  /// - Parameter sounds: the lane's own; the host's when nil.
  /// - Throws: `HostError` where the name is taken, here or by another process, or the sounds do not
  ///   fit; nothing has changed then.
  public func add(
    _ lane: HostLane, style: LaneStyle = LaneStyle(), sounds: SoundPack? = nil
  ) throws(HostError) -> LaneID {
    try shelf?.claim(lane.name)
    do throws(LaneError) {
      let id = try engine.addLane(
        lane.name, timeline: lane.timeline, style: style, sounds: sounds,
        restoring: lane.resumed?.record)
      keeper?.add(id, lane)
      state.withLock { $0.lanes[id] = lane }
      feed.send(.added(id))
      return id
    } catch {
      // The name was taken for this lane alone.
      if case .nameTaken = error {} else { shelf?.letGo(lane.name) }
      let kind: HostError.Kind =
        switch error {
        case .nameTaken: .nameTaken
        case .shutDown: .shutDown
        case .otherWorkout, .sampleRate: .refused
        }
      throw HostError(kind, "\(error)")
    }
  }

  /// Opens the output and renders what is said first. Blocks; not from a subscriber.
  public func prepare() {
    // Should the preparation end the program, that counts as a crash too.
    for (id, lane) in state.withLock({ $0.lanes }) {
      if let resumed = lane.resumed, resumed.mode == .running { keeper?.keep(id, resumed.record) }
    }
    engine.prepare()
  }

  /// Starts lanes that were added: new ones at the same instant, resumed ones as they go on.
  public func begin(_ some: [LaneID]) {
    let lanes = state.withLock { state in
      some.compactMap { id in state.lanes[id].map { (id: id, lane: $0) } }
        .filter { state.begun.insert($0.id).inserted }
    }
    engine.restore(
      lanes.compactMap { id, lane in lane.resumed.map { (id, $0.mode, $0.alive) } })
    engine.send(.start, to: lanes.filter { $0.lane.resumed == nil }.map(\.id))
  }

  /// Gives a command to one lane, or with nil to all at the same instant.
  ///
  /// - Parameter answer: called on the check queue.
  public func send(
    _ command: Command, to lane: LaneID? = nil,
    answer: (@Sendable (CommandAnswer) -> Void)? = nil
  ) {
    engine.send(command, to: lane, answer: answer)
  }

  /// The question whether to stop is over: it is not asked where it is still to be.
  public func withdrawQuestion() { engine.withdrawQuestion() }

  /// Every lane that has not ended. Blocks until the check queue is free; not from a subscriber.
  public func statuses() -> [LaneStatus] { engine.statuses() }

  /// Runs the engine's check at once, for tests on a clock of their own.
  package func checkNow() { engine.checkNow() }

  // MARK: Feed

  /// Calls `receive` for every event from now on, on the check queue or the store's, one at a time;
  /// it must not wait. Ends with `cancel` or the subscription's last reference.
  public func subscribe(_ receive: @escaping @Sendable (HostEvent) -> Void) -> Subscription {
    feed.subscribe(receive)
  }

  /// Everything at this instant. Blocks until the check queue is free; not from a subscriber.
  public func snapshot() -> HostSnapshot {
    // The revision first: what changes meanwhile raises it again.
    let (revision, device, warnings) = feed.summary
    return HostSnapshot(
      revision: revision, at: clock(), lanes: engine.statuses().map(HostSnapshot.Lane.init),
      device: device, warnings: warnings)
  }

  // MARK: The end

  /// Keeps every session for another time, as it is now. What happens afterwards is not kept. Blocks
  /// until the check queue is free; not from a subscriber.
  ///
  /// - Returns: how the lanes stood.
  public func suspend() -> [LaneStatus] {
    let (lanes, begun) = state.withLock { ($0.lanes, $0.begun) }
    var sessions: [(lane: LaneID, record: SessionRecord)] = []
    for (id, lane) in lanes {
      if begun.contains(id) {
        if let record = engine.record(of: id) { sessions.append((id, record)) }
      } else if let resumed = lane.resumed, resumed.mode == .running {
        // What was to be resumed stays as it was kept; the record of one that was to be held may be
        // on another boot's clock on the disk.
        sessions.append((id, resumed.record))
      }
    }
    keeper?.suspend(sessions)
    return engine.statuses()
  }

  /// Ends the engine, then the recording and the ledger, and waits for the disk. Not from a
  /// subscriber.
  ///
  /// - Returns: false where the disk did not take how a session went.
  public func shutDown() -> Bool {
    engine.shutDown()
    recording?.finish()
    ledger?.close()
    let isKept = keeper?.finish() ?? true
    shelf?.letGoOfAll()
    return isKept
  }
}
