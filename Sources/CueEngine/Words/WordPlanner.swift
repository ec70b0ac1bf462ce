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
///  words missing │   │ rendered, or       │ withdrawn: for good, or announced again to make
///                ▼   │ no time is left    ▼ room for what comes first
///               waiting
/// ```
///
/// It never waits itself. Words that wait keep their room; when no time is left, what is there is said
/// instead: a shorter form, or beeps for the numbers of a count.
struct WordPlanner {
  /// Words that are being rendered.
  struct WaitingWords {
    /// Identifies the rendering.
    let number: Int
    let handOff: HandOff
    let lane: LaneID
    /// Other lanes for which they are said.
    var companions: [AnnouncementRequest.Companion] = []
    /// They are rendered for this instant: the earliest at which they may begin.
    let notBefore: BootInstant
    /// How often they have been awaited, this time included, and how often that took longer than allowed.
    let tries: Int
    let delays: Int
    /// The live values that they say; nil where they say none. Later ones come when these have been sent, so
    /// that values which change all the time do not hold the words back.
    let values: LiveValues?
    /// When they are not awaited any longer.
    let until: BootInstant
    /// They are there, and wait for an earlier text of their phase.
    var isRendered = false
    /// None of their wordings has its live values: they wait for one.
    var lacksValues = false

    func isOf(_ lane: LaneID) -> Bool {
      self.lane == lane || companions.contains { $0.lane == lane }
    }
  }

  /// Words at the mixer. Some may have begun.
  struct SentWords {
    let handOff: HandOff
    let lane: LaneID
    let first: BootInstant
    /// What they were to say, and whether live values are among it.
    let wording: CueWording
    let saysValues: Bool
    let entry: LedgerEvent.CueEntry
    let parts: [LaidOutCue.Part]
    /// Identifies their lane in the layout.
    let place: Int
    /// The lanes for which they are said and that have not withdrawn them.
    var participants: [AnnouncementRequest.Companion]
    let isShared: Bool

    var id: AnnouncementID { AnnouncementID(lane: lane, handOff: handOff.id) }
  }

  /// The arguments of one call, and its result.
  struct Turn {
    /// Their sessions already know the feedback of this call.
    var lanes: SpeakingLanes
    let speech: (any SpeechSource)?
    let now: BootInstant
    /// When words that are sent now can be heard.
    let soonest: BootInstant
    let losses: [LaneID: AnnouncementRequest.Losses]
    /// The lanes that have found room for words that were due at that instant.
    var speaking: [BootInstant: Set<LaneID>] = [:]
    var plan = WordPlan()
    /// What was withdrawn to be announced anew.
    var withdrawn: [AnnouncementID: SentWords] = [:]
    /// What the lanes will want to say before that instant, found once for all announcements of the turn.
    var upcoming: (end: BootInstant, requests: [AnnouncementRequest])?

    mutating func learn(
      _ request: AnnouncementRequest, _ place: ClosedRange<BootInstant>?,
      _ extent: WordFeedback.Extent = .none
    ) {
      for one in request.participants {
        let feedback = WordFeedback(id: one.handOff.id, place: place, extent: extent)
        lanes[one.lane].session.learn([feedback])
        plan.feedback[one.lane, default: []].append(feedback)
      }
    }

    /// True for words that were withdrawn and are announced unchanged: they stay at the mixer.
    mutating func keeps(_ words: SentWords) -> Bool {
      guard let former = withdrawn[words.id], former.entry == words.entry,
        former.parts.elementsEqual(
          words.parts, by: { $0.text == $1.text && $0.due == $1.due && $0.clip === $1.clip })
      else { return false }
      withdrawn[words.id] = nil
      plan.effects = plan.effects.compactMap { effect in
        guard case .withdraw(let ids) = effect else { return effect }
        let others = ids.filter { $0 != words.id }
        return others.isEmpty ? nil : .withdraw(others)
      }
      return true
    }

    func request(_ handOff: HandOff, _ lane: LaneID) -> AnnouncementRequest {
      var request = AnnouncementRequest(handOff, of: lanes[lane])
      request.losses = losses[lane] ?? .init()
      return request
    }

    /// The same for words that cannot be heard before their sound has come to the output.
    func requestFromNow(_ handOff: HandOff, _ lane: LaneID) -> AnnouncementRequest {
      var request = request(handOff, lane)
      if handOff.earliest < soonest { request.notBefore = soonest }
      return request
    }
  }

  /// With more lanes than this, room is kept for none of their next words: that takes time for each lane,
  /// and no listener follows so many.
  static let maximumForesight = 64
  /// The most announcements for which room is kept at once, shared equally by the lanes.
  private static let maxForesight = 256
  /// The most announcements besides counts and answers that are placed in one turn, and of one lane that wait for
  /// their words. Each is placed beside all others, so a workout of a hundred texts at one instant would hold up
  /// the cues of every other; nobody could hear them.
  private static let maxTurn = 32
  private static let maxWait = 8
  /// After this many renderings what is there is said. Where nothing can be spoken, a count is beeped
  /// rather than lost.
  static let maxTries = 4
  /// The time allowed for rendering words that are due at once; each rendering that takes longer allows as
  /// much again, for slow machines.
  static let renderTime = Duration.milliseconds(250)

  /// How far ahead the output may have queued sound. Only words that begin later can be withdrawn before
  /// anything of them is heard.
  let queuedAhead: Duration
  /// How much later than its hand-over sound can be heard.
  private let outputLatency: Duration
  /// How long before its end a wait is ended, so that a check can still hand over what is there.
  private let lastCall: Duration
  /// Whether announcements wait for words that have to be rendered; otherwise the speech source has all words.
  var canWait = false

  var layout = AnnouncementLayout()
  var waiting: [WaitingWords] = []
  var nextNumber = 1
  /// In the order in which they were sent.
  var sent: [SentWords] = []
  /// Later wordings of what has been sent, which are being rendered.
  var refreshes: [Refresh] = []
  /// Words that were to be said with those of a lane that has withdrawn: they are announced again without it.
  var bereft: [AnnouncementRequest.Companion] = []
  /// When the words of a count were first to begin. They may be laid out again, and the ledger keeps that.
  private var countDues: [AnnouncementID: BootInstant] = [:]
  /// What each lane lost to texts of others.
  var losses: [LaneID: AnnouncementRequest.Losses] = [:]

  init(outputLatency: Duration, checkInterval: Duration = .milliseconds(500)) {
    self.outputLatency = outputLatency
    queuedAhead = .milliseconds(300) + outputLatency
    lastCall = queuedAhead + checkInterval
  }

  /// When words are not awaited any longer; the far future for words that have been withdrawn.
  func deadline(of number: Int) -> BootInstant {
    waiting.first { $0.number == number }?.until ?? .never
  }

  /// True while words are being rendered.
  var isWaiting: Bool { !waiting.isEmpty }

  /// True while words of that lane are being rendered.
  func isWaiting(_ lane: LaneID) -> Bool { waiting.contains { $0.isOf(lane) } }

  /// True while that lane has words that are to be said.
  func hasWords(of lane: LaneID) -> Bool {
    isWaiting(lane) || sent.contains { words in words.participants.contains { $0.lane == lane } }
  }

  /// True while words are to be announced again without a lane that has withdrawn them.
  var hasBereft: Bool { !bereft.isEmpty }

  /// The lanes of words that wait or may not have begun.
  var lanes: Set<LaneID> {
    var lanes = Set(bereft.map(\.lane))
    for words in waiting { lanes.formUnion([words.lane] + words.companions.map(\.lane)) }
    for words in sent { lanes.formUnion([words.lane] + words.participants.map(\.lane)) }
    return lanes
  }

  /// A lane is over.
  mutating func forget(_ lane: LaneID) {
    losses[lane] = nil
    countDues = countDues.filter { $0.key.lane != lane }
    bereft.removeAll { $0.lane == lane }
  }

  // MARK: What is to be said

  func turn(
    of lanes: SpeakingLanes, with speech: (any SpeechSource)?, at now: BootInstant
  ) -> Turn {
    Turn(lanes: lanes, speech: speech, now: now, soonest: now + outputLatency, losses: losses)
  }

  /// Announces what was handed off, in the order of priority.
  ///
  /// - Parameters:
  ///   - lanes: those of `wanted` and `self.lanes` at least.
  ///   - isCommand: words of any lane that have not begun make room for more important ones.
  mutating func announce(
    _ wanted: [(lane: LaneID, handOff: HandOff)], of lanes: SpeakingLanes,
    with speech: (any SpeechSource)?, at now: BootInstant, isCommand: Bool = false
  ) -> WordPlan {
    var turn = turn(of: lanes, with: speech, at: now)
    var requests = wanted.map { turn.requestFromNow($0.handOff, $0.lane) }
    requests += bereft.map { turn.requestFromNow($0.handOff, $0.lane) }
    bereft = []
    if isCommand { requests += withdrawUnbegun(&turn) }
    announceAll(requests, &turn)
    return turn.plan
  }

  /// Announces words that were awaited, whether they could be rendered or not; nothing if they were
  /// withdrawn meanwhile.
  mutating func rendered(
    _ number: Int, of lanes: SpeakingLanes, with speech: (any SpeechSource)?, at now: BootInstant
  ) -> WordPlan {
    var turn = turn(of: lanes, with: speech, at: now)
    guard let index = waiting.firstIndex(where: { $0.number == number }) else {
      refreshed(number, &turn)
      return turn.plan
    }
    guard !isBehindWaitingText(waiting[index].lane, waiting[index].handOff) else {
      waiting[index].isRendered = true
      return turn.plan
    }
    announceWaiting(waiting.remove(at: index), &turn)
    announceFreed(&turn)
    refreshAll(&turn)
    return turn.plan
  }

  /// True when words have been awaited for as long as there was time.
  func isOverdue(at now: BootInstant) -> Bool { waiting.contains { $0.until <= now } }

  /// Ends the wait for words that take too long to render: what is there of them is announced.
  mutating func endWaiting(
    of lanes: SpeakingLanes, with speech: (any SpeechSource)?, at now: BootInstant
  ) -> WordPlan {
    var turn = turn(of: lanes, with: speech, at: now)
    let overdue = waiting.filter { $0.until <= now }
    waiting.removeAll { $0.until <= now }
    turn.plan.effects = overdue.map { .stopRendering($0.number) }
    announceAll(overdue.map { request(of: $0, isOverdue: true, turn) }, &turn)
    announceFreed(&turn)
    refreshAll(&turn)
    return turn.plan
  }

  func request(
    of words: WaitingWords, isOverdue: Bool = false, _ turn: Turn
  ) -> AnnouncementRequest {
    var request = turn.request(words.handOff, words.lane)
    request.companions = words.companions
    request.isForAll = turn.isForAll(request)
    request.values = words.values
    request.notBefore = max(words.notBefore, turn.soonest)
    request.tries = words.tries
    request.delays = words.delays + (turn.now > words.notBefore ? 1 : 0)
    request.isOverdue = isOverdue
    return request
  }

  /// Announces words that are there.
  private mutating func announceWaiting(_ words: WaitingWords, _ turn: inout Turn) {
    let request = request(of: words, turn)
    announceAll([request] + (request.goesFirst ? withdrawUnbegun(&turn) : []), &turn)
  }

  /// Announces words that are there and do not wait for another text any more.
  private mutating func announceFreed(_ turn: inout Turn) {
    while let index = waiting.firstIndex(where: {
      $0.isRendered && !isBehindWaitingText($0.lane, $0.handOff)
    }) {
      announceWaiting(waiting.remove(at: index), &turn)
    }
  }

  /// Announces requests in the order of priority.
  mutating func announceAll(_ requests: [AnnouncementRequest], _ turn: inout Turn) {
    layout.forget(before: SoundInstant(turn.now))
    let (requests, excess) = Self.bounded(
      turn.merged(requests.sorted { $0.goes(before: $1) }))
    for request in excess { drop(request, &turn) }
    for (index, request) in requests.enumerated() {
      announceOne(request, before: requests[(index + 1)...], &turn)
    }
  }

  /// Splits requests into those that one turn can place, and the rest; each lane has its first ones among them.
  /// Nothing that is timed, or that somebody waits for, is in the rest.
  private static func bounded(
    _ requests: [AnnouncementRequest]
  ) -> (placed: [AnnouncementRequest], excess: [AnnouncementRequest]) {
    guard requests.count > maxTurn else { return (requests, []) }
    var numbers: [LaneID: Int] = [:]
    let ranks = requests.map { request in
      guard !request.isCount, !request.goesFirst else { return 0 }
      numbers[request.lane.id, default: 0] += 1
      return numbers[request.lane.id] ?? 0
    }
    let bounds = ranks.filter { $0 > 0 }.sorted()
    guard bounds.count > maxTurn else { return (requests, []) }
    // Of the last rank that has room for some lanes the more important ones are placed.
    let last = bounds[maxTurn - 1]
    var room = maxTurn - bounds.count { $0 < last }
    var (placed, excess): ([AnnouncementRequest], [AnnouncementRequest]) = ([], [])
    for (request, rank) in zip(requests, ranks) {
      if rank == last { room -= 1 }
      if rank < last || rank == last && room >= 0 {
        placed.append(request)
      } else {
        excess.append(request)
      }
    }
    return (placed, excess)
  }

  private mutating func drop(_ request: AnnouncementRequest, _ turn: inout Turn) {
    var cue = LaidOutCue(text: request.wording(at: request.due).text)
    cue.drop("too many words at once")
    send(cue, of: request, &turn)
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
    request.nameFrom = turn.now + queuedAhead
    if request.isAnswer {
      request.followingAnswers =
        rest.count { $0.isAnswer } + waiting.count { $0.handOff.cue.content.isAnswer }
    }
    let hasTime = !request.isOverdue && hasRoomToWait(request)
    let mayWait = canWait && hasTime && request.tries < Self.maxTries
    let others =
      Array(rest) + waitingRequests(beside: request, turn) + upcoming(beside: request, &turn)
    if mayWait, isBehindWaitingText(request.lane.id, request.handOff) {
      return wait(for: request, among: others, &turn)
    }
    let cue = WordPlacing(speech: turn.speech, mayWait: mayWait, isOverdue: canWait && !hasTime)
      .layOut(request, among: others, in: &layout)
    if !cue.missing.isEmpty { return wait(for: request, among: others, &turn) }
    if waitsForValues(request, cue, &turn) { return }
    if cue.outcome == .dropped, let later = request.lane.session.postponed(request.handOff) {
      return announceOne(turn.request(later, request.lane.id), before: rest, &turn)
    }
    send(cue, of: request, &turn)
  }

  /// Words that wait keep their room, as those that are still to be handed off do.
  func waitingRequests(
    beside request: AnnouncementRequest, _ turn: Turn
  ) -> [AnnouncementRequest] {
    let end = request.windowEnd
    return waiting.filter { $0.handOff.earliest < end }.map { self.request(of: $0, turn) }
  }

  /// What the lanes will want to say while `request` may be heard.
  func upcoming(
    beside request: AnnouncementRequest, _ turn: inout Turn
  ) -> [AnnouncementRequest] {
    guard turn.speech != nil, turn.lanes.isComplete else { return [] }
    let end = request.windowEnd
    if let known = turn.upcoming, known.end >= end {
      return known.requests.filter { $0.handOff.earliest < end }.map { known in
        var request = known
        request.lane = turn.lanes[known.lane.id]
        return request
      }
    }
    let atMost = Self.maxForesight / max(1, turn.lanes.lanes.count)
    let requests = turn.lanes.lanes.flatMap { lane in
      lane.session.upcoming(before: end, atMost: atMost).map { turn.request($0, lane.id) }
    }
    turn.upcoming = (end, turn.merged(requests.sorted { $0.goes(before: $1) }))
    return turn.upcoming?.requests ?? []
  }

  mutating func send(
    _ cue: LaidOutCue, of request: AnnouncementRequest, _ turn: inout Turn
  ) {
    let handOff = request.handOff
    let first = cue.parts.first?.due ?? handOff.due
    let last = cue.parts.last.map { $0.due + Duration($0.clip.length) } ?? first
    turn.learn(
      request, first...max(first, last),
      cue.parts.isEmpty ? .none : cue.outcome == .played ? .whole : .part)
    var entries = request.entries(cue)
    if handOff.isCount, !cue.parts.isEmpty { noteFirstDue(first, of: &entries, at: turn.now) }
    let (entry, companions) = (entries[0].entry, Array(entries.dropFirst()))
    noteLoss(of: request, cue, &turn)
    guard !cue.parts.isEmpty else {
      turn.plan.effects.append(.write(entry, request.id))
      turn.plan.effects += companions.map { .write($0.entry, $0.id) }
      return
    }
    if handOff.cue.content == .stopQuestion { turn.plan.effects.append(.asked(until: last)) }
    let words = SentWords(
      handOff: handOff, lane: request.lane.id, first: first, wording: request.wording(at: first),
      saysValues: request.saysValues, entry: entry, parts: cue.parts, place: request.place,
      participants: request.participants, isShared: !companions.isEmpty)
    if !turn.keeps(words) {
      turn.plan.effects.append(.send(entry, cue.parts, request.id, with: companions))
    }
    sent.append(words)
  }

  /// Gives a count that begins at another instant than when it was laid out first that one as well.
  private mutating func noteFirstDue(
    _ due: BootInstant, of entries: inout [SharedEntry], at now: BootInstant
  ) {
    countDues = countDues.filter { $0.value > now - .seconds(60) }
    for index in entries.indices {
      let first = countDues[entries[index].id, default: due]
      countDues[entries[index].id] = first
      guard first != due else { continue }
      entries[index].entry.planned = first
      entries[index].entry.reason = [entries[index].entry.reason, "laid out again"]
        .compactMap { $0 }.joined(separator: ", ")
    }
  }

  private mutating func noteLoss(
    of request: AnnouncementRequest, _ cue: LaidOutCue, _ turn: inout Turn
  ) {
    let lanes = request.participants.map(\.lane)
    let others = turn.speaking[request.handOff.due]
    if !cue.isLoss { turn.speaking[request.handOff.due, default: []].formUnion(lanes) }
    guard others?.isDisjoint(with: lanes) == true, cue.isLoss || cue.outcome == .shortened else {
      return
    }
    for lane in lanes { losses[lane, default: .init()].note(cue) }
  }

  // MARK: Waiting

  private mutating func wait(
    for request: AnnouncementRequest, among others: [AnnouncementRequest], _ turn: inout Turn
  ) {
    var request = request
    // A number cannot move from its instant.
    let renderTime = request.isCount ? .zero : Self.renderTime * (request.delays + 1)
    let notBefore = turn.soonest + renderTime
    request.notBefore = max(request.notBefore ?? notBefore, notBefore)
    // At its later place it may need other words.
    var scratch = layout
    let missing = WordPlacing(speech: turn.speech, mayWait: true)
      .layOut(request, among: others, in: &scratch).missing
    waiting.append(
      WaitingWords(
        number: nextNumber, handOff: request.handOff, lane: request.lane.id,
        companions: request.companions, notBefore: request.notBefore ?? notBefore,
        tries: request.tries + 1, delays: request.delays,
        values: request.saysValues ? request.values ?? request.lane.values : nil,
        until: max(request.latest(turn.speech) - lastCall, turn.now + Self.renderTime)))
    turn.learn(request, nil)
    turn.plan.effects.append(.render(nextNumber, missing, request.urgency, for: request.lane.id))
    nextNumber += 1
  }

  /// False where so many words of the lane wait that these are said as far as they are there.
  private func hasRoomToWait(_ request: AnnouncementRequest) -> Bool {
    request.isCount || request.goesFirst || request.handOff.yields || request.tries > 0
      || waiting.count { $0.lane == request.lane.id } < Self.maxWait
  }

  private func isBehindWaitingText(_ lane: LaneID, _ handOff: HandOff) -> Bool {
    waiting.contains {
      $0.isOf(lane) && !$0.lacksValues && $0.handOff.isText(before: handOff)
    }
  }
}
