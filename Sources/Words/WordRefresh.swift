import CueSound
import IntervalTimeline

/// Live values that change while words that say them wait at the mixer.
///
/// Words are sent a second or more before they are heard. What has been sent stays there until a later
/// wording is rendered, so values that change all the time never silence it.
extension WordPlanner {
  /// Words of which no wording has its live values wait for them until they are due; those that are moved to where
  /// their values are too old, as long as they may be said. False where they do not wait.
  mutating func waitsForValues(
    _ request: AnnouncementRequest, _ cue: LaidOutCue, _ turn: inout WordTurn
  ) -> Bool {
    guard cue.outcome == .dropped, request.saysValues, !request.isOverdue else { return false }
    let until =
      request.hasNoValues(at: request.due) ? request.handOff.due : request.latest(turn.speech)
    guard until > turn.now, request.hasNoValues(at: until) else { return false }
    pending.add(
      PendingWords.Waiting(
        number: pending.numberRendering(), handOff: request.handOff, lane: request.lane.id,
        notBefore: request.handOff.earliest, tries: 0, delays: 0, values: nil,
        until: until, lacksValues: true))
    turn.learn(request, nil)
    return true
  }

  /// Live values have changed: words that have not begun are said as the values are now.
  package mutating func valuesChanged(
    of lanes: SpeakingLanes, with speech: (any SpeechSource)?, at now: BootInstant
  ) -> WordPlan {
    var turn = turn(of: lanes, with: speech, at: now)
    for words in pending.waiting where words.lacksValues {
      let request = turn.request(of: words)
      guard !request.hasNoValues(at: request.due) else { continue }
      pending.remove(words)
      announceAll([request], &turn)
    }
    refreshAll(&turn)
    return turn.plan
  }

  mutating func refreshAll(_ turn: inout WordTurn) {
    for words in pending.sent where words.wording != nil && !pending.isRefreshing(words) {
      refresh(words, with: turn.lanes[words.lane].values, tries: 0, &turn)
    }
  }

  /// A later wording has been rendered, whether it could be or not.
  mutating func refreshed(_ number: Int, _ turn: inout WordTurn) {
    guard let (words, refresh) = pending.takeRefresh(number) else { return }
    self.refresh(words, with: refresh.values, tries: refresh.tries, &turn)
    // The values may have changed since.
    refreshAll(&turn)
  }

  /// Replaces words that have not begun by their wording with these values, or has it rendered first. Without
  /// room for it they stay as they are.
  private mutating func refresh(
    _ words: PendingWords.Sent, with values: LiveValues, tries: Int, _ turn: inout WordTurn
  ) {
    guard words.first > turn.now + pending.queuedAhead else { return }
    var request = turn.request(words.handOff, words.lane)
    request.values = values
    request.notBefore = words.first
    request.nameFrom = turn.now + pending.queuedAhead
    let wording = request.wording(at: words.first)
    guard wording != words.wording else { return }
    var layout = pending.layout
    layout.withdraw(lane: words.place, owner: words.handOff.id)
    let others = turn.others(beside: request, pending.waiting)
    let mayWait = canWait && tries < Self.maxTries
    let cue = WordPlacing(speech: turn.speech, mayWait: mayWait)
      .layOut(request, among: others, in: &layout)
    guard cue.missing.isEmpty else {
      let number = pending.numberRendering()
      pending.add(
        PendingWords.Refresh(number: number, id: words.id, values: values, tries: tries + 1))
      turn.plan.effects.append(
        .render(
          number, cue.missing,
          SpeechUrgency(rank: words.handOff.speechRank, by: words.first), for: words.lane))
      return
    }
    // Without a value there is nothing true to say.
    guard !cue.parts.isEmpty || wording.texts.isEmpty else { return }
    pending.layout = layout
    pending.remove(words.id)
    turn.plan.effects.append(.withdraw([words.id]))
    send(cue, of: request, &turn)
  }
}
