import CueSound
import IntervalTimeline

/// What is taken back: words of a lane whose session has withdrawn them, and words that make room for others.
///
/// Words that several lanes share are withdrawn for one of them only: if they have not begun, they are announced again
/// without it; if they have, the others hear them to their end.
extension WordPlanner {
  /// A lane's session has withdrawn all its cues.
  mutating func withdraw(_ lane: SpeakingLane, at now: BootInstant) -> WordPlan {
    layout.withdraw(lane: lane.id.serial, at: SoundInstant(now))
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
  mutating func withdraw(
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

  /// An announcement is over.
  mutating func closed(_ id: AnnouncementID) { sent.removeAll { $0.id == id } }

  /// Withdraws the words of every lane that have not begun, to be announced anew.
  mutating func withdrawUnbegun(_ turn: inout Turn) -> [AnnouncementRequest] {
    let unbegun = takeUnbegun(at: turn.now)
    if !unbegun.isEmpty { turn.plan.effects.append(.withdraw(unbegun.map(\.id))) }
    for words in unbegun { turn.withdrawn[words.id] = words }
    return unbegun.flatMap(\.participants).map { turn.requestFromNow($0.handOff, $0.lane) }
  }

  /// Removes words that have not begun from what was sent, and frees their places.
  private mutating func takeUnbegun(
    at now: BootInstant, where isIncluded: (LaneID, HandOff) -> Bool = { _, _ in true }
  ) -> [SentWords] {
    let unbegun = sent.filter { $0.first > now + queuedAhead && isIncluded($0.lane, $0.handOff) }
    sent.removeAll { $0.first > now + queuedAhead && isIncluded($0.lane, $0.handOff) }
    for words in unbegun { layout.withdraw(lane: words.place, owner: words.handOff.id) }
    return unbegun
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
    return .write(LedgerEvent.CueEntry(cue, of: handOff, lane: lane.name), request.id)
  }
}
