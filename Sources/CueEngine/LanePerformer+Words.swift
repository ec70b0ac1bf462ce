import CueSound
import IntervalTimeline

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
        wanted, of: speakingLanes(concerned), with: source, at: now, isCommand: isCommand)
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
      planner.rendered(number, of: speakingLanes([]), with: source, at: max(instant, lastSeen)))
  }

  /// Words that are laid out and say a live value are laid out again.
  mutating func announceChangedValues(of some: [LaneID], at now: BootInstant) {
    applyWords(planner.valuesChanged(of: speakingLanes(Set(some)), with: source, at: now))
  }

  /// Of renderings that are done, the one whose words are needed first; nil for none.
  func mostUrgent(of rendered: [Int]) -> Int? {
    rendered.min { planner.pending.deadline(of: $0) < planner.pending.deadline(of: $1) }
  }

  /// What is there of words that take too long to render is announced without the rest.
  mutating func endWaiting(at now: BootInstant) {
    guard planner.pending.isOverdue(at: now) else { return }
    applyWords(planner.endWaiting(of: speakingLanes([]), with: source, at: now))
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
      planner.pending.withdraw("the question is over", of: speakingLanes([]), at: now) {
        $1.cue.content == .stopQuestion
      })
    for lane in lanes.ids { endIfOver(lane) }
  }

  /// What is said of stopped workouts makes way for whatever somebody does next. What is being said fades out.
  mutating func withdrawFarewells(at instant: BootInstant) {
    let now = max(instant, lastSeen)
    for lane in lanes.ids(in: .stopped) {
      mixerClient.withdraw(lane: lane)
      apply(planner.pending.withdraw(speakingLane(lane), at: now))
      endIfOver(lane)
    }
  }

  /// Performs what the planner has decided, and reports it to the sessions.
  mutating func apply(_ plan: WordPlan) {
    for (lane, feedback) in plan.feedback { lanes[lane].session.learn(feedback) }
    for effect in plan.effects {
      switch effect {
      case .send(let entry, let parts, let id, let others):
        mixerClient.send(
          entry, parts, lane: id.lane, words: id, gain: lanes[id.lane].style.voice.gain,
          with: others)
      case .silence(let announcement): mixerClient.silence(announcement)
      case .withdraw(let announcements): mixerClient.withdraw(announcements)
      case .render(let number, let orders, let urgency, let lane):
        outbox.append(.render(number, orders, urgency, for: lane))
      case .stopRendering(let number): outbox.append(.stopRendering(number))
      case .write(let entry, let id): write(entry, of: id.lane, words: id)
      case .asked(let until): outbox.append(.emit(.asked(until: until)))
      }
    }
  }

  // MARK: What the planner has to know

  /// All lanes if they are few enough for their next words to be considered; else `some` and those whose
  /// words may be withdrawn.
  func speakingLanes(_ some: Set<LaneID>) -> SpeakingLanes {
    let isComplete = lanes.count <= WordPlanner.maximumForesight
    let ids = isComplete ? lanes.ids : some.union(planner.pending.lanes).sorted()
    return SpeakingLanes(
      ids.filter(lanes.contains).map(speakingLane), isComplete: isComplete)
  }

  func speakingLane(_ id: LaneID) -> SpeakingLane {
    SpeakingLane(
      id: id, name: lanes[id].name, session: lanes[id].session, style: lanes[id].style,
      values: lanes[id].values, speaker: lanes.count > 1 ? lanes[id].name : nil,
      beep: lanes[id].sounds[.count])
  }

  // MARK: Ahead of their time

  /// The lane with the name that its next words begin with, where others in step with it will say the same.
  private func lookingAhead(_ id: LaneID) -> SpeakingLane {
    var lane = speakingLane(id)
    guard lane.speaker != nil, lanes.count <= WordPlanner.maximumForesight else { return lane }
    let going = lanes.ids.filter { lanes[$0].session.state == lane.session.state }
    let together = going.filter {
      lanes[$0].session.isInStep(with: lane.session) && lanes[$0].style == lane.style
    }
    guard together.count > 1 else { return lane }
    lane.speaker =
      together.count == going.count || together.count > AnnouncementRequest.mostNames
      ? nil : together.map { lanes[$0].name }.joined(separator: ", ")
    return lane
  }

  /// Requests the words to come and notes when the lane wants its next check.
  private mutating func prepare(_ id: LaneID, at now: BootInstant) {
    guard lanes.contains(id) else { return }
    guard !lanes[id].isOver else {
      lanes[id].wakesAt = .never
      return
    }
    guard outbox.speech != nil else {
      lanes[id].wakesAt = lanes[id].session.nextEvent
      return
    }
    let voice = lanes[id].style.voice
    if now >= lanes[id].lookAhead.rendersAt {
      let lane = lookingAhead(id)
      outbox.append(.prefetch(lanes[id].lookAhead.textsToRender(lane, at: now), voice, id))
    }
    // Where words are rendered on the spot, they are measured on the spot.
    if planner.canWait, now >= lanes[id].lookAhead.measuresAt {
      let lane = lookingAhead(id)
      outbox.append(.measure(lanes[id].lookAhead.textsToMeasure(lane, at: now), voice, id))
    }
    let lookAhead = lanes[id].lookAhead
    lanes[id].wakesAt = min(
      lanes[id].session.nextEvent, lookAhead.rendersAt,
      planner.canWait ? lookAhead.measuresAt : .never)
  }

  /// What some lanes say first, in order of time, and in which voice; nil: all lanes.
  func firstWords(
    of some: [LaneID]? = nil, at now: BootInstant
  ) -> [(wording: CueWording, voice: SpeechVoice, owner: SpeechQueue.Owner)] {
    (some?.filter(lanes.contains) ?? lanes.ids).flatMap { id in
      LookAhead.firstWordings(lookingAhead(id), at: now, keptAt: lanes[id].keptAt).map {
        ($0.wait, ($0.wording, lanes[id].style.voice, outbox.speechOwner(id)))
      }
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
