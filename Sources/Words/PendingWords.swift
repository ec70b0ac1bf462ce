import CueSound
import IntervalTimeline

/// The words that have been announced and are not over: those that wait for a rendering, those at the mixer, and
/// those that are to be announced again.
///
/// Words that are withdrawn before they are heard have no place in the layout any more. Each rendering has a
/// number of its own.
///
/// Words that several lanes share are withdrawn for one of them only: if they have not begun, they are announced again
/// without it; if they have, the others hear them to their end.
package struct PendingWords {
  /// Words that are being rendered.
  struct Waiting {
    /// Identifies the rendering.
    let number: Int
    let handOff: HandOff
    let lane: LaneID
    /// Other lanes for which they are said.
    fileprivate(set) var companions: [AnnouncementRequest.Companion] = []
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
    fileprivate(set) var isRendered = false
    /// None of their wordings has its live values: they wait for one.
    var lacksValues = false

    func isOf(_ lane: LaneID) -> Bool {
      self.lane == lane || companions.contains { $0.lane == lane }
    }
  }

  /// Words at the mixer. Some may have begun.
  struct Sent {
    let announcement: Announcement
    let first: BootInstant
    /// What they were to say, if live values are among it; nil if none are.
    let wording: CueWording?
    /// Identifies their lane in the layout.
    let place: Int
    /// The lanes for which they are said and that have not withdrawn them.
    fileprivate(set) var participants: [AnnouncementRequest.Companion]
    let isShared: Bool

    var id: AnnouncementID { announcement.id }
    var handOff: HandOff { announcement.handOff }
    var lane: LaneID { id.lane }
  }

  /// A later wording of words that have been sent, which is being rendered.
  struct Refresh {
    let number: Int
    let id: AnnouncementID
    let values: LiveValues
    let tries: Int
  }

  /// The most words of one lane besides counts and answers that wait. Each is placed beside all others.
  private static let maxWait = 8

  /// How far ahead the output may have queued sound. Only words that begin later can be withdrawn before
  /// anything of them is heard.
  let queuedAhead: Duration

  /// The places of words at the mixer, and of those that are being sent.
  var layout = AnnouncementLayout()
  private(set) var waiting: [Waiting] = []
  /// In the order in which they were sent.
  private(set) var sent: [Sent] = []
  private var refreshes: [Refresh] = []
  /// Words that were to be said with those of a lane that has withdrawn: they are announced again without it.
  private var bereft: [AnnouncementRequest.Companion] = []
  private var renderings = 0

  init(queuedAhead: Duration) { self.queuedAhead = queuedAhead }

  // MARK: What there is

  /// When words are not awaited any longer; the far future for words that have been withdrawn.
  package func deadline(of number: Int) -> BootInstant {
    waiting.first { $0.number == number }?.until ?? .never
  }

  /// True while words are being rendered.
  package var isWaiting: Bool { !waiting.isEmpty }

  /// True while words of that lane are being rendered.
  package func isWaiting(_ lane: LaneID) -> Bool { waiting.contains { $0.isOf(lane) } }

  /// True when words have been awaited for as long as there was time.
  package func isOverdue(at now: BootInstant) -> Bool { waiting.contains { $0.until <= now } }

  /// True while that lane has words that are to be said.
  package func hasWords(of lane: LaneID) -> Bool {
    isWaiting(lane) || sent.contains { words in words.participants.contains { $0.lane == lane } }
  }

  /// True while words are to be announced again without a lane that has withdrawn them.
  package var hasBereft: Bool { !bereft.isEmpty }

  /// The lanes of words that wait or may not have begun.
  package var lanes: Set<LaneID> {
    var lanes = Set(bereft.map(\.lane))
    for words in waiting { lanes.formUnion([words.lane] + words.companions.map(\.lane)) }
    for words in sent { lanes.formUnion([words.lane] + words.participants.map(\.lane)) }
    return lanes
  }

  /// The messages that wait for their words, or are laid out and not over.
  package var messages: [(lane: LaneID, priority: Message.Priority)] {
    (waiting.map { ($0.lane, $0.handOff) } + sent.map { ($0.lane, $0.handOff) }).compactMap {
      guard case .message(let message) = $1.cue.content else { return nil }
      return ($0, message.priority)
    }
  }

  /// Whether any of these lanes has words at the mixer that say live values, or words that wait for some.
  package func saysValues(_ lanes: Set<LaneID>) -> Bool {
    sent.contains { $0.wording != nil && lanes.contains($0.lane) }
      || waiting.contains { $0.lacksValues && lanes.contains($0.lane) }
  }

  /// Whether a later wording of these words is being rendered.
  func isRefreshing(_ words: Sent) -> Bool { refreshes.contains { $0.id == words.id } }

  /// True for a text before which an earlier text of its phase waits.
  func isBehindWaitingText(_ lane: LaneID, _ handOff: HandOff) -> Bool {
    waiting.contains {
      $0.isOf(lane) && !$0.lacksValues && $0.handOff.isText(before: handOff)
    }
  }

  /// Whether an answer to a command waits for its words: nothing else of the lane is said before it.
  func hasWaitingAnswer(of lane: LaneID) -> Bool {
    waiting.contains { $0.isOf(lane) && $0.handOff.cue.content.isAnswer }
  }

  /// False where so many words of the lane wait that these are said as far as they are there.
  func hasRoom(for request: AnnouncementRequest) -> Bool {
    request.isCount || request.goesFirst || request.handOff.yields || request.tries > 0
      || waiting.count { $0.lane == request.lane.id } < Self.maxWait
  }

  // MARK: What comes and goes

  /// The number of a rendering that begins.
  mutating func numberRendering() -> Int {
    renderings += 1
    return renderings
  }

  mutating func add(_ words: Waiting) { waiting.append(words) }

  mutating func add(_ words: Sent) { sent.append(words) }

  mutating func add(_ refresh: Refresh) { refreshes.append(refresh) }

  /// Takes words that have been rendered; those behind a waiting text stay until that one is taken.
  mutating func takeRendered(_ number: Int) -> Waiting? {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return nil }
    waiting[index].isRendered = true
    guard !isBehindWaitingText(waiting[index].lane, waiting[index].handOff) else { return nil }
    return waiting.remove(at: index)
  }

  /// Takes rendered words that are behind no waiting text any more.
  mutating func takeFreed() -> Waiting? {
    waiting.firstIndex { $0.isRendered && !isBehindWaitingText($0.lane, $0.handOff) }
      .map { waiting.remove(at: $0) }
  }

  /// Takes the words that have been awaited for as long as there was time.
  mutating func takeOverdue(at now: BootInstant) -> [Waiting] {
    defer { waiting.removeAll { $0.until <= now } }
    return waiting.filter { $0.until <= now }
  }

  mutating func remove(_ words: Waiting) { waiting.removeAll { $0.number == words.number } }

  /// Takes a later wording that has been rendered, with the words that it replaces; nil if these are over.
  mutating func takeRefresh(_ number: Int) -> (words: Sent, refresh: Refresh)? {
    guard let index = refreshes.firstIndex(where: { $0.number == number }) else { return nil }
    let refresh = refreshes.remove(at: index)
    return sent.first { $0.id == refresh.id }.map { (words: $0, refresh: refresh) }
  }

  /// An announcement is over, or is replaced.
  package mutating func remove(_ id: AnnouncementID) { sent.removeAll { $0.id == id } }

  /// Takes the words that are to be announced again.
  mutating func takeBereft() -> [AnnouncementRequest.Companion] {
    defer { bereft = [] }
    return bereft
  }

  /// A lane is over.
  mutating func forget(_ lane: LaneID) { bereft.removeAll { $0.lane == lane } }

  /// Takes words that have not begun, and frees their places.
  mutating func takeUnbegun(
    at now: BootInstant, where isIncluded: (LaneID, HandOff) -> Bool = { _, _ in true }
  ) -> [Sent] {
    let unbegun = sent.filter { $0.first > now + queuedAhead && isIncluded($0.lane, $0.handOff) }
    sent.removeAll { $0.first > now + queuedAhead && isIncluded($0.lane, $0.handOff) }
    for words in unbegun { layout.withdraw(lane: words.place, owner: words.handOff.id) }
    return unbegun
  }

  // MARK: What is taken back

  /// A lane's session has withdrawn all its cues.
  package mutating func withdraw(_ lane: SpeakingLane, at now: BootInstant) -> WordPlan {
    layout.withdraw(lane: lane.id.serial, at: now)
    sent.removeAll { $0.lane == lane.id && !$0.isShared }
    var plan = WordPlan()
    // Those that another lane has left to it by the same command.
    for words in bereft where words.lane == lane.id {
      plan.effects.append(Self.withdrawn(words.handOff, lane, Self.takenBack))
    }
    bereft.removeAll { $0.lane == lane.id }
    for index in sent.indices.reversed() {
      guard let own = sent[index].participants.firstIndex(where: { $0.lane == lane.id }) else {
        continue
      }
      let handOff = sent[index].participants.remove(at: own).handOff
      let words = sent[index]
      let isBegun = words.first <= now + queuedAhead
      // What has begun is heard to its end, if it is said for anybody else.
      guard !isBegun || words.participants.isEmpty else { continue }
      sent.remove(at: index)
      layout.withdraw(lane: words.place, owner: words.handOff.id)
      if isBegun {
        plan.effects.append(.silence(words.id))
      } else {
        plan.effects.append(.withdraw([words.id]))
        plan.effects.append(Self.withdrawn(handOff, lane, Self.takenBack))
        bereft += words.participants
      }
    }
    for index in waiting.indices.reversed() where waiting[index].lane != lane.id {
      waiting[index].companions.removeAll { companion in
        guard companion.lane == lane.id else { return false }
        plan.effects.append(Self.withdrawn(companion.handOff, lane, Self.takenBack))
        return true
      }
    }
    bereft += waiting.filter { $0.lane == lane.id }.flatMap(\.companions)
    plan.effects +=
      withdrawWaiting(Self.takenBack, of: SpeakingLanes([lane], isComplete: false)) { id, _ in
        id == lane.id
      }
    return plan
  }

  private static let takenBack = "a command took it back"

  /// Some words are not wanted any more: where they have not begun, they are not said.
  package mutating func withdraw(
    _ reason: String, of lanes: SpeakingLanes, at now: BootInstant,
    where isMeant: (LaneID, HandOff) -> Bool
  ) -> WordPlan {
    let unsaid = takeUnbegun(at: now, where: isMeant)
    var plan = WordPlan(effects: [.withdraw(unsaid.map(\.id))])
    for words in unsaid {
      plan.effects.append(Self.withdrawn(words.handOff, lanes[words.lane], reason))
    }
    plan.effects += withdrawWaiting(reason, of: lanes, where: isMeant)
    return plan
  }

  /// Awaited words will not be said any more.
  private mutating func withdrawWaiting(
    _ reason: String, of lanes: SpeakingLanes, where isIncluded: (LaneID, HandOff) -> Bool
  ) -> [WordEffect] {
    let withdrawn = waiting.filter { isIncluded($0.lane, $0.handOff) }
    waiting.removeAll { isIncluded($0.lane, $0.handOff) }
    return withdrawn.flatMap {
      [.stopRendering($0.number), Self.withdrawn($0.handOff, lanes[$0.lane], reason)]
    }
  }

  /// The line in the ledger of words that were withdrawn before they were sent.
  private static func withdrawn(
    _ handOff: HandOff, _ lane: SpeakingLane, _ reason: String
  ) -> WordEffect {
    let request = AnnouncementRequest(handOff, of: lane)
    let said = request.wording(at: request.due).text
    var cue = LaidOutCue(text: said.isEmpty ? request.template ?? "" : said)
    cue.drop(reason)
    cue.outcome = .withdrawn
    return .write(request.announcement(cue, for: request.own))
  }
}
