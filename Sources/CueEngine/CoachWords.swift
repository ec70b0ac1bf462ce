import CueSound
import IntervalTimeline

/// How the coach says things: whose words come first, what waits for its rendering, what gives way.
extension Coach {
  /// Words that wait for being rendered.
  struct WaitingWords {
    let id: Int
    let handOff: HandOff
    let lane: LaneID
    /// The instant for which they are rendered.
    let notBefore: BootInstant
    let tries: Int
  }

  /// What the output may have queued already.
  private var reach: Duration { .milliseconds(300) + settings.outputLatency }

  /// Takes back the words of every lane that have not begun, to be announced anew.
  mutating func takeBackWords(at now: BootInstant) -> [(lane: LaneID, handOffs: [HandOff])] {
    desk.takeBackWords(after: now + reach).map { handOff, lane in
      announcer.takeBack(handOff.id, lane: lane)
      return (lane, [handOff])
    }
  }

  /// The words that were handed off, lane by lane, and the preparation of the next ones.
  mutating func announce(
    _ words: [(lane: LaneID, handOffs: [HandOff])], at now: BootInstant
  ) {
    announce(
      words.flatMap { lane, handOffs in handOffs.map { request($0, lane, at: now) } }, at: now)
    for lane in Set(words.map(\.lane)).sorted() {
      endIfOver(lane)
      prepare(lane, at: now)
    }
  }

  /// Those that come first in priority choose their place first.
  private mutating func announce(_ requests: [AnnouncementRequest], at now: BootInstant) {
    let requests = requests.sorted { $0.order < $1.order }
    for (index, request) in requests.enumerated() {
      announce(request, before: requests[(index + 1)...], at: now)
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
    request.tries = words.tries
    let others = request.goesFirst ? takeBackWords(at: now) : []
    announce(
      [request]
        + others.flatMap { lane, handOffs in
          handOffs.map { self.request($0, lane, at: now) }
        }, at: now)
    endIfOver(words.lane)
  }

  /// Finds the cue's words their place and hands their clips to the mixer. `rest`: what is to be
  /// announced after it.
  mutating func announce(
    _ request: AnnouncementRequest, before rest: ArraySlice<AnnouncementRequest>,
    at now: BootInstant
  ) {
    announcer.forget(before: now)
    let others = Array(rest) + upcoming(beside: request)
    var request = request
    request.nameFrom = now + reach
    if request.isAnswer {
      request.answersBehind =
        rest.count { $0.isAnswer } + waiting.count { $0.handOff.cue.content.isAnswer }
    }
    // What four times was not there in time is rendered on the spot: a count is beeped rather than
    // lost where nothing can be spoken.
    let cue = announcer.layOut(
      request, among: others, mayWait: wordsAreReady != nil && request.tries < Self.greatestTries)
    if cue.isWaiting { return wait(for: request, at: now) }
    if cue.outcome == .dropped,
      let later = lanes[request.lane].session.postponed(request.handOff)
    {
      return announce(self.request(later, request.lane), before: rest, at: now)
    }
    send(cue, of: request.handOff, lane: request.lane)
  }

  /// What was waited for is not said any more.
  mutating func withdrawWaiting(of lane: LaneID) { withdrawWaiting { $0.lane == lane } }

  private mutating func withdrawWaiting(where isMeant: (WaitingWords) -> Bool) {
    let withdrawn = waiting.filter(isMeant)
    waiting.removeAll(where: isMeant)
    for words in withdrawn {
      writeWithdrawn(words.handOff, lane: words.lane, "a command took it back")
    }
  }

  /// The person has answered the question whether to stop, by another key or by none: where it is
  /// still to be asked, it is not.
  package mutating func takeBackQuestion(at instant: BootInstant) {
    let now = max(instant, lastSeen)
    lastSeen = now
    collectReports()
    let unasked = desk.takeBackWords(after: now + reach) { $0.cue.content == .stopQuestion }
    for (handOff, lane) in unasked {
      announcer.takeBack(handOff.id, lane: lane)
      writeWithdrawn(handOff, lane: lane, "the question is over")
    }
    withdrawWaiting { $0.handOff.cue.content == .stopQuestion }
    for lane in lanes.ids { endIfOver(lane) }
  }

  private mutating func writeWithdrawn(_ handOff: HandOff, lane: LaneID, _ reason: String) {
    let request = request(handOff, lane)
    var cue = LaidOutCue(text: request.wording(at: request.due).text)
    cue.drop(reason)
    cue.outcome = .withdrawn
    send(cue, of: handOff, lane: lane, isPlaced: false)
  }

  /// How often words are tried whose time has passed while they were rendered.
  private static let greatestTries = 4
  /// How far ahead of now words are rendered that are due at once.
  private static let renderTime = Duration.milliseconds(250)

  mutating func wait(for request: AnnouncementRequest, at now: BootInstant) {
    var request = request
    // Slow machines get more time with each try.
    request.notBefore = max(request.handOff.due, now + Self.renderTime * (request.tries + 1))
    let wording = request.wording(at: request.due)
    let id = nextWaiting
    nextWaiting += 1
    waiting.append(
      WaitingWords(
        id: id, handOff: request.handOff, lane: request.lane,
        // Numbers have their instants.
        notBefore: request.isCount ? now : request.due, tries: request.tries + 1))
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
  func upcoming(beside request: AnnouncementRequest) -> [AnnouncementRequest] {
    guard speech != nil, lanes.count <= Self.greatestChoir else { return [] }
    let end = Announcer.windowEnd(of: request)
    return lanes.ids.flatMap { index in
      lanes[index].session.upcoming(before: end).map { self.request($0, index) }
    }
  }

  /// - Parameter now: nothing of it is heard earlier; nil where that is not asked.
  func request(
    _ handOff: HandOff, _ lane: LaneID, at now: BootInstant
  ) -> AnnouncementRequest {
    var request = request(handOff, lane)
    if handOff.earliest < now { request.notBefore = now }
    return request
  }

  func request(_ handOff: HandOff, _ lane: LaneID) -> AnnouncementRequest {
    AnnouncementRequest(
      handOff: handOff, lane: lane, session: lanes[lane].session, manner: lanes[lane].manner,
      speaker: speaker(of: lane), beep: lanes[lane].sounds[.count])
  }

  /// - Parameter isPlaced: false for words that did not come to a place.
  mutating func send(
    _ cue: LaidOutCue, of handOff: HandOff, lane: LaneID, isPlaced: Bool = true
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
    if handOff.cue.content == .stopQuestion { tell(.asked(until: last)) }
    desk.send(entry, cue.parts, of: handOff, lane: lane, gain: lanes[lane].manner.voice.gain)
  }
}
