import CueSound
import IntervalTimeline
import Words

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
  /// The lanes whose readings are coached.
  var coached: Set<LaneID> = []
  var metronomes = LaneMetronomes()
  /// The latest instant of a command or check: time does not go back.
  var lastSeen = BootInstant(nanoseconds: .min)

  init(_ mixerClient: MixerClient, outbox: Outbox, settings: CueEngine.Settings, engine: Int) {
    lanes = LaneTable(engine: engine)
    self.mixerClient = mixerClient
    planner = WordPlanner(
      outputLatency: settings.outputLatency, checkInterval: settings.checkInterval)
    self.outbox = outbox
    self.settings = settings
  }

  mutating func add(_ lane: Lane) {
    metronomes.add(lane)
    lanes.add(lane)
    coachIfWatched(lane.id)
    lanes.speakersChanged(at: lastSeen)
  }

  mutating func coachIfWatched(_ lane: LaneID) {
    if lanes[lane].coaching.isWatched { coached.insert(lane) }
  }

  /// True while a lane runs whose readings are coached, or whose metronome ticks.
  var needsEachCheck: Bool {
    coached.union(metronomes.lanes).contains {
      lanes.contains($0) && lanes[$0].state == .running
    }
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
        if let sound = handOff.cue.content.sound {
          send(sound, handOff, lane: lane)
        } else {
          announcements.append(handOff)
        }
      case .silent(let cue):
        let text = lanes.text(of: cue, lane)
        write(LedgerEvent.CueEntry(cue, text, lane: lanes[lane].name), of: lane)
      case .withdraw:
        mixerClient.withdraw(lane: lane, at: now)
        metronomes.withdrawn(lane, at: now)
        apply(planner.pending.withdraw(lanes.speaking(lane), at: now))
      default:
        outbox.effects += lanes[lane].note(effect, at: now, wallClock: settings.wallClock)
      }
    }
    return announcements
  }

  // MARK: From cue to mixer

  private mutating func send(_ sound: SoundRole, _ handOff: HandOff, lane: LaneID) {
    var cue = LaidOutCue(text: lanes[lane].meaning(ofSound: handOff.cue) ?? "")
    cue.parts = [.init(text: cue.text, due: handOff.due, clip: lanes[lane].sounds[sound])]
    mixerClient.send(
      LedgerEvent.CueEntry(cue, of: handOff, lane: lanes[lane].name), cue.parts, lane: lane)
  }

  /// Hands over the ticks and tones of the next moments. They are no cues: the ledger has none of them.
  mutating func sendTicks(at now: BootInstant) {
    let soonest = now + mixerClient.lead(atLeast: settings.outputLatency)
    let anchor =
      switch mixerClient.leadTime {
      case .unknown: now + settings.outputLatency + settings.startLead
      case .unreported, .known: soonest
      }
    let sounds = metronomes.sounds(
      of: lanes, soonest: soonest, anchor: anchor, before: now + horizon)
    for (clip, due, lane) in sounds { mixerClient.sendTick(clip, due: due, lane: lane) }
  }

  /// - Parameter words: which announcement it was; nil for a sound, or for words that were never handed off.
  mutating func write(
    _ entry: LedgerEvent.CueEntry, of lane: LaneID, words: AnnouncementID? = nil
  ) {
    // What found no room is decided anew a moment later.
    if let words, lanes.contains(lane), lanes[lane].coaching.isOver(words.handOff, entry) { return }
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
      case .output(let news, let instant): outbox.report(news, at: instant)
      }
    }
    planner.outputLatency = mixerClient.lead(atLeast: settings.outputLatency)
  }

  /// After the output has stopped: takes its last reports, and withdraws what it has left without one.
  mutating func closeMixerClient() {
    takeReports()
    mixerClient.abandon()
    takeReports()
  }

  mutating func note(_ event: OutputEvent) {
    // What the audio thread has reported happened before.
    takeReports()
    mixerClient.note(event)
    takeReports()
  }

  // MARK: Saving and ending

  /// Saves what has changed, and each running session every ten seconds.
  mutating func saveChanges(at now: BootInstant) {
    guard outbox.keepsSessions else { return }
    for lane in lanes.unsaved(at: now) { outbox.append(lanes[lane].save(at: now)) }
  }

  mutating func endIfOver(_ lane: LaneID) {
    guard lanes.contains(lane), lanes[lane].isOver, !mixerClient.isBusy(lane),
      !planner.pending.isWaiting(lane)
    else { return }
    dropMessages(of: lane)
    end(lane)
    remove(lane)
  }

  mutating func end(_ lane: LaneID) { outbox.effects += lanes[lane].end(at: lastSeen) }

  private mutating func remove(_ lane: LaneID) {
    lanes.remove(lane)
    planner.forget(lane)
    outbox.append(.stopRenderingAhead(lane))
    lanes.speakersChanged(at: lastSeen)
  }

  /// A stop before the start: the lane leaves nothing to be saved.
  mutating func removeUnstarted(_ lane: LaneID, at now: BootInstant) {
    let (status, record) = (lanes.status(of: lane, at: now), lanes[lane].record(at: now))
    remove(lane)
    outbox.append(.emit(.ended(status, record)))
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
      kind: Cue.Content.message(item.message).name, text: item.message.text, due: item.due,
      outcome: outcome, reason: reason)
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
