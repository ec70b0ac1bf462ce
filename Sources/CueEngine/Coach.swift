import CueSound
import IntervalTimeline

/// The lanes, the mixer's far end and the ledger: everything of a run but the clock and threads.
///
/// Told the time by its holder, so that a workout can be run by a timer, rendered to a file or
/// stepped through by a test with the same code.
package struct Coach {
  private let sounds: SoundPack
  let speech: SpeechLibrary?
  var announcer: Announcer
  let settings: CueEngine.Settings
  private let write: @Sendable (LedgerEvent) -> Void
  let tell: @Sendable (EngineEvent) -> Void
  private let keep: (@Sendable (LaneID, SessionRecord) -> Void)?

  var lanes = LaneTable()

  var desk: MixerDesk
  /// Commands and checks are taken in the order in which they come; time does not go back.
  var lastSeen = BootInstant(nanoseconds: .min)

  var waiting: [WaitingWords] = []
  var nextWaiting = 1
  /// Called from another thread when words that were waited for are there; nil: nothing waits, and
  /// words are rendered on the spot.
  var wordsAreReady: (@Sendable (Int) -> Void)?

  package init(
    link: MixerLink, sounds: SoundPack, speech: SpeechLibrary?, settings: CueEngine.Settings,
    write: @escaping @Sendable (LedgerEvent) -> Void,
    tell: @escaping @Sendable (EngineEvent) -> Void,
    keep: (@Sendable (LaneID, SessionRecord) -> Void)? = nil
  ) {
    desk = MixerDesk(link)
    self.sounds = sounds
    self.speech = speech
    announcer = Announcer(speech: speech)
    self.settings = settings
    self.write = write
    self.tell = tell
    self.keep = keep
  }

  /// Adds a lane; with `record` one that has run before, which `takeUp` goes on with.
  @discardableResult
  package mutating func addLane(
    _ name: String, timeline: Timeline, manner: LaneManner, sounds: SoundPack? = nil,
    restoring record: SessionRecord? = nil
  ) throws(LaneError) -> LaneID {
    guard !lanes.hasName(name) else { throw .nameTaken(name) }
    let sounds = sounds ?? self.sounds
    guard sounds.rate == self.sounds.rate else {
      throw .sampleRate(sounds.rate, expected: self.sounds.rate)
    }
    let plan = manner.applied(to: settings.plan)
    let session: Session
    if let record {
      let restored = Session(
        timeline, plan: plan, window: settings.duplicateWindow, horizon: horizon,
        acknowledged: manner.acknowledged, responseTime: settings.outputLatency,
        restoring: record)
      guard let restored else { throw .otherWorkout }
      session = restored
    } else {
      session = Session(
        timeline, plan: plan, window: settings.duplicateWindow, horizon: horizon,
        acknowledged: manner.acknowledged, responseTime: settings.outputLatency)
    }
    var lane = Lane(
      id: lanes.nextID, name: name, manner: manner, sounds: sounds, session: session)
    if let record { (lane.cues, lane.keptAt) = (record.cues, record.at) }
    lanes.add(lane)
    speakersChanged()
    return lane.id
  }

  /// Adds the only workout of a run and starts it.
  mutating func start(_ timeline: Timeline, manner: LaneManner, at now: BootInstant) {
    do throws(LaneError) {
      let lane = try addLane(timeline.workout.name, timeline: timeline, manner: manner)
      handle(.start, lane: lane, at: now)
    } catch {
      preconditionFailure("the first lane was refused: \(error)")
    }
  }

  /// With one lane no name is said, with several every announcement begins with one: the words to
  /// come are other ones.
  private mutating func speakersChanged() {
    // Before the first check or command there is nothing to say.
    guard lanes.count <= 2, lastSeen.nanoseconds != .min else { return }
    for id in lanes.ids where lanes[id].session.state != .ready {
      lanes[id].lookAheadAgain(at: lastSeen)
      lanes[id].wakesAt = min(lanes[id].wakesAt, lastSeen)
    }
  }

  private var horizon: Duration { settings.checkInterval * 3 + settings.outputLatency }

  /// Goes on with lanes that have run before.
  mutating func takeUp(
    _ some: [CueEngine.TakeUp], at instant: BootInstant
  ) {
    lastSeen = max(instant, lastSeen)
    var words: [(lane: LaneID, handOffs: [HandOff])] = []
    for (lane, manner, alive) in some where lanes.contains(lane) {
      let since = lanes[lane].keptAt
      if let alive, manner == .running, (since...max(since, lastSeen)).contains(alive) {
        lanes[lane].cues.played += lanes[lane].session.hear(until: alive)
      }
      let effects = lanes[lane].session.takeUp(
        at: lastSeen, from: since, manner)
      write(
        .takenUp(
          lane: lanes[lane].name, at: lastSeen, isHeld: lanes[lane].session.state == .paused))
      lanes[lane].lookAheadAgain(at: lastSeen)
      lanes[lane].hasChanged = true
      words.append((lane, perform(effects, lane: lane, at: lastSeen)))
    }
    announce(words, at: lastSeen)
    keepWhatChanged(at: lastSeen)
  }

  /// The machine has slept so long: whoever ran is paused where that began, and says where it is.
  mutating func wakeUp(after sleep: Duration, at now: BootInstant) {
    let running = lanes.ids(in: .running)
    guard !running.isEmpty else { return }
    handle(.pause, lanes: running, at: now - sleep)
    handle(.whereAmI, lanes: running, at: now)
    tell(.slept(sleep))
  }

  // MARK: Keeping

  /// Gives away what has changed, and each running session every ten seconds.
  private mutating func keepWhatChanged(at now: BootInstant) {
    guard keep != nil else { return }
    for lane in lanes.unsaved(at: now) { save(lane, at: now) }
  }

  private mutating func save(_ lane: LaneID, at now: BootInstant) {
    lanes[lane].hasChanged = false
    lanes[lane].keptAt = now
    keep?(lane, record(of: lane, at: now))
  }

  /// A session as it is now.
  func record(of lane: LaneID, at now: BootInstant) -> SessionRecord {
    var record = lanes[lane].session.record(at: now)
    record.cues = lanes[lane].cues
    return record
  }

  /// True while something is still to be heard, or to be learned of what was.
  var isRunning: Bool {
    !waiting.isEmpty || lanes.count(in: .running) > 0 || desk.isBusy
  }

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
  /// - Parameter stall: how long there has been none, where that was far too long: whatever runs
  ///   says where it is.
  @discardableResult
  package mutating func check(at instant: BootInstant, after stall: Duration? = nil) -> Bool {
    let sent = desk.handedOver
    let now = max(instant, lastSeen)
    lastSeen = now
    collectReports()
    var words: [(lane: LaneID, handOffs: [HandOff])] = []
    let stalled = stall == nil ? [] : lanes.ids(in: .running)
    for lane in stalled { lanes[lane].wakesAt = now }
    for lane in lanes.due(at: now) {
      let hasStalled = stall != nil && lanes[lane].session.state == .running
      let effects = lanes[lane].session.check(at: now, hasStalled: hasStalled)
      words.append((lane, perform(effects, lane: lane, at: now)))
    }
    announce(words, at: now)
    if let stall, !stalled.isEmpty { tell(.stalled(stall)) }
    keepWhatChanged(at: now)
    if let failure = speech?.takeFailure() { tell(.speechFailed(failure)) }
    return desk.handedOver != sent
  }

  /// Obeys a command. `start` may lie ahead of now.
  @discardableResult
  package mutating func handle(
    _ command: Command, lane: LaneID, at instant: BootInstant
  ) -> CommandAnswer {
    handle(command, lanes: [lane], at: instant)
  }

  /// Gives the command to some lanes at one instant: the sounds of all go out before any words.
  @discardableResult
  mutating func handle(
    _ command: Command, lanes some: [LaneID], at instant: BootInstant
  ) -> CommandAnswer {
    guard let first = some.first(where: lanes.contains) else {
      return some.isEmpty ? .noLane : .unknownLane
    }
    var answer = CommandAnswer.noEffect(lanes[first].session.state)
    // A command may have waited behind a check that looked past its instant.
    let instant = max(instant, lastSeen)
    if command != .start { lastSeen = instant }
    collectReports()
    var words: [(lane: LaneID, handOffs: [HandOff])] = []
    for lane in some where lanes.contains(lane) {
      let effects = lanes[lane].session.handle(command, at: instant)
      let isObeyed = effects.contains { if case .obeyed(command, _) = $0 { true } else { false } }
      if isObeyed { answer = .done }
      if command == .stop, lanes[lane].session.state == .ready {
        removeUnstarted(lane, at: instant)
        answer = .done
        continue
      }
      lanes[lane].lookAheadAgain(at: instant)
      words.append((lane, perform(effects, lane: lane, at: instant)))
    }
    // What has not begun gives way to what matters more now.
    words += takeBackWords(at: instant)
    announce(words, at: instant)
    keepWhatChanged(at: instant)
    return answer
  }

  /// Says next for somebody who is not there, where the first lane's open phase has lasted so long.
  mutating func endOpenPhase(after length: Duration, at now: BootInstant) {
    guard let lane = lanes.ids.first else { return }
    let session = lanes[lane].session
    let here = session.transport.position(at: now)
    guard session.state == .running, here.phaseLeft == nil,
      here.elapsed - here.phaseStart >= length
    else { return }
    handle(.next, lane: lane, at: now)
  }

  /// Asks for the words to come and notes when the lane wants to be looked at again.
  mutating func prepare(_ lane: LaneID, at now: BootInstant) {
    guard lanes.contains(lane) else { return }
    guard !lanes[lane].isOver else {
      lanes[lane].wakesAt = .never
      return
    }
    if let speech, now >= lanes[lane].speaksAt {
      speech.prefetch(
        lanes[lane].textsNeeded(at: now, speaker: speaker(of: lane)),
        voice: lanes[lane].manner.voice)
    }
    // Who renders on the spot measures on the spot.
    if let speech, wordsAreReady != nil, now >= lanes[lane].measuresAt {
      let wordings = lanes[lane].wordingsToMeasure(at: now, speaker: speaker(of: lane))
      speech.measure(wordings.flatMap(\.texts), voice: lanes[lane].manner.voice)
    }
    let nextWords = min(
      lanes[lane].speaksAt, wordsAreReady == nil ? .never : lanes[lane].measuresAt)
    lanes[lane].wakesAt = min(
      lanes[lane].session.nextEvent, speech == nil ? .never : nextWords)
  }

  /// What is said first, in order of time, and by whom.
  func firstWords(at now: BootInstant) -> [(wording: CueWording, voice: SpeechVoice)] {
    lanes.ids.flatMap { index in
      lanes[index].firstWordings(at: now, speaker: speaker(of: index)).map {
        ($0.wait, ($0.wording, lanes[index].manner.voice))
      }
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The name that announcements begin with; none while a single lane runs.
  func speaker(of lane: LaneID) -> String? { lanes.count > 1 ? lanes[lane].name : nil }

  /// Returns the words that are to be announced.
  private mutating func perform(
    _ effects: [SessionEffect], lane: LaneID, at now: BootInstant
  ) -> [HandOff] {
    var announcements: [HandOff] = []
    for effect in effects {
      switch effect {
      case .handOff(let handOff):
        if handOff.cue.isSpoken {
          announcements.append(handOff)
        } else {
          sound(handOff, lane: lane)
        }
      case .silent(let cue):
        writeSilent(cue, lane: lane)
      case .withdraw:
        desk.withdraw(lane: lane)
        announcer.withdraw(lane: lane, at: now)
        withdrawWaiting(of: lane)
      case .phaseBegan(let phase, let instant):
        lanes[lane].hasChanged = true
        tell(
          .phaseBegan(LaneStatus(lanes[lane], at: instant, beginning: phase)))
      case .phaseEnded(let phase, let outcome, let instant):
        let entry = lanes[lane].session.timeline.entries[phase]
        write(
          .phase(
            lane: lanes[lane].name, at: instant,
            label: lanes[lane].manner.phrases.name(of: entry.phase),
            set: entry.set, outcome: outcome))
      case .obeyed(let command, let instant):
        if ![.whereAmI, .sayName, .askStop].contains(command) { lanes[lane].hasChanged = true }
        obeyed(command, lane: lane, at: instant)
      case .finished(let instant):
        lanes[lane].hasChanged = true
        write(.finish(lane: lanes[lane].name, at: instant))
        tell(.finished(status(of: lane, at: now)))
      }
    }
    return announcements
  }

  private func obeyed(_ command: Command, lane: LaneID, at instant: BootInstant) {
    if command == .start {
      write(
        .start(
          lane: lanes[lane].name, at: instant, wall: settings.wallClock(),
          preset: lanes[lane].session.timeline.workout.name))
    } else {
      write(.command(command, lane: lanes[lane].name, at: instant))
    }
    tell(.obeyed(command, status(of: lane, at: instant)))
  }

  mutating func endIfOver(_ lane: LaneID) {
    guard lanes.contains(lane), lanes[lane].isOver, !desk.isBusy(lane),
      !waiting.contains(where: { $0.lane == lane })
    else { return }
    if lanes[lane].hasChanged { save(lane, at: lastSeen) }
    let (status, record) = (status(of: lane, at: lastSeen), record(of: lane, at: lastSeen))
    lanes.remove(lane)
    speakersChanged()
    tell(.ended(status, record))
  }

  /// A stop before the start: nothing was heard of the lane, and nothing is kept.
  private mutating func removeUnstarted(_ lane: LaneID, at now: BootInstant) {
    let (status, record) = (status(of: lane, at: now), record(of: lane, at: now))
    lanes.remove(lane)
    speakersChanged()
    tell(.ended(status, record))
  }

  // MARK: From cue to mixer

  private mutating func sound(_ handOff: HandOff, lane: LaneID) {
    guard case .sound(let meaning, let text) = request(handOff, lane).wording(at: handOff.due)
    else { preconditionFailure("\(handOff.cue.content.name) is no sound") }
    var cue = LaidOutCue(text: text)
    cue.parts = [.init(text: text, due: handOff.due, clip: lanes[lane].sounds[meaning])]
    send(cue, of: handOff, lane: lane)
  }

  private mutating func writeSilent(_ cue: SilentCue, lane: LaneID) {
    let wording = lanes[lane].wording(of: cue.cue, set: cue.set, speaker: speaker(of: lane))
    let outcome: LedgerEvent.Outcome
    let reason: String
    switch cue.reason {
    case .missed: (outcome, reason) = (.missed, "its time had passed")
    case .duplicate(.withinWindow): (outcome, reason) = (.duplicate, "within the window")
    case .duplicate: (outcome, reason) = (.duplicate, "set already announced")
    case .answered: (outcome, reason) = (.duplicate, "it is being answered")
    }
    write(
      LedgerEvent.CueEntry(
        lane: lanes[lane].name, phase: cue.cue.phase, kind: cue.cue.content.name,
        remark: cue.cue.content.remark, set: cue.set,
        scheduledSet: cue.scheduledSet, text: wording.text, due: cue.due, onset: nil,
        outcome: outcome, reason: reason, parts: []), of: lane)
  }

  mutating func write(_ entry: LedgerEvent.CueEntry, of lane: LaneID) {
    if lanes.contains(lane) { lanes[lane].cues.count(entry.outcome) }
    write(.cue(entry))
  }

  // MARK: From mixer to ledger

  /// Takes in what the audio thread has to tell.
  mutating func collectReports() {
    for event in desk.collect() {
      switch event {
      // Kept as said from now on.
      case .wordsBegan(let lane) where lanes.contains(lane): lanes[lane].hasChanged = true
      case .wordsBegan: break
      case .closed(let entry, let lane): write(entry, of: lane)
      case .letGo(let lane): endIfOver(lane)
      case .xrun(let instant):
        write(.xrun(at: instant))
        tell(.stumbled)
      case .deviceBack(let instant):
        write(.deviceBack(at: instant))
        tell(.deviceBack)
      }
    }
  }

  mutating func note(_ event: OutputEvent) {
    collectReports()
    switch event {
    case .lost(let error, let nanoseconds):
      write(.deviceLost(at: BootInstant(nanoseconds: nanoseconds), reason: "\(error.kind)"))
      tell(.deviceLost(error))
    case .plays: break
    case .notRealtime(let nanoseconds):
      write(.notRealtime(at: BootInstant(nanoseconds: nanoseconds)))
      tell(.notRealtime)
    }
  }
}

extension BootInstant {
  static var never: BootInstant { BootInstant(nanoseconds: .max) }
}
