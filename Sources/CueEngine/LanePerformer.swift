import CueSound
import IntervalTimeline

/// The lanes with their way to the mixer and to the ledger: performs what their sessions want, and records what the
/// mixer reports.
///
/// Its effects collect in `outbox`. The caller delivers them.
struct LanePerformer {
  let settings: CueEngine.Settings
  var lanes: LaneTable
  var mixerClient: MixerClient
  var planner: WordPlanner
  var messages = MessageQueue()
  var outbox: Outbox
  private var outputWatchdog = OutputWatchdog()
  /// The lanes whose readings are coached.
  var coached: Set<LaneID> = []
  /// Made for the first glide.
  var glideTone: GlideTone?
  /// The lanes whose workout has a metronome or glides.
  var ticking: Set<LaneID> = []
  /// False where nobody listens.
  var playsTicks = true
  /// The latest instant of a command or check: they are handled in the order in which they come, and time
  /// does not go back.
  var lastSeen = BootInstant(nanoseconds: .min)

  init(_ mixerClient: MixerClient, outbox: Outbox, settings: CueEngine.Settings, engine: Int) {
    lanes = LaneTable(engine: engine)
    self.mixerClient = mixerClient
    planner = WordPlanner(
      outputLatency: settings.outputLatency, checkInterval: settings.checkInterval)
    self.outbox = outbox
    self.settings = settings
  }

  /// Returns the instant of a command or check that comes now, from which on nothing is earlier. What the output has
  /// reported until then happens first: a lane that ends with it takes no command.
  mutating func advance(to instant: BootInstant) -> BootInstant {
    lastSeen = max(instant, lastSeen)
    takeReports()
    return lastSeen
  }

  /// Returns the words that are to be announced.
  mutating func perform(
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
        mixerClient.withdraw(lane: lane)
        lanes[lane].metronome.withdrawn(at: now)
        apply(planner.pending.withdraw(speakingLane(lane), at: now))
      case .phaseBegan(let phase, let instant):
        lanes[lane].hasChanged = true
        outbox.append(
          .emit(.phaseBegan(LaneStatus(lanes[lane], at: instant, beginning: phase))))
      case .phaseEnded(let phase, let outcome, let instant):
        let entry = lanes[lane].session.timeline.entries[phase]
        outbox.record(
          .phase(
            lane: lanes[lane].name, at: instant,
            label: lanes[lane].style.phrases.name(of: entry.phase),
            set: entry.set, outcome: outcome))
      case .obeyed(let command, let instant):
        if ![.whereAmI, .sayName, .askStop].contains(command) { lanes[lane].hasChanged = true }
        obeyed(command, lane: lane, at: instant)
      case .signalled(let name, let instant):
        lanes[lane].hasChanged = true
        outbox.record(.signal(name, lane: lanes[lane].name, at: instant))
        outbox.append(.emit(.signalled(name, status(of: lane, at: instant))))
      case .finished(let instant):
        lanes[lane].hasChanged = true
        outbox.record(.finish(lane: lanes[lane].name, at: instant))
        outbox.append(.emit(.finished(status(of: lane, at: now))))
      }
    }
    return announcements
  }

  private mutating func obeyed(_ command: Command, lane: LaneID, at instant: BootInstant) {
    if command == .start {
      outbox.record(
        .start(
          lane: lanes[lane].name, at: instant, wall: settings.wallClock(),
          preset: lanes[lane].session.timeline.workout.name))
    } else {
      outbox.record(.command(command, lane: lanes[lane].name, at: instant))
    }
    outbox.append(.emit(.obeyed(command, status(of: lane, at: instant))))
  }

  // MARK: From cue to mixer

  private mutating func sound(_ handOff: HandOff, lane: LaneID) {
    let request = AnnouncementRequest(handOff, of: speakingLane(lane))
    guard case .sound(let meaning, let text) = request.wording(at: handOff.due) else {
      fatalError("\(handOff.cue.content.name) is no sound")
    }
    var cue = LaidOutCue(text: text)
    cue.parts = [.init(text: text, due: handOff.due, clip: lanes[lane].sounds[meaning])]
    mixerClient.send(
      LedgerEvent.CueEntry(cue, of: handOff, lane: lanes[lane].name), cue.parts, lane: lane)
  }

  private mutating func writeSilent(_ cue: SilentCue, lane: LaneID) {
    let wording = speakingLane(lane).wording(of: cue.cue, set: cue.set)
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

  /// - Parameter words: which announcement it was; nil for a sound, or for words that were never handed off.
  mutating func write(
    _ entry: LedgerEvent.CueEntry, of lane: LaneID, words: AnnouncementID? = nil
  ) {
    // What found no room is decided anew a moment later.
    if let words, lanes.contains(lane),
      lanes[lane].coaching.isOver(words.handOff, entry.outcome)
    {
      return
    }
    if lanes.contains(lane) { lanes[lane].cues.count(entry.outcome) }
    outbox.record(.cue(entry))
    if let report = words.flatMap({ messages.report($0, entry) }) { outbox.append(report) }
  }

  // MARK: From mixer to ledger

  /// Takes the reports of the audio thread.
  mutating func takeReports() {
    for event in mixerClient.collect() {
      switch event {
      // From now on it is saved as said.
      case .wordsBegan(let lane) where lanes.contains(lane) && !lanes[lane].hasEnded:
        lanes[lane].hasChanged = true
      case .wordsBegan: break
      case .closed(let entry, let lane, let words):
        if let words { planner.pending.remove(words) }
        write(entry, of: lane, words: words)
      case .released(let lane): endIfOver(lane)
      case .xrun(let instant):
        outbox.record(.xrun(at: instant))
        outbox.append(.emit(.xrun))
      case .deviceRecovered(let instant):
        outputWatchdog.note(isLost: false)
        isBack(at: instant)
      }
    }
  }

  /// After the output has stopped: takes its last reports, and withdraws what it has left without one.
  mutating func closeMixerClient() {
    takeReports()
    mixerClient.abandon()
    takeReports()
  }

  /// Looks whether the output takes its commands: where its thread hangs, it cannot report that itself.
  mutating func watchOutput(at now: BootInstant) {
    let (taken, isWaiting) = mixerClient.progress
    let finding = outputWatchdog.look(
      taken: taken, isWaiting: isWaiting, at: now, every: settings.checkInterval)
    switch finding {
    case .stuck(let time):
      isLost(
        SoundOutputError(
          kind: .stuck, device: "",
          detail: "the output has taken no command for \(time.components.seconds) s"),
        at: now)
    case .takesAgain: isBack(at: now)
    case nil: break
    }
  }

  private mutating func isLost(_ error: SoundOutputError, at instant: BootInstant) {
    outbox.record(.deviceLost(at: instant, reason: "\(error.kind)"))
    outbox.append(.emit(.deviceLost(error)))
  }

  private mutating func isBack(at instant: BootInstant) {
    outbox.record(.deviceRecovered(at: instant))
    outbox.append(.emit(.deviceRecovered))
  }

  mutating func note(_ event: OutputEvent) {
    takeReports()
    switch event {
    case .lost(let error, let instant):
      outputWatchdog.note(isLost: true)
      isLost(error, at: instant)
    case .plays(let time): mixerClient.leadTime = time.map { .known($0) } ?? .unknown
    case .closed: mixerClient.leadTime = .unknown
    case .notRealtime(let instant):
      outbox.record(.notRealtime(at: instant))
      outbox.append(.emit(.notRealtime))
    }
  }

  // MARK: Saving and ending

  /// Saves what has changed, and each running session every ten seconds.
  mutating func saveChanges(at now: BootInstant) {
    guard outbox.keepsSessions else { return }
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
    record.readings = lanes[lane].coaching.kept
    return record
  }

  func status(of lane: LaneID, at now: BootInstant) -> LaneStatus {
    LaneStatus(lanes[lane], at: now)
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

  mutating func reportEnd(of lane: LaneID) {
    guard !lanes[lane].hasEnded else { return }
    lanes[lane].hasEnded = true
    if lanes[lane].hasChanged { save(lane, at: lastSeen) }
    outbox.append(
      .emit(.ended(status(of: lane, at: lastSeen), record(of: lane, at: lastSeen))))
  }

  /// A stop before the start: the lane leaves nothing to be saved.
  mutating func removeUnstarted(_ lane: LaneID, at now: BootInstant) {
    let (status, record) = (status(of: lane, at: now), record(of: lane, at: now))
    lanes.remove(lane)
    planner.forget(lane)
    outbox.append(.stopRenderingAhead(lane))
    speakersChanged()
    outbox.append(.emit(.ended(status, record)))
  }

  /// A single lane's announcements have no name; with several lanes each begins with one. So the words to
  /// come change.
  mutating func speakersChanged() {
    // Before the first check or command there is nothing to say.
    guard lanes.count <= 2, lastSeen.nanoseconds != .min else { return }
    for id in lanes.ids where lanes[id].session.state != .ready {
      lanes[id].lookAheadAgain(at: lastSeen)
      lanes[id].wakesAt = min(lanes[id].wakesAt, lastSeen)
    }
  }

  var horizon: Duration { settings.checkInterval * 3 + settings.outputLatency }

  // MARK: Messages that are not said

  static let isOver = "the workout is over"

  /// A message that was never handed off is left out.
  mutating func drop(
    _ item: MessageQueue.Scheduled, _ reason: String, _ outcome: LedgerEvent.Outcome = .dropped
  ) {
    let entry = LedgerEvent.CueEntry(
      lane: lanes[item.lane].name,
      phase: lanes[item.lane].session.transport.position(at: lastSeen).phase,
      kind: Cue.Content.message(item.message).name, remark: nil, set: nil, scheduledSet: nil,
      text: item.message.text, due: item.due, onset: nil, outcome: outcome, reason: reason,
      parts: [])
    write(entry, of: item.lane)
    if let receive = item.report {
      outbox.append(.report(MessageReport(entry, wanted: item.due), receive))
    }
  }

  mutating func recordRefusals(_ count: Int, of lane: LaneID) {
    guard count > 0, lanes.contains(lane) else { return }
    outbox.record(
      .refused(lane: lanes[lane].name, at: lastSeen, count: count, reason: "no room for more texts")
    )
  }

  /// The lane ends: its messages will not be said.
  mutating func dropMessages(of lane: LaneID) {
    recordRefusals(messages.refusals.take(lane), of: lane)
    for item in messages.take(of: lane) { drop(item, Self.isOver) }
  }
}
