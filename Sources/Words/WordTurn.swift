import CueSound
import IntervalTimeline

/// The arguments of one call of a planner, and its result.
///
/// Its sessions already know the feedback of this call, and its effects are in the order in which they were decided.
struct WordTurn {
  /// The most announcements for which room is kept at once, shared equally by the lanes.
  private static let maxForesight = 256
  /// The most announcements besides counts and answers that are placed in one turn. Each is placed beside all others,
  /// so a workout of a hundred texts at one instant would hold up the cues of every other; nobody could hear them.
  private static let maxPlaced = 32

  private(set) var lanes: SpeakingLanes
  let speech: (any SpeechSource)?
  let now: BootInstant
  /// When words that are sent now can be heard.
  let soonest: BootInstant
  private let losses: [LaneID: AnnouncementRequest.Losses]
  /// The lanes that have found room for words that were due at that instant.
  var speaking: [BootInstant: Set<LaneID>] = [:]
  var plan = WordPlan()
  /// What was withdrawn to be announced anew.
  private var withdrawn: [AnnouncementID: PendingWords.Sent] = [:]
  /// What the lanes will want to say before that instant, found once for all announcements of the turn.
  private var upcoming: (end: BootInstant, requests: [AnnouncementRequest])?

  init(
    _ lanes: SpeakingLanes, _ speech: (any SpeechSource)?, at now: BootInstant,
    soonest: BootInstant, losses: [LaneID: AnnouncementRequest.Losses]
  ) {
    (self.lanes, self.speech, self.now) = (lanes, speech, now)
    (self.soonest, self.losses) = (soonest, losses)
  }

  // MARK: Requests

  func request(_ handOff: HandOff, _ lane: LaneID) -> AnnouncementRequest {
    var request = AnnouncementRequest(handOff, of: lanes[lane])
    request.losses = losses[lane] ?? .init()
    return request
  }

  /// The request for words that cannot be heard before their sound has come to the output.
  func requestFromNow(_ handOff: HandOff, _ lane: LaneID) -> AnnouncementRequest {
    var request = request(handOff, lane)
    if handOff.earliest < soonest { request.notBefore = soonest }
    return request
  }

  /// The request for words that have waited.
  func request(of words: PendingWords.Waiting, isOverdue: Bool = false) -> AnnouncementRequest {
    var request = request(words.handOff, words.lane)
    request.companions = words.companions
    request.isForAll = isForAll(request)
    request.values = words.values
    request.notBefore = max(words.notBefore, soonest)
    request.tries = words.tries
    request.delays = words.delays + (now > words.notBefore ? 1 : 0)
    request.isOverdue = isOverdue
    return request
  }

  /// What needs room while `request` may be heard: words that wait, and what the lanes will want to say.
  mutating func others(
    beside request: AnnouncementRequest, _ waiting: [PendingWords.Waiting]
  ) -> [AnnouncementRequest] {
    let end = request.windowEnd
    return waiting.filter { $0.handOff.earliest < end }.map { self.request(of: $0) }
      + upcoming(before: end)
  }

  private mutating func upcoming(before end: BootInstant) -> [AnnouncementRequest] {
    guard speech != nil, lanes.isComplete else { return [] }
    if let known = upcoming, known.end >= end {
      return known.requests.filter { $0.handOff.earliest < end }.map { known in
        var request = known
        request.lane = lanes[known.lane.id]
        return request
      }
    }
    let atMost = Self.maxForesight / max(1, lanes.lanes.count)
    let requests = lanes.lanes.flatMap { lane in
      lane.session.upcoming(before: end, atMost: atMost).map { request($0, lane.id) }
    }
    let merged = merged(requests.sorted { $0.goes(before: $1) })
    upcoming = (end, merged)
    return merged
  }

  /// Splits requests into those that one turn can place, and the rest; each lane has its first ones among them.
  /// Nothing that is timed, or that somebody waits for, is in the rest.
  static func bounded(
    _ requests: [AnnouncementRequest]
  ) -> (placed: [AnnouncementRequest], excess: [AnnouncementRequest]) {
    guard requests.count > maxPlaced else { return (requests, []) }
    var numbers: [LaneID: Int] = [:]
    let ranks = requests.map { request in
      guard !request.isCount, !request.goesFirst else { return 0 }
      numbers[request.lane.id, default: 0] += 1
      return numbers[request.lane.id] ?? 0
    }
    let bounds = ranks.filter { $0 > 0 }.sorted()
    guard bounds.count > maxPlaced else { return (requests, []) }
    // Of the last rank that has room for some lanes the more important ones are placed.
    let last = bounds[maxPlaced - 1]
    var room = maxPlaced - bounds.count { $0 < last }
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

  // MARK: Result

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

  /// Withdraws words that have not begun, and requests them anew.
  mutating func renew(_ unbegun: [PendingWords.Sent]) -> [AnnouncementRequest] {
    if !unbegun.isEmpty { plan.effects.append(.withdraw(unbegun.map(\.id))) }
    for words in unbegun { withdrawn[words.id] = words }
    return unbegun.flatMap(\.participants).map { requestFromNow($0.handOff, $0.lane) }
  }

  /// True for words that were withdrawn and are announced unchanged: they stay at the mixer.
  mutating func keeps(_ words: PendingWords.Sent) -> Bool {
    guard let former = withdrawn[words.id], former.announcement == words.announcement else {
      return false
    }
    withdrawn[words.id] = nil
    plan.effects = plan.effects.compactMap { effect in
      guard case .withdraw(let ids) = effect else { return effect }
      let others = ids.filter { $0 != words.id }
      return others.isEmpty ? nil : .withdraw(others)
    }
    return true
  }
}
