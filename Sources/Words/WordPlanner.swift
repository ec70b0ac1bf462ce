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
package struct WordPlanner {
  /// With more lanes than this, room is kept for none of their next words: that takes time for each lane,
  /// and no listener follows so many.
  package static let maximumForesight = 64
  /// After this many renderings what is there is said. Where nothing can be spoken, a count is beeped
  /// rather than lost.
  static let maxTries = 4
  /// The time allowed for rendering words that are due at once; each rendering that takes longer allows as
  /// much again, for slow machines.
  static let renderTime = Duration.milliseconds(250)

  /// How much later than its hand-over sound can be heard: as the output last reported.
  package var outputLatency: Duration
  /// How long before its end a wait is ended, so that a check can still hand over what is there.
  private let lastCall: Duration
  /// Whether announcements wait for words that have to be rendered; otherwise the speech source has all words.
  package var canWait = false

  /// What has been announced. Sessions and the mixer take words back there, without a turn.
  package var pending: PendingWords
  /// When the words of a count were first to begin. They may be laid out again, and the ledger keeps that.
  private var countDues: [AnnouncementID: BootInstant] = [:]
  /// What each lane lost to texts of others.
  private var losses: [LaneID: AnnouncementRequest.Losses] = [:]

  package init(outputLatency: Duration, checkInterval: Duration = .milliseconds(500)) {
    self.outputLatency = outputLatency
    pending = PendingWords(queuedAhead: .milliseconds(300) + outputLatency)
    lastCall = pending.queuedAhead + checkInterval
  }

  /// A lane is over.
  package mutating func forget(_ lane: LaneID) {
    losses[lane] = nil
    countDues = countDues.filter { $0.key.lane != lane }
    pending.forget(lane)
  }

  // MARK: What is to be said

  func turn(
    of lanes: SpeakingLanes, with speech: (any SpeechSource)?, at now: BootInstant
  ) -> WordTurn {
    WordTurn(lanes, speech, at: now, soonest: now + outputLatency, losses: losses)
  }

  /// Announces what was handed off, in the order of priority.
  ///
  /// - Parameters:
  ///   - lanes: those of `wanted` and `pending.lanes` at least.
  ///   - isCommand: words of any lane that have not begun make room for more important ones.
  package mutating func announce(
    _ wanted: [(lane: LaneID, handOff: HandOff)], of lanes: SpeakingLanes,
    with speech: (any SpeechSource)?, at now: BootInstant, isCommand: Bool
  ) -> WordPlan {
    var turn = turn(of: lanes, with: speech, at: now)
    var requests = wanted.map { turn.requestFromNow($0.handOff, $0.lane) }
    requests += pending.takeBereft().map { turn.requestFromNow($0.handOff, $0.lane) }
    if isCommand { requests += turn.renew(pending.takeUnbegun(at: now)) }
    announceAll(requests, &turn)
    return turn.plan
  }

  /// Announces words that were awaited, whether they could be rendered or not; nothing if they were
  /// withdrawn meanwhile.
  package mutating func rendered(
    _ number: Int, of lanes: SpeakingLanes, with speech: (any SpeechSource)?, at now: BootInstant
  ) -> WordPlan {
    var turn = turn(of: lanes, with: speech, at: now)
    guard let words = pending.takeRendered(number) else {
      refreshed(number, &turn)
      return turn.plan
    }
    announceWaiting(words, &turn)
    announceFreed(&turn)
    refreshAll(&turn)
    return turn.plan
  }

  /// Ends the wait for words that take too long to render: what is there of them is announced.
  package mutating func endWaiting(
    of lanes: SpeakingLanes, with speech: (any SpeechSource)?, at now: BootInstant
  ) -> WordPlan {
    var turn = turn(of: lanes, with: speech, at: now)
    let overdue = pending.takeOverdue(at: now)
    turn.plan.effects = overdue.map { .stopRendering($0.number) }
    announceAll(overdue.map { turn.request(of: $0, isOverdue: true) }, &turn)
    announceFreed(&turn)
    refreshAll(&turn)
    return turn.plan
  }

  /// Announces words that are there.
  private mutating func announceWaiting(_ words: PendingWords.Waiting, _ turn: inout WordTurn) {
    var requests = [turn.request(of: words)]
    if requests[0].goesFirst { requests += turn.renew(pending.takeUnbegun(at: turn.now)) }
    announceAll(requests, &turn)
  }

  /// Announces words that are there and do not wait for another text any more.
  private mutating func announceFreed(_ turn: inout WordTurn) {
    while let words = pending.takeFreed() { announceWaiting(words, &turn) }
  }

  /// Announces requests in the order of priority.
  mutating func announceAll(_ requests: [AnnouncementRequest], _ turn: inout WordTurn) {
    pending.layout.forget(before: turn.now)
    let (requests, excess) = WordTurn.bounded(
      turn.merged(requests.sorted { $0.goes(before: $1) }))
    for request in excess { drop(request, &turn) }
    for (index, request) in requests.enumerated() {
      announceOne(request, before: requests[(index + 1)...], &turn)
    }
  }

  private mutating func drop(_ request: AnnouncementRequest, _ turn: inout WordTurn) {
    var cue = LaidOutCue(text: request.wording(at: request.due).text)
    cue.drop("too many words at once")
    send(cue, of: request, &turn)
  }

  /// Sends one request's words, awaits them or drops them.
  ///
  /// - Parameter rest: what is announced after it.
  private mutating func announceOne(
    _ request: AnnouncementRequest, before rest: ArraySlice<AnnouncementRequest>,
    _ turn: inout WordTurn
  ) {
    var request = request
    // With its session's latest feedback: texts of a phase keep their order.
    request.lane = turn.lanes[request.lane.id]
    request.nameFrom = turn.now + pending.queuedAhead
    if request.isAnswer {
      request.followingAnswers =
        rest.count { $0.isAnswer } + pending.waiting.count { $0.handOff.cue.content.isAnswer }
    }
    let hasTime = !request.isOverdue && pending.hasRoom(for: request)
    let mayWait = canWait && hasTime && request.tries < Self.maxTries
    let others = Array(rest) + turn.others(beside: request, pending.waiting)
    if mayWait, pending.isBehindWaitingText(request.lane.id, request.handOff) {
      return wait(for: request, among: others, &turn)
    }
    let placing = WordPlacing(speech: turn.speech, mayWait: mayWait, isOverdue: canWait && !hasTime)
    var cue = placing.layOut(request, among: others, in: &pending.layout)
    if cue.missing.isEmpty, cue.outcome == .dropped, request.voice.engine != nil {
      // An engine's voice cannot be as fast as others.
      request.isByStandIn = true
      cue = placing.layOut(request, among: others, in: &pending.layout)
      if cue.outcome != .dropped {
        cue.note(request.lane.voice, standIn: "it takes longer than the time there is")
      }
    }
    if !cue.missing.isEmpty, request.isLate(after: turn.soonest + Self.renderTime),
      !pending.hasWaitingAnswer(of: request.lane.id)
    {
      var other = request
      other.isByStandIn = true
      var said = placing.layOut(other, among: others, in: &pending.layout)
      if said.missing.isEmpty, said.outcome != .dropped {
        said.note(request.lane.voice, standIn: "it was not ready in time")
        (request, cue) = (other, said)
      }
    }
    if !cue.missing.isEmpty { return wait(for: request, among: others, &turn) }
    if waitsForValues(request, cue, &turn) { return }
    let latest = request.latest(turn.speech)
    if cue.outcome == .dropped, request.saysValues, request.hasNoValues(at: latest) {
      cue.drop(request.reasonWithoutWordings(at: latest))
    }
    if cue.outcome == .dropped, let later = request.lane.session.postponed(request.handOff) {
      return announceOne(turn.request(later, request.lane.id), before: rest, &turn)
    }
    send(cue, of: request, &turn)
  }

  mutating func send(
    _ cue: LaidOutCue, of request: AnnouncementRequest, _ turn: inout WordTurn
  ) {
    let handOff = request.handOff
    let first = cue.parts.first?.due ?? handOff.due
    let last = cue.parts.last.map { $0.due + $0.clip.length } ?? first
    turn.learn(
      request, first...max(first, last),
      cue.parts.isEmpty ? .none : cue.outcome == .played ? .whole : .part)
    var announcements = request.announcements(cue)
    if handOff.isCount, !cue.parts.isEmpty { noteFirstDue(first, of: &announcements, at: turn.now) }
    noteLoss(of: request, cue, &turn)
    guard !cue.parts.isEmpty else {
      turn.plan.effects += announcements.map { .write($0) }
      return
    }
    if handOff.cue.content == .stopQuestion { turn.plan.effects.append(.asked(until: last)) }
    let words = PendingWords.Sent(
      announcement: announcements[0], first: first,
      wording: request.saysValues ? request.wording(at: first) : nil, place: request.place,
      participants: request.participants, isShared: announcements.count > 1)
    if !turn.keeps(words) {
      turn.plan.effects.append(.send(announcements[0], with: Array(announcements.dropFirst())))
    }
    pending.add(words)
  }

  /// Gives a count that begins at another instant than when it was laid out first that one as well.
  private mutating func noteFirstDue(
    _ due: BootInstant, of announcements: inout [Announcement], at now: BootInstant
  ) {
    countDues = countDues.filter { $0.value > now - .seconds(60) }
    for index in announcements.indices {
      let first = countDues[announcements[index].id, default: due]
      countDues[announcements[index].id] = first
      guard first != due else { continue }
      announcements[index].cue.planned = first
      announcements[index].cue.add("laid out again")
    }
  }

  private mutating func noteLoss(
    of request: AnnouncementRequest, _ cue: LaidOutCue, _ turn: inout WordTurn
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
    for request: AnnouncementRequest, among others: [AnnouncementRequest], _ turn: inout WordTurn
  ) {
    var request = request
    // A number cannot move from its instant.
    let renderTime = request.isCount ? .zero : Self.renderTime * (request.delays + 1)
    let notBefore = turn.soonest + renderTime
    request.notBefore = max(request.notBefore ?? notBefore, notBefore)
    // At its later place it may need other words.
    var scratch = pending.layout
    let missing = WordPlacing(speech: turn.speech, mayWait: true)
      .layOut(request, among: others, in: &scratch).missing
    let number = pending.numberRendering()
    let until = max(request.latest(turn.speech) - lastCall, turn.now + Self.renderTime)
    pending.add(
      PendingWords.Waiting(
        number: number, handOff: request.handOff, lane: request.lane.id,
        companions: request.companions, notBefore: request.notBefore ?? notBefore,
        tries: request.tries + 1, delays: request.delays,
        values: request.saysValues ? request.values ?? request.lane.values : nil,
        until: until))
    turn.learn(request, nil)
    var urgency = request.urgency
    // A stand-in has to be rendered before the wait is over, and should speak when the words are due. A count begins
    // with words before its first number.
    let begins = request.isCount ? request.neededBy - Script.leadIn : min(urgency.by, request.due)
    urgency.patience = min(
      turn.now.duration(to: until) - .milliseconds(150),
      max(.milliseconds(400), turn.now.duration(to: begins) - .milliseconds(300)))
    turn.plan.effects.append(.render(number, missing, urgency, for: request.lane.id))
  }
}
