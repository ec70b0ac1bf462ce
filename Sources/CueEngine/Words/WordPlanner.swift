import CueSound
import IntervalTimeline

/// Decides what is said and when: lays out the announcements of all lanes so that none overlap, holds back
/// those whose words have to be rendered first, and withdraws those that have to make room.
///
/// Pure: the instant, the lanes and the available words are arguments; it returns effects and the feedback
/// for the sessions. It leaves room for more important announcements still to come.
///
/// ```
///   hand-off ──announce──▶ laid out ──▶ sent ──closed──▶ forgotten
///                │   ▲                    │
///  words missing │   │ rendered           │ withdrawn: for good, or announced again to make
///                ▼   │                    ▼ room for what comes first
///               waiting
/// ```
struct WordPlanner {
  /// Words that are being rendered.
  private struct WaitingWords {
    /// Identifies the rendering.
    let number: Int
    let handOff: HandOff
    let lane: LaneID
    /// They are rendered for this instant: the earliest at which they may begin.
    let notBefore: BootInstant
    /// How often they have been awaited, this time included.
    let tries: Int
  }

  /// Words at the mixer. Some may have begun.
  private struct SentWords {
    let handOff: HandOff
    let lane: LaneID
    let first: BootInstant

    var id: AnnouncementID { AnnouncementID(lane: lane, handOff: handOff.id) }
  }

  /// The arguments of one call, and its result.
  private struct Turn {
    /// Their sessions already know the feedback of this call.
    var lanes: SpeakingLanes
    let speech: (any SpeechSource)?
    let now: BootInstant
    var plan = WordPlan()

    mutating func learn(_ request: AnnouncementRequest, _ place: ClosedRange<BootInstant>?) {
      let feedback = WordFeedback(id: request.handOff.id, place: place)
      lanes[request.lane.id].session.learn([feedback])
      plan.feedback[request.lane.id, default: []].append(feedback)
    }

    func request(_ handOff: HandOff, _ lane: LaneID) -> AnnouncementRequest {
      AnnouncementRequest(handOff, of: lanes[lane])
    }

    /// The same for words that cannot be heard before now.
    func requestFromNow(_ handOff: HandOff, _ lane: LaneID) -> AnnouncementRequest {
      var request = request(handOff, lane)
      if handOff.earliest < now { request.notBefore = now }
      return request
    }
  }

  /// With more lanes than this, room is kept for none of their next words: that takes time for each lane,
  /// and no listener follows so many.
  static let maximumForesight = 32
  /// After this many late renderings words are rendered on the spot. Where nothing can be spoken, a count
  /// is beeped rather than lost.
  static let greatestTries = 4
  /// The time allowed for rendering words that are due at once; each further try allows as much again, for
  /// slow machines.
  static let renderTime = Duration.milliseconds(250)

  /// How far ahead the output may have queued sound. Only words that begin later can be withdrawn before
  /// anything of them is heard.
  private let reach: Duration
  /// Whether to wait for words that have to be rendered. Otherwise they are rendered on the spot.
  var canWait = false

  private var layout = AnnouncementLayout()
  private var waiting: [WaitingWords] = []
  private var nextNumber = 1
  /// In the order in which they were sent.
  private var sent: [SentWords] = []

  init(outputLatency: Duration) {
    reach = .milliseconds(300) + outputLatency
  }

  /// True while words are being rendered.
  var isWaiting: Bool { !waiting.isEmpty }

  /// True while words of that lane are being rendered.
  func isWaiting(_ lane: LaneID) -> Bool { waiting.contains { $0.lane == lane } }

  /// The lanes of words that wait or may not have begun.
  var lanes: Set<LaneID> { Set(waiting.map(\.lane) + sent.map(\.lane)) }

  // MARK: What is to be said

  /// Announces what was handed off, in the order of priority.
  ///
  /// - Parameters:
  ///   - lanes: those of `wanted` and `self.lanes` at least.
  ///   - isCommand: words of any lane that have not begun make room for more important ones.
  mutating func announce(
    _ wanted: [(lane: LaneID, handOff: HandOff)], of lanes: SpeakingLanes,
    with speech: (any SpeechSource)?, at now: BootInstant, isCommand: Bool = false
  ) -> WordPlan {
    var turn = Turn(lanes: lanes, speech: speech, now: now)
    var requests = wanted.map { turn.requestFromNow($0.handOff, $0.lane) }
    if isCommand { requests += withdrawUnbegun(&turn) }
    announceAll(requests, &turn)
    return turn.plan
  }

  /// Announces words that were awaited, whether they could be rendered or not; nothing if they were
  /// withdrawn meanwhile.
  mutating func rendered(
    _ number: Int, of lanes: SpeakingLanes, with speech: (any SpeechSource)?, at now: BootInstant
  ) -> WordPlan {
    var turn = Turn(lanes: lanes, speech: speech, now: now)
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return turn.plan }
    let words = waiting.remove(at: index)
    var request = turn.request(words.handOff, words.lane)
    request.notBefore = max(words.notBefore, now)
    request.tries = words.tries
    announceAll([request] + (request.goesFirst ? withdrawUnbegun(&turn) : []), &turn)
    return turn.plan
  }

  /// Announces requests in the order of priority.
  private mutating func announceAll(_ requests: [AnnouncementRequest], _ turn: inout Turn) {
    layout.forget(before: SoundInstant(turn.now))
    let requests = requests.sorted { $0.order < $1.order }
    for (index, request) in requests.enumerated() {
      announceOne(request, before: requests[(index + 1)...], &turn)
    }
  }

  /// Sends one request's words, awaits them or drops them.
  ///
  /// - Parameter rest: what is announced after it.
  private mutating func announceOne(
    _ request: AnnouncementRequest, before rest: ArraySlice<AnnouncementRequest>,
    _ turn: inout Turn
  ) {
    var request = request
    // With its session's latest feedback: texts of a phase keep their order.
    request.lane = turn.lanes[request.lane.id]
    request.nameFrom = turn.now + reach
    if request.isAnswer {
      request.followingAnswers =
        rest.count { $0.isAnswer } + waiting.count { $0.handOff.cue.content.isAnswer }
    }
    let mayWait = canWait && request.tries < Self.greatestTries
    if mayWait, isBehindWaitingText(request) { return wait(for: request, &turn) }
    let cue = WordPlacing(speech: turn.speech, mayWait: mayWait)
      .layOut(request, among: Array(rest) + upcoming(beside: request, turn), in: &layout)
    if cue.isWaiting { return wait(for: request, &turn) }
    if cue.outcome == .dropped, let later = request.lane.session.postponed(request.handOff) {
      return announceOne(turn.request(later, request.lane.id), before: rest, &turn)
    }
    send(cue, of: request, &turn)
  }

  /// What the lanes will want to say while `request` may be heard.
  private func upcoming(
    beside request: AnnouncementRequest, _ turn: Turn
  ) -> [AnnouncementRequest] {
    guard turn.speech != nil, turn.lanes.isComplete else { return [] }
    let end = request.windowEnd
    return turn.lanes.lanes.flatMap { lane in
      lane.session.upcoming(before: end).map { AnnouncementRequest($0, of: lane) }
    }
  }

  private mutating func send(
    _ cue: LaidOutCue, of request: AnnouncementRequest, _ turn: inout Turn
  ) {
    let handOff = request.handOff
    let first = cue.parts.first?.due ?? handOff.due
    let last = cue.parts.last.map { $0.due + Duration($0.clip.length) } ?? first
    turn.learn(request, first...max(first, last))
    let entry = LedgerEvent.CueEntry(cue, of: handOff, lane: request.lane.name)
    guard !cue.parts.isEmpty else {
      turn.plan.effects.append(.write(entry, of: request.lane.id))
      return
    }
    if handOff.cue.content == .stopQuestion { turn.plan.effects.append(.asked(until: last)) }
    turn.plan.effects.append(.send(entry, cue.parts, request.id))
    sent.append(SentWords(handOff: handOff, lane: request.lane.id, first: first))
  }

  // MARK: Waiting

  private mutating func wait(for request: AnnouncementRequest, _ turn: inout Turn) {
    var request = request
    request.notBefore = max(
      request.handOff.due, turn.now + Self.renderTime * (request.tries + 1))
    let wording = request.wording(at: request.due)
    waiting.append(
      WaitingWords(
        number: nextNumber, handOff: request.handOff, lane: request.lane.id,
        // A number cannot move from its instant.
        notBefore: request.isCount ? turn.now : request.due, tries: request.tries + 1))
    turn.learn(request, nil)
    turn.plan.effects.append(
      .render(
        nextNumber, texts: wording.likelyTexts, lengthsOf: wording.texts, voice: request.voice))
    nextNumber += 1
  }

  private func isBehindWaitingText(_ request: AnnouncementRequest) -> Bool {
    waiting.contains {
      $0.lane == request.lane.id && $0.handOff.isText(before: request.handOff)
    }
  }

  // MARK: Withdrawing

  /// A lane's session has withdrawn all its cues.
  mutating func withdraw(_ lane: SpeakingLane, at now: BootInstant) -> WordPlan {
    layout.withdraw(lane: lane.id.serial, at: SoundInstant(now))
    sent.removeAll { $0.lane == lane.id }
    return withdrawWaiting(of: SpeakingLanes([lane], isComplete: false)) { $0.lane == lane.id }
  }

  /// The question whether to stop has been answered: where it has not begun, it is not asked.
  mutating func withdrawQuestion(of lanes: SpeakingLanes, at now: BootInstant) -> WordPlan {
    let unasked = takeUnbegun(at: now) { $0.cue.content == .stopQuestion }
    var plan = WordPlan(effects: [.withdraw(unasked.map(\.id))])
    for words in unasked {
      plan.effects.append(Self.withdrawn(words.handOff, lanes[words.lane], "the question is over"))
    }
    plan.effects += withdrawWaiting(of: lanes) { $0.handOff.cue.content == .stopQuestion }.effects
    return plan
  }

  /// An announcement is over.
  mutating func closed(_ id: AnnouncementID) { sent.removeAll { $0.id == id } }

  /// Withdraws the words of every lane that have not begun, to be announced anew.
  private mutating func withdrawUnbegun(_ turn: inout Turn) -> [AnnouncementRequest] {
    let unbegun = takeUnbegun(at: turn.now)
    if !unbegun.isEmpty { turn.plan.effects.append(.withdraw(unbegun.map(\.id))) }
    return unbegun.map { turn.requestFromNow($0.handOff, $0.lane) }
  }

  /// Removes words that have not begun from what was sent, and frees their places.
  private mutating func takeUnbegun(
    at now: BootInstant, where isIncluded: (HandOff) -> Bool = { _ in true }
  ) -> [SentWords] {
    let unbegun = sent.filter { $0.first > now + reach && isIncluded($0.handOff) }
    sent.removeAll { $0.first > now + reach && isIncluded($0.handOff) }
    for words in unbegun { layout.withdraw(lane: words.lane.serial, owner: words.handOff.id) }
    return unbegun
  }

  /// Awaited words will not be said any more.
  private mutating func withdrawWaiting(
    of lanes: SpeakingLanes, where isIncluded: (WaitingWords) -> Bool
  ) -> WordPlan {
    let withdrawn = waiting.filter(isIncluded)
    waiting.removeAll(where: isIncluded)
    return WordPlan(
      effects: withdrawn.map {
        Self.withdrawn($0.handOff, lanes[$0.lane], "a command took it back")
      })
  }

  /// The line in the ledger of words that were withdrawn before they were sent.
  private static func withdrawn(
    _ handOff: HandOff, _ lane: SpeakingLane, _ reason: String
  ) -> WordEffect {
    let request = AnnouncementRequest(handOff, of: lane)
    var cue = LaidOutCue(text: request.wording(at: request.due).text)
    cue.drop(reason)
    cue.outcome = .withdrawn
    return .write(LedgerEvent.CueEntry(cue, of: handOff, lane: lane.name), of: lane.id)
  }
}
