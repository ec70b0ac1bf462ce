import CueSound
import IntervalTimeline
import Words

/// Connects the lanes with the planner of their words: passes it what it has to know, and performs what it
/// decides.
extension LanePerformer {
  /// Announces the words that were handed off, lane by lane, and prepares the next ones.
  ///
  /// - Parameter isCommand: words of all lanes that have not begun make room for more important ones.
  mutating func announce(
    _ words: [(lane: LaneID, handOffs: [HandOff])], at now: BootInstant, isCommand: Bool = false
  ) {
    var concerned = Set(words.map(\.lane))
    let wanted = words.flatMap { lane, handOffs in handOffs.map { (lane: lane, handOff: $0) } }
    if isCommand || !wanted.isEmpty || planner.pending.hasBereft {
      let plan = planner.announce(
        wanted, of: speakers(concerned), with: source, at: now, isCommand: isCommand)
      apply(plan)
      concerned.formUnion(plan.feedback.keys)
    }
    for lane in concerned.sorted() {
      endIfOver(lane)
      prepare(lane, at: now)
    }
  }

  /// From now on the coach does not wait for words to be rendered: `ready` is called from another thread
  /// when they have been. The holder then calls `announceWaiting`.
  mutating func waitForWords(_ ready: @escaping @Sendable (Int) -> Void) {
    outbox.wordsAreReady = ready
    planner.canWait = true
  }

  /// Announces words that were awaited, whether they could be rendered or not.
  mutating func announceWaiting(_ number: Int, at instant: BootInstant) {
    takeReports()
    applyWords(
      planner.rendered(number, of: speakers(), with: source, at: max(instant, lastSeen)))
  }

  /// Words that are laid out and say a live value are laid out again.
  mutating func announceChangedValues(of some: [LaneID], at now: BootInstant) {
    applyWords(planner.valuesChanged(of: speakers(Set(some)), with: source, at: now))
  }

  /// Of renderings that are done, the one whose words are needed first; nil for none.
  func mostUrgent(of rendered: [Int]) -> Int? {
    rendered.min { planner.pending.deadline(of: $0) < planner.pending.deadline(of: $1) }
  }

  /// What is there of words that take too long to render is announced without the rest.
  mutating func endWaiting(at now: BootInstant) {
    guard planner.pending.isOverdue(at: now) else { return }
    applyWords(planner.endWaiting(of: speakers(), with: source, at: now))
  }

  private mutating func applyWords(_ plan: WordPlan) {
    apply(plan)
    for lane in plan.feedback.keys.sorted() { endIfOver(lane) }
  }

  /// The words of a coach that waits for none, or of one that has time for all.
  var source: (any SpeechSource)? {
    guard let speech = outbox.speech else { return nil }
    return planner.canWait ? RenderedSpeech(speech) : SpeechOnTheSpot(speech)
  }

  /// The question whether to stop has been answered, by another key or by none: if it has not been asked
  /// yet, it is withdrawn.
  mutating func withdrawQuestion(at instant: BootInstant) {
    let now = advance(to: instant)
    apply(
      planner.pending.withdraw("the question is over", of: speakers(), at: now) {
        $1.cue.content == .stopQuestion
      })
    for lane in lanes.ids { endIfOver(lane) }
  }

  /// What is said of stopped workouts makes way for whatever somebody does next. What is being said fades out.
  mutating func withdrawFarewells(at instant: BootInstant) {
    let now = max(instant, lastSeen)
    for lane in lanes.ids(in: .stopped) {
      mixerClient.withdraw(lane: lane, at: now)
      apply(planner.pending.withdraw(lanes.speaking(lane), at: now))
      endIfOver(lane)
    }
  }

  /// Performs what the planner has decided, and reports it to the sessions.
  mutating func apply(_ plan: WordPlan) {
    for (lane, feedback) in plan.feedback { lanes[lane].session.learn(feedback) }
    for effect in plan.effects {
      switch effect {
      case .send(let words, let others):
        let lane = words.id.lane
        mixerClient.send(
          LedgerEvent.CueEntry(words), words.cue.parts, lane: lane, words: words.id,
          gain: lanes[lane].style.voice.gain,
          with: others.map { SharedEntry(entry: LedgerEvent.CueEntry($0), id: $0.id) })
      case .silence(let announcement): mixerClient.silence(announcement)
      case .withdraw(let announcements): mixerClient.withdraw(announcements)
      case .render(let number, let orders, let urgency, let lane):
        outbox.append(.render(number, orders, urgency, for: lane))
      case .stopRendering(let number): outbox.append(.stopRendering(number))
      case .write(let words):
        write(LedgerEvent.CueEntry(words), of: words.id.lane, words: words.id)
      case .asked(let until): outbox.append(.emit(.asked(until: until)))
      }
    }
    outbox.effects += mixerClient.spoken.take().map { .speak($0) }
  }

  /// The lanes that compete: `some`, and those whose words may be withdrawn, at least.
  func speakers(_ some: Set<LaneID> = []) -> SpeakingLanes {
    lanes.speakers(atLeast: some.union(planner.pending.lanes))
  }

  /// Requests the words to come and notes when the lane wants its next check.
  private mutating func prepare(_ id: LaneID, at now: BootInstant) {
    guard lanes.contains(id) else { return }
    guard outbox.speech != nil, !lanes[id].isOver else {
      lanes[id].wakesAt = lanes[id].isOver ? .never : lanes[id].session.nextEvent
      return
    }
    // Where words are rendered on the spot, they are measured on the spot.
    let (rendered, measured) = lanes.lookAhead(id, measures: planner.canWait, at: now)
    if let rendered { outbox.append(.prefetch(rendered, lanes[id].style.voice, id)) }
    if let measured { outbox.append(.measure(measured, lanes[id].style.voice, id)) }
  }
}
