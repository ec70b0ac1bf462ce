import CueSound
import IntervalTimeline

/// The lanes, the mixer's far end and the ledger: everything of a run but the clock and threads.
///
/// Told the time by its holder, so that a workout can be run by a timer, rendered to a file or
/// stepped through by a test with the same code.
package struct Coach {
  private let sounds: SoundPack
  private let speech: SpeechLibrary?
  private var announcer: Announcer
  private let settings: CueEngine.Settings
  private let write: @Sendable (LedgerEvent) -> Void
  private let tell: @Sendable (EngineEvent) -> Void
  private let keep: (@Sendable (Int, KeptSession) -> Void)?

  private(set) var lanes: [Lane] = []
  /// When each lane next wants a check: beside the lanes, so that many idle ones cost little.
  private var wakes: [BootInstant] = []

  private var desk: MixerDesk
  /// Commands and checks are taken in the order in which they come; time does not go back.
  private var lastSeen = BootInstant(nanoseconds: .min)

  /// Words that wait for being rendered.
  private struct WaitingWords {
    let id: Int
    let handOff: HandOff
    let lane: Int
    /// The instant for which they are rendered.
    let notBefore: BootInstant
    let tries: Int
  }

  private var waiting: [WaitingWords] = []
  private var nextWaiting = 1
  /// Called from another thread when words that were waited for are there; nil: nothing waits, and
  /// words are rendered on the spot.
  private var wordsAreReady: (@Sendable (Int) -> Void)?

  package init(
    link: MixerLink, sounds: SoundPack, speech: SpeechLibrary?, settings: CueEngine.Settings,
    write: @escaping @Sendable (LedgerEvent) -> Void,
    tell: @escaping @Sendable (EngineEvent) -> Void,
    keep: (@Sendable (Int, KeptSession) -> Void)? = nil
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

  package mutating func addLane(
    _ name: String, timeline: Timeline, manner: LaneManner, sounds: SoundPack? = nil
  ) -> Int {
    let session = Session(
      timeline, plan: manner.applied(to: settings.plan), window: settings.duplicateWindow,
      horizon: horizon,
      acknowledged: manner.acknowledged, responseTime: settings.outputLatency)
    return add(Lane(name: name, manner: manner, sounds: sounds ?? self.sounds, session: session))
  }

  /// Adds a lane that has run before; `takeUp` goes on with it. Nil where `kept` does not belong to
  /// the timeline.
  mutating func addLane(
    _ name: String, timeline: Timeline, manner: LaneManner, sounds: SoundPack?,
    restoring kept: KeptSession
  ) -> Int? {
    guard
      let session = Session(
        timeline, plan: manner.applied(to: settings.plan), window: settings.duplicateWindow,
        horizon: horizon,
        acknowledged: manner.acknowledged, responseTime: settings.outputLatency,
        restoring: kept.record)
    else { return nil }
    var lane = Lane(name: name, manner: manner, sounds: sounds ?? self.sounds, session: session)
    lane.cues = kept.cues
    lane.keptAt = kept.record.at
    return add(lane)
  }

  private var horizon: Duration { settings.checkInterval * 3 + settings.outputLatency }

  private mutating func add(_ lane: Lane) -> Int {
    lanes.append(lane)
    wakes.append(.never)
    return lanes.count - 1
  }

  /// Goes on with lanes that have run before, each held or not.
  mutating func takeUp(
    _ some: [(lane: Int, isHeld: Bool)], at instant: BootInstant
  ) {
    lastSeen = max(instant, lastSeen)
    var words: [(lane: Int, handOffs: [HandOff])] = []
    for (lane, isHeld) in some {
      let effects = lanes[lane].session.takeUp(
        at: lastSeen, from: lanes[lane].keptAt, isHeld: isHeld)
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
    let running = lanes.indices.filter { lanes[$0].session.state == .running }
    guard !running.isEmpty else { return }
    handle(.pause, lanes: running, at: now - sleep)
    handle(.whereAmI, lanes: running, at: now)
    tell(.slept(sleep))
  }

  // MARK: Keeping

  /// How long a running session may change without being kept.
  private static let heartbeat = Duration.seconds(10)

  /// Gives away what has changed, and each running session every ten seconds.
  private mutating func keepWhatChanged(at now: BootInstant) {
    guard let keep else { return }
    for lane in lanes.indices {
      let isBeating =
        lanes[lane].session.state == .running
        && lanes[lane].keptAt.nanoseconds != .min && lanes[lane].keptAt + Self.heartbeat <= now
      guard lanes[lane].hasChanged || isBeating else { continue }
      lanes[lane].hasChanged = false
      lanes[lane].keptAt = now
      keep(lane, kept(lane, at: now))
    }
  }

  /// A session as it is now.
  func kept(_ lane: Int, at now: BootInstant) -> KeptSession {
    KeptSession(record: lanes[lane].session.record(at: now), cues: lanes[lane].cues)
  }

  /// True while something is still to be heard, or to be learned of what was.
  var isRunning: Bool {
    !waiting.isEmpty || lanes.indices.contains { lanes[$0].session.state == .running || desk.isBusy($0) }
  }

  var activity: OutputActivity {
    if isRunning { return .running }
    return lanes.contains { $0.session.state == .paused } ? .paused : .idle
  }

  func status(of lane: Int, at now: BootInstant) -> LaneStatus {
    LaneStatus(lanes[lane], at: now)
  }

  // MARK: Checks and commands

  /// The 0.5 s check. True when it has handed something off.
  @discardableResult
  package mutating func check(at instant: BootInstant) -> Bool {
    let sent = desk.handedOver
    let now = max(instant, lastSeen)
    lastSeen = now
    collectReports()
    var words: [(lane: Int, handOffs: [HandOff])] = []
    for lane in lanes.indices where wakes[lane] <= now {
      words.append((lane, perform(lanes[lane].session.check(at: now), lane: lane, at: now)))
    }
    announce(words, at: now)
    keepWhatChanged(at: now)
    if let failure = speech?.takeFailure() { tell(.speechFailed(failure)) }
    return desk.handedOver != sent
  }

  /// Obeys a command. `start` may lie ahead of now.
  package mutating func handle(_ command: Command, lane: Int, at instant: BootInstant) {
    handle(command, lanes: [lane], at: instant)
  }

  /// Gives the command to some lanes at one instant: the sounds of all go out before any words.
  mutating func handle(_ command: Command, lanes some: [Int], at instant: BootInstant) {
    // A command may have waited behind a check that looked past its instant.
    let instant = max(instant, lastSeen)
    if command != .start { lastSeen = instant }
    collectReports()
    var words: [(lane: Int, handOffs: [HandOff])] = []
    for lane in some {
      let effects = lanes[lane].session.handle(command, at: instant)
      lanes[lane].lookAheadAgain(at: instant)
      words.append((lane, perform(effects, lane: lane, at: instant)))
    }
    // What has not begun gives way to what matters more now.
    words += takeBackWords(at: instant)
    announce(words, at: instant)
    keepWhatChanged(at: instant)
  }

  /// What the output may have queued already.
  private var reach: Duration { .milliseconds(300) + settings.outputLatency }

  /// Takes back the words of every lane that have not begun, to be announced anew.
  private mutating func takeBackWords(at now: BootInstant) -> [(lane: Int, handOffs: [HandOff])] {
    desk.takeBackWords(after: now + reach).map { handOff, lane in
      announcer.takeBack(handOff.id, lane: lane)
      return (lane, [handOff])
    }
  }

  /// The words that were handed off, lane by lane, and the preparation of the next ones.
  private mutating func announce(
    _ words: [(lane: Int, handOffs: [HandOff])], at now: BootInstant
  ) {
    // Those that come first in priority choose their place first.
    let requests = words.flatMap { lane, handOffs in handOffs.map { request($0, lane, at: now) } }
      .sorted { $0.order < $1.order }
    for (index, request) in requests.enumerated() {
      announce(request, before: requests[(index + 1)...], at: now)
    }
    for lane in Set(words.map(\.lane)).sorted() {
      endIfOver(lane)
      prepare(lane, at: now)
    }
  }

  /// From now on nobody is held up by words that have to be rendered: `ready` is called from
  /// another thread when they are, and `announceWaiting` is to be called then.
  package mutating func waitForWords(_ ready: @escaping @Sendable (Int) -> Void) {
    wordsAreReady = ready
  }

  /// Announces what was waited for, whether it could be rendered or not.
  package mutating func announceWaiting(_ id: Int, at instant: BootInstant) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    let words = waiting.remove(at: index)
    let now = max(instant, lastSeen)
    var request = request(words.handOff, words.lane, at: now)
    request.notBefore = max(words.notBefore, now)
    // An answer comes before what has not begun.
    let others = request.isAnswer ? takeBackWords(at: now) : []
    announce(request, before: [], at: now, tries: words.tries)
    announce(others, at: now)
    endIfOver(words.lane)
  }

  /// Says next for somebody who is not there, where the first lane's open phase has lasted so long.
  mutating func endOpenPhase(after length: Duration, at now: BootInstant) {
    let session = lanes[0].session
    let here = session.transport.position(at: now)
    guard session.state == .running, here.phaseLeft == nil,
      here.elapsed - here.phaseStart >= length
    else { return }
    handle(.next, lane: 0, at: now)
  }

  /// Asks for the words to come and notes when the lane wants to be looked at again.
  private mutating func prepare(_ lane: Int, at now: BootInstant) {
    guard !lanes[lane].isOver else {
      wakes[lane] = .never
      return
    }
    if let speech, now >= lanes[lane].speaksAt {
      speech.prefetch(
        lanes[lane].textsNeeded(at: now, speaker: speaker(of: lane)),
        voice: lanes[lane].manner.voice)
    }
    wakes[lane] = min(lanes[lane].session.nextEvent, speech == nil ? .never : lanes[lane].speaksAt)
  }

  /// Everything that is said if nobody interferes, and by whom.
  var texts: [(String, SpeechVoice)] {
    lanes.indices.flatMap { index in
      lanes[index].allTexts(speaker: speaker(of: index)).map { ($0, lanes[index].manner.voice) }
    }
  }

  /// The name that announcements begin with; none while a single lane runs.
  private func speaker(of lane: Int) -> String? { lanes.count > 1 ? lanes[lane].name : nil }

  /// Returns the words that are to be announced.
  private mutating func perform(
    _ effects: [SessionEffect], lane: Int, at now: BootInstant
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
        if command != .whereAmI, command != .sayName { lanes[lane].hasChanged = true }
        obeyed(command, lane: lane, at: instant)
      case .finished(let instant):
        lanes[lane].hasChanged = true
        write(.finish(lane: lanes[lane].name, at: instant))
        tell(.finished(status(of: lane, at: now)))
      }
    }
    return announcements
  }

  private func obeyed(_ command: Command, lane: Int, at instant: BootInstant) {
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

  private mutating func endIfOver(_ lane: Int) {
    guard lanes[lane].isOver, !desk.isBusy(lane), !lanes[lane].isEnded,
      !waiting.contains(where: { $0.lane == lane })
    else { return }
    lanes[lane].isEnded = true
    tell(.ended(lane: lanes[lane].name))
  }

  // MARK: From cue to mixer

  private mutating func sound(_ handOff: HandOff, lane: Int) {
    guard case .sound(let meaning, let text) = request(handOff, lane).wording(at: handOff.due)
    else { preconditionFailure("\(handOff.cue.content.name) is no sound") }
    var cue = LaidOutCue(text: text)
    cue.parts = [.init(text: text, due: handOff.due, clip: lanes[lane].sounds[meaning])]
    send(cue, of: handOff, lane: lane)
  }

  /// Finds the cue's words their place and hands their clips to the mixer. `rest`: what is to be
  /// announced after it.
  private mutating func announce(
    _ request: AnnouncementRequest, before rest: ArraySlice<AnnouncementRequest>,
    at now: BootInstant, tries: Int = 0
  ) {
    announcer.forget(before: now)
    let others = Array(rest) + upcoming(beside: request)
    // What four times was not there in time is rendered on the spot: a count is beeped rather than
    // lost where nothing can be spoken.
    let cue = announcer.layOut(
      request, among: others, mayWait: wordsAreReady != nil && tries < Self.greatestTries)
    if cue.isWaiting { return wait(for: request, at: now, tries: tries) }
    if cue.outcome == .dropped,
      let later = lanes[request.lane].session.postponed(request.handOff)
    {
      return announce(self.request(later, request.lane), before: rest, at: now)
    }
    send(cue, of: request.handOff, lane: request.lane)
  }

  /// What was waited for is not said any more.
  private mutating func withdrawWaiting(of lane: Int) {
    let withdrawn = waiting.filter { $0.lane == lane }
    waiting.removeAll { $0.lane == lane }
    for words in withdrawn {
      let request = request(words.handOff, lane)
      var cue = LaidOutCue(text: request.wording(at: request.due).text)
      cue.drop("a command took it back")
      cue.outcome = .withdrawn
      send(cue, of: words.handOff, lane: lane, isPlaced: false)
    }
  }

  /// How often words are tried whose time has passed while they were rendered.
  private static let greatestTries = 4
  /// How far ahead of now words are rendered that are due at once.
  private static let renderTime = Duration.milliseconds(250)

  private mutating func wait(
    for request: AnnouncementRequest, at now: BootInstant, tries: Int
  ) {
    var request = request
    // Slow machines get more time with each try.
    request.notBefore = max(request.handOff.due, now + Self.renderTime * (tries + 1))
    let wording = request.wording(at: request.due)
    let id = nextWaiting
    nextWaiting += 1
    waiting.append(
      WaitingWords(
        id: id, handOff: request.handOff, lane: request.lane,
        // Numbers have their instants.
        notBefore: request.isCount ? now : request.due, tries: tries + 1))
    lanes[request.lane].session.delayed(request.handOff.id)
    let isReady = wordsAreReady
    speech?.render(
      wording.likelyTexts, lengthsOf: wording.texts, voice: request.manner.voice
    ) { isReady?(id) }
  }

  /// The most lanes whose words are told ahead of each other: nobody follows more voices than that,
  /// and looking at all of them for each word takes its time.
  private static let greatestChoir = 32

  /// What the lanes will want to say while `request` may be heard.
  private func upcoming(beside request: AnnouncementRequest) -> [AnnouncementRequest] {
    guard speech != nil, lanes.count <= Self.greatestChoir else { return [] }
    let end = Announcer.windowEnd(of: request)
    return lanes.indices.flatMap { index in
      lanes[index].session.upcoming(before: end).map { self.request($0, index) }
    }
  }

  /// - Parameter now: nothing of it is heard earlier; nil where that is not asked.
  private func request(
    _ handOff: HandOff, _ lane: Int, at now: BootInstant
  ) -> AnnouncementRequest {
    var request = request(handOff, lane)
    if handOff.earliest < now { request.notBefore = now }
    return request
  }

  private func request(_ handOff: HandOff, _ lane: Int) -> AnnouncementRequest {
    AnnouncementRequest(
      handOff: handOff, lane: lane, session: lanes[lane].session, manner: lanes[lane].manner,
      speaker: speaker(of: lane), beep: lanes[lane].sounds[.count])
  }

  /// - Parameter isPlaced: false for words that did not come to a place.
  private mutating func send(
    _ cue: LaidOutCue, of handOff: HandOff, lane: Int, isPlaced: Bool = true
  ) {
    let first = cue.parts.first?.due ?? handOff.due
    let last = cue.parts.last.map { $0.due + .nanoseconds($0.clip.nanoseconds) } ?? first
    if isPlaced { lanes[lane].session.placed(handOff.id, first: first, last: last) }
    let entry = LedgerEvent.CueEntry(
      lane: lanes[lane].name, phase: handOff.cue.phase, kind: handOff.cue.content.name,
      remark: handOff.cue.content.remark, set: handOff.set,
      scheduledSet: handOff.scheduledSet, text: cue.text, due: first, onset: nil,
      outcome: cue.outcome, reason: cue.reason, parts: [])
    guard !cue.parts.isEmpty else { return write(entry, of: lane) }
    desk.send(entry, cue.parts, of: handOff, lane: lane, gain: lanes[lane].manner.voice.gain)
  }

  private mutating func writeSilent(_ cue: SilentCue, lane: Int) {
    let wording = lanes[lane].wording(of: cue.cue, set: cue.set, speaker: speaker(of: lane))
    let outcome: LedgerEvent.Outcome
    let reason: String
    switch cue.reason {
    case .missed: (outcome, reason) = (.missed, "its time had passed")
    case .duplicate(.withinWindow): (outcome, reason) = (.duplicate, "within the window")
    case .duplicate: (outcome, reason) = (.duplicate, "set already announced")
    }
    write(
      LedgerEvent.CueEntry(
        lane: lanes[lane].name, phase: cue.cue.phase, kind: cue.cue.content.name,
        remark: cue.cue.content.remark, set: cue.set,
        scheduledSet: cue.scheduledSet, text: wording.text, due: cue.due, onset: nil,
        outcome: outcome, reason: reason, parts: []), of: lane)
  }

  private mutating func write(_ entry: LedgerEvent.CueEntry, of lane: Int) {
    lanes[lane].cues.count(entry.outcome)
    write(.cue(entry))
  }

  // MARK: From mixer to ledger

  /// Takes in what the audio thread has to tell.
  mutating func collectReports() {
    for event in desk.collect() {
      switch event {
      // Kept as said from now on.
      case .wordsBegan(let lane): lanes[lane].hasChanged = true
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
    case .notRealtime(let nanoseconds):
      write(.notRealtime(at: BootInstant(nanoseconds: nanoseconds)))
      tell(.notRealtime)
    }
  }
}

extension BootInstant {
  static var never: BootInstant { BootInstant(nanoseconds: .max) }
}
