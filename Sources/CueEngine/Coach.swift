import CueSound
import IntervalTimeline

/// The lanes, the client of the mixer and the ledger: everything of a run but the clock and the threads.
///
/// Its holder passes it the time, so the same code serves a timer, a rendering to a file and a test. It
/// calls nothing outside while its state changes: effects collect in `outbox`, and the last step of each
/// entry point performs them.
package struct Coach {
  private let sounds: SoundPack
  let speech: SpeechLibrary?
  /// This coach's number at the library.
  let speechClient: Int
  let settings: CueEngine.Settings

  // Receivers of effects; only `deliver` calls them.
  let write: @Sendable (LedgerEvent) -> Void
  let emit: @Sendable (EngineEvent) -> Void
  let keep: (@Sendable (LaneID, SessionRecord) -> Void)?
  /// Called from another thread when awaited words have been rendered; nil: words are rendered on the
  /// spot.
  var wordsAreReady: (@Sendable (Int) -> Void)?

  var lanes: LaneTable
  var mixerClient: MixerClient
  var outputWatchdog = OutputWatchdog()
  /// How long before it is due a sound must be handed over, where the output has learned that.
  var learnedLeadTime: Duration? { mixerClient.minimumLeadTime }
  var planner: WordPlanner
  /// Messages whose instants lie far ahead, in the order of these.
  var scheduled: [ScheduledMessage] = []
  /// Of the messages that were handed off and are not over.
  var senders: [AnnouncementID: MessageSender] = [:]
  /// Of messages that were not accepted.
  var refusals = RefusalTally()
  var outbox: [CoachEffect] = []
  /// Linear gain over everything, 0…1.
  private(set) var volume: Float = 1
  /// The latest instant of a command or check: they are handled in the order in which they come, and time
  /// does not go back.
  var lastSeen = BootInstant(nanoseconds: .min)

  package init(
    link: MixerLink, sounds: SoundPack, speech: SpeechLibrary?, settings: CueEngine.Settings,
    engine: Int = 0, write: @escaping @Sendable (LedgerEvent) -> Void,
    emit: @escaping @Sendable (EngineEvent) -> Void,
    keep: (@Sendable (LaneID, SessionRecord) -> Void)? = nil
  ) {
    lanes = LaneTable(engine: engine)
    mixerClient = MixerClient(link)
    self.sounds = sounds
    self.speech = speech
    speechClient = speech?.newClient() ?? 0
    planner = WordPlanner(
      outputLatency: settings.outputLatency, checkInterval: settings.checkInterval)
    self.settings = settings
    self.write = write
    self.emit = emit
    self.keep = keep
  }

  /// Adds a lane; with `record` one that has run before and waits for `restore`.
  @discardableResult
  package mutating func addLane(
    _ name: String, timeline: Timeline, style: LaneStyle, sounds: SoundPack? = nil,
    restoring record: SessionRecord? = nil
  ) throws(LaneError) -> LaneID {
    guard NameRule.workout.allows(name) else { throw .name(name) }
    guard !lanes.hasName(name) else { throw .nameTaken(name) }
    guard lanes.ids.count < CueEngine.maxLanes else { throw .full(limit: CueEngine.maxLanes) }
    let sounds = sounds ?? self.sounds
    guard sounds.rate == self.sounds.rate else {
      throw .sampleRate(sounds.rate, expected: self.sounds.rate)
    }
    if let misuse = style.misuse { throw .style(misuse) }
    let plan = style.applied(to: settings.plan)
    let session: Session
    if let record {
      let restored = Session(
        timeline, plan: plan, window: settings.duplicateWindow, horizon: horizon,
        acknowledged: style.acknowledged, responseTime: settings.outputLatency,
        restoring: record)
      guard let restored else { throw .otherWorkout }
      session = restored
    } else {
      session = Session(
        timeline, plan: plan, window: settings.duplicateWindow, horizon: horizon,
        acknowledged: style.acknowledged, responseTime: settings.outputLatency)
    }
    var lane = Lane(
      id: lanes.nextID, name: name, style: style, sounds: sounds, session: session)
    if let record {
      (lane.cues, lane.keptAt, lane.awaitsRestoring) = (record.cues, record.at, true)
    }
    lanes.add(lane)
    speakersChanged()
    return lane.id
  }

  /// Adds the only workout of a run and starts it.
  mutating func start(_ timeline: Timeline, style: LaneStyle, at now: BootInstant) {
    do throws(LaneError) {
      let name = NameRule.workout.fitted(timeline.workout.name)
      let lane = try addLane(name, timeline: timeline, style: style)
      obey(.start, lanes: [lane], at: now)
      deliver()
    } catch {
      preconditionFailure("the first lane was refused: \(error)")
    }
  }

  /// A single lane's announcements have no name; with several lanes each begins with one. So the words to
  /// come change.
  private mutating func speakersChanged() {
    // Before the first check or command there is nothing to say.
    guard lanes.count <= 2, lastSeen.nanoseconds != .min else { return }
    for id in lanes.ids where lanes[id].session.state != .ready {
      lanes[id].lookAheadAgain(at: lastSeen)
      lanes[id].wakesAt = min(lanes[id].wakesAt, lastSeen)
    }
  }

  var horizon: Duration { settings.checkInterval * 3 + settings.outputLatency }

  /// Restores lanes that have run before.
  @discardableResult
  mutating func restore(
    _ some: [CueEngine.Restoration], at instant: BootInstant
  ) -> CommandAnswer {
    guard let first = some.map(\.lane).first(where: lanes.contains) else {
      return some.isEmpty ? .noLane : .unknownLane
    }
    var answer = CommandAnswer.noEffect(lanes[first].session.state)
    lastSeen = max(instant, lastSeen)
    var words: [(lane: LaneID, handOffs: [HandOff])] = []
    for (lane, mode, alive) in some
    where lanes.contains(lane) && lanes[lane].awaitsRestoring {
      answer = .done
      lanes[lane].awaitsRestoring = false
      let since = lanes[lane].keptAt
      let before = lanes[lane].session.transport.position(at: since).phase
      if let alive, mode == .running, (since...max(since, lastSeen)).contains(alive) {
        lanes[lane].cues.played += lanes[lane].session.hear(until: alive)
      }
      let effects = lanes[lane].session.restore(
        at: lastSeen, from: since, mode)
      record(
        .restored(
          lane: lanes[lane].name, at: lastSeen, isHeld: lanes[lane].session.state == .paused))
      lanes[lane].lookAheadAgain(at: lastSeen)
      lanes[lane].hasChanged = true
      let status = status(of: lane, at: lastSeen)
      outbox.append(.emit(.restored(status, passed: before + 1..<max(before + 1, status.phase))))
      words.append(
        (
          lane,
          perform(
            effects.filter { effect in
              if case .phaseBegan(let phase, _) = effect { phase >= status.phase } else { true }
            }, lane: lane, at: lastSeen)
        ))
    }
    announce(words, at: lastSeen)
    saveChanges(at: lastSeen)
    deliver()
    return answer
  }

  /// The machine has slept: running lanes are paused where the sleep began, and say where they are.
  mutating func wakeUp(after sleep: Duration, at now: BootInstant) {
    let running = lanes.ids(in: .running)
    guard !running.isEmpty else { return }
    obey(.pause, lanes: running, at: now - sleep)
    obey(.whereAmI, lanes: running, at: now)
    outbox.append(.emit(.slept(sleep)))
    deliver()
  }

  /// Sets the master volume, a linear gain; values outside 0…1 are clamped.
  mutating func setVolume(_ gain: Float) {
    let gain = min(1, max(0, gain))
    guard gain != volume else { return }
    volume = gain
    mixerClient.setVolume(gain)
    outbox.append(.emit(.volumeChanged(gain)))
    deliver()
  }

  // MARK: Saving

  /// Saves what has changed, and each running session every ten seconds.
  private mutating func saveChanges(at now: BootInstant) {
    guard keep != nil else { return }
    for lane in lanes.unsaved(at: now) { save(lane, at: now) }
  }

  mutating func save(_ lane: LaneID, at now: BootInstant) {
    lanes[lane].hasChanged = false
    lanes[lane].keptAt = now
    outbox.append(.keep(lane, record(of: lane, at: now)))
  }

  /// A session as it is now.
  func record(of lane: LaneID, at now: BootInstant) -> SessionRecord {
    var record = lanes[lane].session.record(at: now)
    record.cues = lanes[lane].cues
    return record
  }

  /// True while something is still to be heard or reported.
  var isRunning: Bool {
    planner.pending.isWaiting || lanes.count(in: .running) > 0 || mixerClient.isBusy
  }

  /// True while the check has something to do.
  var needsChecks: Bool { isRunning || !scheduled.isEmpty }

  var activity: OutputActivity {
    if isRunning { return .running }
    return lanes.count(in: .paused) > 0 ? .paused : .idle
  }

  func status(of lane: LaneID, at now: BootInstant) -> LaneStatus {
    LaneStatus(lanes[lane], at: now)
  }

  // MARK: Checks and commands

  /// The 0.5 s check. True when it has handed something off.
  ///
  /// - Parameter stall: how long there has been no check, where that was far too long: running lanes say
  ///   where they are.
  @discardableResult
  package mutating func check(at instant: BootInstant, after stall: Duration? = nil) -> Bool {
    let sent = mixerClient.handedOver
    let now = max(instant, lastSeen)
    lastSeen = now
    takeReports()
    watchOutput(at: now)
    var words: [(lane: LaneID, handOffs: [HandOff])] = []
    let stalled = stall == nil ? [] : lanes.ids(in: .running)
    for lane in stalled { lanes[lane].wakesAt = now }
    for lane in lanes.due(at: now) {
      let hasStalled = stall != nil && lanes[lane].session.state == .running
      let effects = lanes[lane].session.check(at: now, hasStalled: hasStalled)
      words.append((lane, perform(effects, lane: lane, at: now)))
    }
    announce(words, at: now)
    handOffMessages(at: now)
    for (lane, count) in refusals.takeDue(at: now) { recordRefusals(count, of: lane) }
    endWaiting(at: now)
    if let stall, !stalled.isEmpty { outbox.append(.emit(.stalled(stall))) }
    saveChanges(at: now)
    if let failure = speech?.takeFailure() { outbox.append(.emit(.speechFailed(failure))) }
    deliver()
    return mixerClient.handedOver != sent
  }

  /// Obeys a command. `start` may lie ahead of now.
  @discardableResult
  package mutating func handle(
    _ command: Command, lane: LaneID, at instant: BootInstant
  ) -> CommandAnswer {
    handle(command, lanes: [lane], at: instant).answer
  }

  /// Gives the command to some lanes at one instant. The sounds of all lanes go out before any words.
  @discardableResult
  mutating func handle(
    _ command: Command, lanes some: [LaneID], at instant: BootInstant
  ) -> CommandResult {
    let result = obey(command, lanes: some, at: instant)
    deliver()
    return result
  }

  @discardableResult
  private mutating func obey(
    _ command: Command, lanes some: [LaneID], at instant: BootInstant
  ) -> CommandResult {
    guard let first = some.first(where: lanes.contains) else {
      return CommandResult(answer: some.isEmpty ? .noLane : .unknownLane)
    }
    var result = CommandResult(answer: .noEffect(lanes[first].session.state))
    // A command may have waited for a check of a later instant.
    let instant = max(instant, lastSeen)
    if command != .start { lastSeen = instant }
    takeReports()
    withdrawFarewells(at: instant)
    var words: [(lane: LaneID, handOffs: [HandOff])] = []
    var given: Set<LaneID> = []
    for lane in some where lanes.contains(lane) && given.insert(lane).inserted {
      let effects = lanes[lane].session.handle(command, at: instant)
      let isObeyed = effects.contains { if case .obeyed(command, _) = $0 { true } else { false } }
      if isObeyed {
        result.answer = .done
        result.lanes.append(status(of: lane, at: instant))
      }
      if command == .stop, lanes[lane].session.state == .ready {
        removeUnstarted(lane, at: instant)
        result.answer = .done
        continue
      }
      lanes[lane].lookAheadAgain(at: instant)
      words.append((lane, perform(effects, lane: lane, at: instant)))
      if lanes[lane].session.state == .stopped { dropMessages(of: lane) }
    }
    announce(words, at: instant, isCommand: true)
    saveChanges(at: instant)
    for lane in given where lanes.contains(lane) && lanes[lane].session.state == .stopped {
      if planner.pending.hasWords(of: lane) { reportEnd(of: lane) }
    }
    return result
  }

  /// Passes a signal from outside to one lane, or with nil to all of them at one instant.
  package mutating func signal(
    _ name: String, lane: LaneID?, at instant: BootInstant
  ) -> CommandResult {
    let some = lane.map { [$0] } ?? lanes.ids
    guard let first = some.first(where: lanes.contains) else {
      return CommandResult(answer: some.isEmpty ? .noLane : .unknownLane)
    }
    let now = max(instant, lastSeen)
    lastSeen = now
    takeReports()
    let paused = some.first {
      lanes.contains($0) && lanes[$0].session.isPaused(waitingFor: .signal(name), at: now)
    }
    var result = CommandResult(answer: .noEffect(lanes[paused ?? first].session.state))
    var words: [(lane: LaneID, handOffs: [HandOff])] = []
    for id in some where lanes.contains(id) {
      let effects = lanes[id].session.signal(name, at: now)
      if effects.contains(.signalled(name, at: now)) {
        result.answer = .done
        result.lanes.append(status(of: id, at: now))
      }
      lanes[id].lookAheadAgain(at: now)
      words.append((id, perform(effects, lane: id, at: now)))
    }
    announce(words, at: now, isCommand: result.answer == .done)
    saveChanges(at: now)
    deliver()
    return result
  }

  /// Gives the command `next` where a lane's open phase has lasted `length`, or its shortest length if that is
  /// longer: no person does.
  mutating func endOpenPhase(after length: Duration, at now: BootInstant) {
    for lane in lanes.ids(in: .running) {
      let session = lanes[lane].session
      let here = session.transport.position(at: now)
      guard here.phaseLeft == nil,
        case .open(_, let bounds) = session.timeline.entries[here.phase].phase.length,
        here.elapsed - here.phaseStart >= max(length, bounds.atLeast ?? .zero)
      else { continue }
      handle(.next, lane: lane, at: now)
    }
  }

  mutating func endIfOver(_ lane: LaneID) {
    guard lanes.contains(lane), lanes[lane].isOver, !mixerClient.isBusy(lane),
      !planner.pending.isWaiting(lane)
    else { return }
    dropMessages(of: lane)
    reportEnd(of: lane)
    lanes.remove(lane)
    planner.forget(lane)
    outbox.append(.stopRenderingAhead(lane))
    speakersChanged()
  }

  private mutating func reportEnd(of lane: LaneID) {
    guard !lanes[lane].hasEnded else { return }
    lanes[lane].hasEnded = true
    if lanes[lane].hasChanged { save(lane, at: lastSeen) }
    outbox.append(
      .emit(.ended(status(of: lane, at: lastSeen), record(of: lane, at: lastSeen))))
  }

  /// A stop before the start: the lane leaves nothing to be saved.
  private mutating func removeUnstarted(_ lane: LaneID, at now: BootInstant) {
    let (status, record) = (status(of: lane, at: now), record(of: lane, at: now))
    lanes.remove(lane)
    planner.forget(lane)
    outbox.append(.stopRenderingAhead(lane))
    speakersChanged()
    outbox.append(.emit(.ended(status, record)))
  }
}
