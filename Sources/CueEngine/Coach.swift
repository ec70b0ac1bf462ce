import CueSound
import IntervalTimeline

/// The lanes, the client of the mixer and the ledger: everything of a run but the clock and the threads.
///
/// Its holder passes it the time, so the same code serves a timer, a rendering to a file and a test. It takes commands
/// and checks; a `LanePerformer` does what the sessions want then. It calls nothing outside while its state changes:
/// the last step of each entry point delivers the effects.
package struct Coach {
  let sounds: SoundPack
  var performer: LanePerformer
  /// Linear gain over everything, 0…1.
  private(set) var volume: Float = 1

  package init(
    link: MixerLink, sounds: SoundPack, speech: SpeechLibrary?, settings: CueEngine.Settings,
    engine: Int = 0, write: @escaping @Sendable (LedgerEvent) -> Void,
    emit: @escaping @Sendable (EngineEvent) -> Void,
    keep: (@Sendable (LaneID, SessionRecord) -> Void)? = nil
  ) {
    self.sounds = sounds
    performer = LanePerformer(
      MixerClient(link), outbox: Outbox(speech: speech, write: write, emit: emit, keep: keep),
      settings: settings, engine: engine)
  }

  var settings: CueEngine.Settings { performer.settings }
  var lanes: LaneTable { performer.lanes }

  /// Does something with the lanes outside of a command, and performs what comes of it.
  mutating func withPerformer<Result>(_ body: (inout LanePerformer) -> Result) -> Result {
    defer { performer.outbox.deliver() }
    return body(&performer)
  }

  /// Adds a lane; with `record` one that has run before and waits for `restore`.
  @discardableResult
  package mutating func addLane(
    _ name: String, timeline: Timeline, style: LaneStyle, sounds: SoundPack? = nil,
    restoring record: SessionRecord? = nil
  ) throws(LaneError) -> LaneID {
    guard NameRule.workout.allows(name) else { throw .name(name) }
    guard !lanes.hasName(name) else { throw .nameTaken(name) }
    guard lanes.ids.count < CueEngine.maxLanes else {
      throw .full(limit: CueEngine.maxLanes)
    }
    let sounds = sounds ?? self.sounds
    guard sounds.rate == self.sounds.rate else {
      throw .sampleRate(sounds.rate, expected: self.sounds.rate)
    }
    if let misuse = style.misuse { throw .style(misuse) }
    let id = performer.lanes.nextID
    guard
      let lane = Lane(
        id: id, name: name, timeline: timeline, style: style, sounds: sounds,
        settings: settings, horizon: performer.horizon, restoring: record)
    else { throw .otherWorkout }
    performer.add(lane)
    return id
  }

  /// Restores lanes that have run before.
  @discardableResult
  mutating func restore(
    _ some: [CueEngine.Restoration], at instant: BootInstant
  ) -> CommandAnswer {
    guard let first = some.map(\.lane).first(where: lanes.contains) else {
      return some.isEmpty ? .noLane : .unknownLane
    }
    var answer = CommandAnswer.noEffect(lanes[first].state)
    let now = performer.advance(to: instant)
    var words: [(lane: LaneID, handOffs: [HandOff])] = []
    for (lane, mode, alive) in some
    where lanes.contains(lane) && lanes[lane].awaitsRestoring {
      answer = .done
      let (before, effects) = performer.lanes[lane].restore(mode, alive: alive, at: now)
      performer.outbox.record(
        .restored(
          lane: lanes[lane].name, at: now,
          isHeld: lanes[lane].state == .paused))
      performer.lanes[lane].lookAheadAgain(at: now)
      performer.lanes[lane].hasChanged = true
      let status = lanes.status(of: lane, at: now)
      performer.outbox.append(
        .emit(.restored(status, passed: before + 1..<max(before + 1, status.phase))))
      words.append(
        (
          lane,
          performer.perform(
            effects.filter { effect in
              if case .phaseBegan(let phase, _) = effect { phase >= status.phase } else { true }
            }, lane: lane, at: now)
        ))
    }
    performer.announce(words, at: now)
    performer.sendTicks(at: now)
    performer.saveChanges(at: now)
    performer.outbox.deliver()
    return answer
  }

  /// The machine has slept: running lanes are paused where the sleep began, and say where they are.
  mutating func wakeUp(after sleep: Duration, at now: BootInstant) {
    let running = lanes.ids(in: .running)
    guard !running.isEmpty else { return }
    obey(.pause, lanes: running, at: now - sleep)
    obey(.whereAmI, lanes: running, at: now)
    performer.outbox.append(.emit(.slept(sleep)))
    performer.outbox.deliver()
  }

  /// Sets the master volume, a linear gain; values outside 0…1 are clamped.
  mutating func setVolume(_ gain: Float) {
    let gain = min(1, max(0, gain))
    guard gain != volume else { return }
    volume = gain
    performer.mixerClient.setVolume(gain)
    performer.outbox.append(.emit(.volumeChanged(gain)))
    performer.outbox.deliver()
  }

  /// True while something is still to be heard or reported.
  var isRunning: Bool {
    performer.planner.pending.isWaiting || lanes.hasAny(in: .running)
      || performer.mixerClient.isBusy
  }

  var activity: OutputActivity {
    if isRunning { return .running }
    return lanes.hasAny(in: .paused) ? .paused : .idle
  }

  // MARK: Checks and commands

  /// The 0.5 s check. True when it has handed something off.
  ///
  /// - Parameter stall: how long there has been no check, where that was far too long: running lanes say
  ///   where they are.
  @discardableResult
  package mutating func check(at instant: BootInstant, after stall: Duration? = nil) -> Bool {
    let sent = performer.mixerClient.handedOver
    let now = performer.advance(to: instant)
    performer.mixerClient.watchOutput(at: now, every: settings.checkInterval)
    performer.takeReports()
    var words: [(lane: LaneID, handOffs: [HandOff])] = []
    let stalled = stall == nil ? [] : lanes.ids(in: .running)
    for lane in stalled { performer.lanes[lane].wakesAt = now }
    for lane in lanes.due(at: now) {
      let hasStalled = stall != nil && lanes[lane].state == .running
      let effects = performer.lanes[lane].session.check(at: now, hasStalled: hasStalled)
      words.append((lane, performer.perform(effects, lane: lane, at: now)))
    }
    performer.announce(words, at: now)
    handOff(performer.messages.takeDue(before: now + performer.horizon), now)
    performer.coachTargets(at: now)
    performer.sendTicks(at: now)
    for (lane, count) in performer.messages.refusals.takeDue(at: now) {
      performer.recordRefusals(count, of: lane)
    }
    performer.endWaiting(at: now)
    if let stall, !stalled.isEmpty { performer.outbox.append(.emit(.stalled(stall))) }
    performer.saveChanges(at: now)
    if let failure = performer.outbox.speech?.takeFailure() {
      performer.outbox.append(.emit(.speechFailed(failure)))
    }
    performer.outbox.deliver()
    return performer.mixerClient.handedOver != sent
  }

  /// Obeys a command. `start` may lie ahead of now.
  @discardableResult
  package mutating func handle(
    _ command: Command, lane: LaneID, at instant: BootInstant
  ) -> CommandAnswer {
    handle(command, lanes: [lane], at: instant).answer
  }

  /// Gives the command to some lanes at one instant. The sounds of all lanes go out before any words.
  @discardableResult
  mutating func handle(
    _ command: Command, lanes some: [LaneID], at instant: BootInstant
  ) -> CommandResult {
    let result = obey(command, lanes: some, at: instant)
    performer.outbox.deliver()
    return result
  }

  @discardableResult
  private mutating func obey(
    _ command: Command, lanes some: [LaneID], at instant: BootInstant
  ) -> CommandResult {
    // A command may have waited for a check of a later instant. A start may lie ahead.
    let seen = performer.advance(to: command == .start ? performer.lastSeen : instant)
    let instant = max(instant, seen)
    guard let first = some.first(where: lanes.contains) else {
      return CommandResult(answer: some.isEmpty ? .noLane : .unknownLane)
    }
    var result = withoutEffect(
      first, paused: command == .rep ? paused(some, waitingFor: nil, at: instant) : nil)
    performer.withdrawFarewells(at: instant)
    var words: [(lane: LaneID, handOffs: [HandOff])] = []
    var given: Set<LaneID> = []
    for lane in some where lanes.contains(lane) && given.insert(lane).inserted {
      let effects = performer.lanes[lane].session.handle(command, at: instant)
      performer.lanes[lane].coaching.follow(performer.lanes[lane].session, at: instant)
      if command == .stop, lanes[lane].state == .ready {
        performer.removeUnstarted(lane, at: instant)
        result.answer = .done
        continue
      }
      performer.lanes[lane].lookAheadAgain(at: instant)
      let known = performer.outbox.effects.count
      words.append((lane, performer.perform(effects, lane: lane, at: instant)))
      for case .emit(.obeyed(command, let status)) in performer.outbox.effects[known...] {
        result.note(status)
      }
      if lanes[lane].state == .stopped { performer.dropMessages(of: lane) }
    }
    performer.announce(words, at: instant, isCommand: true)
    performer.sendTicks(at: instant)
    performer.saveChanges(at: instant)
    for lane in given
    where lanes.contains(lane) && lanes[lane].state == .stopped {
      if performer.planner.pending.hasWords(of: lane) { performer.end(lane) }
    }
    return result
  }

  /// The lane that a signal, or with nil a repetition, would concern if it were not paused.
  private func paused(
    _ some: [LaneID], waitingFor signal: String?, at now: BootInstant
  ) -> LaneStatus? {
    some.first {
      lanes.contains($0) && lanes[$0].session.progress.isPaused(waitingFor: signal, at: now)
    }.map { lanes.status(of: $0, at: now) }
  }

  private func withoutEffect(_ first: LaneID, paused: LaneStatus?) -> CommandResult {
    CommandResult(
      answer: .noEffect(paused?.state ?? lanes[first].state), paused: paused)
  }

  /// Passes a signal from outside to one lane, or with nil to all of them at one instant.
  package mutating func signal(
    _ name: String, lane: LaneID?, at instant: BootInstant
  ) -> CommandResult {
    defer { performer.outbox.deliver() }
    let now = performer.advance(to: instant)
    let some = lane.map { [$0] } ?? lanes.ids
    guard let first = some.first(where: lanes.contains) else {
      return CommandResult(answer: some.isEmpty ? .noLane : .unknownLane)
    }
    var result = withoutEffect(first, paused: paused(some, waitingFor: name, at: now))
    var words: [(lane: LaneID, handOffs: [HandOff])] = []
    for id in some where lanes.contains(id) {
      let effects = performer.lanes[id].session.signal(name, at: now)
      performer.lanes[id].lookAheadAgain(at: now)
      let known = performer.outbox.effects.count
      words.append((id, performer.perform(effects, lane: id, at: now)))
      for case .emit(.signalled(name, let status)) in performer.outbox.effects[known...] {
        result.note(status)
      }
    }
    performer.announce(words, at: now, isCommand: result.answer == .done)
    performer.sendTicks(at: now)
    performer.saveChanges(at: now)
    return result
  }
}
