import CueSound
import IntervalTimeline

/// Live values that change while words that say them wait at the mixer.
///
/// Words are sent a second or more before they are heard. What has been sent stays there until a later
/// wording is rendered, so values that change all the time never silence it.
extension WordPlanner {
  /// A later wording of words that have been sent, which is being rendered.
  struct Refresh {
    let number: Int
    let id: AnnouncementID
    let values: LiveValues
    let tries: Int
  }

  /// Whether any of these lanes has words at the mixer that say live values, or words that wait for some.
  func saysValues(_ lanes: Set<LaneID>) -> Bool {
    sent.contains { $0.saysValues && lanes.contains($0.lane) }
      || waiting.contains { $0.lacksValues && lanes.contains($0.lane) }
  }

  /// Words of which no wording has its live values wait for them until they are due. False where they do not.
  mutating func waitsForValues(
    _ request: AnnouncementRequest, _ cue: LaidOutCue, _ turn: inout Turn
  ) -> Bool {
    guard cue.outcome == .dropped, request.saysValues, !request.isOverdue,
      request.handOff.due > turn.now, request.wording(at: request.due).texts.isEmpty
    else { return false }
    waiting.append(
      WaitingWords(
        number: nextNumber, handOff: request.handOff, lane: request.lane.id,
        notBefore: request.handOff.earliest, tries: 0, delays: 0, values: nil,
        until: request.handOff.due, lacksValues: true))
    nextNumber += 1
    turn.learn(request, nil)
    return true
  }

  /// Live values have changed: words that have not begun are said as the values are now.
  mutating func valuesChanged(
    of lanes: SpeakingLanes, with speech: (any SpeechSource)?, at now: BootInstant
  ) -> WordPlan {
    var turn = turn(of: lanes, with: speech, at: now)
    for words in waiting where words.lacksValues {
      let request = request(of: words, turn)
      guard !request.wording(at: request.due).texts.isEmpty else { continue }
      waiting.removeAll { $0.number == words.number }
      announceAll([request], &turn)
    }
    refreshAll(&turn)
    return turn.plan
  }

  mutating func refreshAll(_ turn: inout Turn) {
    for words in sent where words.saysValues && !refreshes.contains(where: { $0.id == words.id }) {
      refresh(words, with: turn.lanes[words.lane].values, tries: 0, &turn)
    }
  }

  /// A later wording has been rendered, whether it could be or not.
  mutating func refreshed(_ number: Int, _ turn: inout Turn) {
    guard let index = refreshes.firstIndex(where: { $0.number == number }) else { return }
    let refresh = refreshes.remove(at: index)
    guard let words = sent.first(where: { $0.id == refresh.id }) else { return }
    self.refresh(words, with: refresh.values, tries: refresh.tries, &turn)
    // The values may have changed since.
    refreshAll(&turn)
  }

  /// Replaces words that have not begun by their wording with these values, or has it rendered first. Without
  /// room for it they stay as they are.
  private mutating func refresh(
    _ words: SentWords, with values: LiveValues, tries: Int, _ turn: inout Turn
  ) {
    guard words.first > turn.now + queuedAhead else { return }
    var request = turn.request(words.handOff, words.lane)
    request.values = values
    request.notBefore = words.first
    request.nameFrom = turn.now + queuedAhead
    let wording = request.wording(at: words.first)
    guard wording != words.wording else { return }
    let former = layout
    layout.withdraw(lane: words.place, owner: words.handOff.id)
    let others = waitingRequests(beside: request, turn) + upcoming(beside: request, &turn)
    let mayWait = canWait && tries < Self.maxTries
    let cue = WordPlacing(speech: turn.speech, mayWait: mayWait)
      .layOut(request, among: others, in: &layout)
    guard cue.missing.isEmpty else {
      layout = former
      refreshes.append(
        Refresh(number: nextNumber, id: words.id, values: values, tries: tries + 1))
      turn.plan.effects.append(
        .render(
          nextNumber, cue.missing,
          SpeechUrgency(rank: words.handOff.speechRank, by: words.first), for: words.lane))
      nextNumber += 1
      return
    }
    // Without a value there is nothing true to say.
    guard !cue.parts.isEmpty || wording.texts.isEmpty else {
      layout = former
      return
    }
    sent.removeAll { $0.id == words.id }
    turn.plan.effects.append(.withdraw([words.id]))
    send(cue, of: request, &turn)
  }
}
