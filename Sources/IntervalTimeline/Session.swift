/// One workout being run: a state machine that receives the time and returns effects.
///
/// `check(at:)` is called every 0.5 s or so, `handle(_:at:)` for each command. A check hands off
/// every cue that is due before now + the horizon and has not been handed off; the frequency and
/// regularity of the calls do not change what is heard. The caller performs the effects in order.
package struct Session: Sendable {
  /// 1.5 s, three check intervals: two checks may be skipped without losing a cue.
  package static let defaultHorizon = Duration.milliseconds(1500)

  /// Which cues the phases have, fixed from the start.
  package let plan: CuePlan
  /// What has been done and counted. Commands go through `handle`.
  package internal(set) var progress: WorkoutProgress
  var scan: CueScan
  var answers: Answers

  /// After a longer pause everything is told in full again.
  private static let forgetting = Duration.seconds(60)

  /// A session that is `ready`: `handle(.start, at:)` starts it.
  /// - Parameters:
  ///   - timeline: the workout, laid out.
  ///   - plan: which cues its phases have.
  ///   - window: no announcement is repeated within this time (`CueGate`).
  ///   - horizon: how far ahead cues are handed off: longer than the time between two checks.
  ///   - acknowledged: the commands that are confirmed aloud.
  ///   - responseTime: how much later than a command its answer can be heard: the output's latency.
  package init(
    _ timeline: Timeline, plan: CuePlan = CuePlan(), window: Duration = .seconds(10),
    horizon: Duration = Session.defaultHorizon, acknowledged: Set<Acknowledgement> = [],
    responseTime: Duration = .zero
  ) {
    progress = WorkoutProgress(timeline)
    scan = CueScan(AnnouncementMemory(window: window), horizon: horizon)
    answers = Answers(acknowledged: acknowledged, responseTime: responseTime)
    self.plan = plan
  }

  /// Where the workout is. Commands go through `handle`.
  package var transport: Transport { _read { yield progress.transport } }

  /// The workout, laid out, as it was given.
  package var timeline: Timeline { transport.timeline }
  /// The earliest instant at which a check has something to do; the far future if nothing is due.
  package var nextEvent: BootInstant {
    state == .running ? scan.quietUntil : BootInstant(nanoseconds: .max)
  }
  /// What commands are possible; shorthand for the transport's.
  package var state: Transport.State { transport.state }

  // MARK: Checks

  /// Performs a check. Returns nothing unless the workout is running.
  ///
  /// - Parameter hasStalled: true if checks were missing for so long that the coach says the
  ///   position, even if no boundary was missed.
  package mutating func check(at now: BootInstant, hasStalled: Bool = false) -> [SessionEffect] {
    guard state == .running, now >= scan.quietUntil || hasStalled else { return [] }
    let wasUnderWay = now >= transport.started
    var effects: [SessionEffect] = []
    let missed = handOffCues(at: now, into: &effects)
    followPhases(to: now, into: &effects)
    // Once the workout is over, the finish announcement says so, unless it was missed.
    let needsPosition = missed.boundary || (hasStalled && wasUnderWay)
    if missed.finish || (needsPosition && state == .running) {
      say(answers.afterStall(in: transport, plan, at: now), at: now, into: &effects)
    }
    return effects
  }

  /// Hands off every cue that is due. Returns what was missed.
  mutating func handOffCues(
    at now: BootInstant, into effects: inout [SessionEffect]
  ) -> CueScan.Missed {
    scan.handOffCues(at: now, in: transport, plan, progress.outcomes, into: &effects)
  }

  /// Reports every phase that began or ended since the last call, and the finish.
  mutating func followPhases(to now: BootInstant, into effects: inout [SessionEffect]) {
    guard now >= transport.started else { return scan.wake(by: transport.started) }
    while let instant = progress.unreportedBeginning(by: now) {
      if let end = progress.endReported(at: instant) {
        effects.append(end.effect)
        sayTotal(end.total, at: now, into: &effects)
      }
      effects.append(progress.begin(at: instant))
    }
    if state == .running, let end = transport.start(of: transport.position(at: now).phase + 1) {
      scan.wake(by: transport.nominalInstant(of: end))
    }
  }

  // MARK: Commands

  /// Obeys a command. A command that makes no sense in the current state changes nothing.
  ///
  /// `start` may lie in the future, so that the sound is running when the workout begins.
  package mutating func handle(_ command: Command, at now: BootInstant) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    if state == .running { followPhases(to: now, into: &effects) }
    switch (command, state) {
    case (.start, .ready):
      effects.append(.obeyed(.start, at: now))
      progress.start(at: now)
      scan.rescan(at: now, in: transport, plan)
    case (.pause, .running):
      effects += [.obeyed(.pause, at: now), .withdraw]
      scan.withdraw(at: now, keepsPlace: true)
      progress.pause(at: now)
      acknowledge(.pause, at: now, into: &effects)
    case (.resume, .paused):
      // Words about the pause are not true any more.
      effects += [.obeyed(.resume, at: now), .withdraw]
      if let since = transport.pausedSince, since.duration(to: now) > Self.forgetting {
        scan.told.familiarity = Familiarity()
      }
      progress.resume(at: now)
      scan.rescan(at: now, in: transport, plan)
      acknowledge(.resume, at: now, into: &effects)
    case (.next, .running) where progress.phase(at: now)?.countsRounds == true:
      countRepetition(by: .next, at: now, into: &effects)
    case (.next, .running), (.next, .paused):
      effects += [.obeyed(.next, at: now), .withdraw]
      endPhase(as: progress.outcomeOfNext(at: now), at: now, into: &effects)
      acknowledge(.next, at: now, into: &effects)
    case (.back, .running), (.back, .paused):
      let target = transport.backTarget(at: now)
      effects += [.obeyed(.back, at: now), .withdraw]
      scan.goBack(to: timeline.entries[target])
      move(to: target, at: now, into: &effects)
      acknowledge(.back, at: now, into: &effects)
    case (.rep, .running): countRepetition(at: now, into: &effects)
    case (.whereAmI, .running), (.whereAmI, .paused), (.whereAmI, .finished):
      guard let answer = answers.whereAmI(id: scan.nextID, in: transport, at: now) else { break }
      effects += [.obeyed(command, at: now), answer]
      if case .handOff = answer { _ = scan.takeID() }
    case (.sayTime, .running), (.sayTime, .paused), (.sayTime, .finished),
      (.sayName, .running), (.sayName, .paused), (.sayName, .finished),
      (.askStop, .running), (.askStop, .paused), (.askStop, .finished):
      effects.append(.obeyed(command, at: now))
      say(answers.spoken(on: command), at: now, into: &effects)
    case (.stop, .running), (.stop, .paused):
      effects += [.obeyed(.stop, at: now), .withdraw]
      progress.stop(at: now)
      say(answers.farewell(in: transport, plan, at: now), at: now, into: &effects)
    case (.stop, .finished):
      // The last words are cut off; the workout stays finished.
      effects += [.obeyed(.stop, at: now), .withdraw]
    default:
      return effects
    }
    return concluded(effects, at: now)
  }

  /// The effects of a command, and what follows it at once.
  mutating func concluded(_ effects: [SessionEffect], at now: BootInstant) -> [SessionEffect] {
    if effects.contains(.withdraw) { answers.withdraw() }
    // Cues that are due from here on belong to the same answer.
    return effects + check(at: now)
  }

  mutating func move(to phase: Int, at now: BootInstant, into effects: inout [SessionEffect]) {
    effects.append(progress.move(to: phase, at: now))
    scan.move(to: phase, at: now, in: transport, plan)
    // A check of a finished session does nothing, so the cues of the finish are handed off here.
    if phase == timeline.count { _ = handOffCues(at: now, into: &effects) }
  }

  // MARK: Answers

  /// Hands off a text that somebody has sent. Nothing before the start.
  ///
  /// - Parameter due: when it should begin; nil: as soon as it can.
  package mutating func say(
    _ message: Message, due: BootInstant? = nil, at now: BootInstant
  ) -> [SessionEffect] {
    guard [.running, .paused, .finished].contains(state) else { return [] }
    var effects: [SessionEffect] = []
    var answer = answers.message(message, due: due, at: now)
    // Of an alarm too: its sound has been heard, and its words are decided anew where they found no room.
    if message.coaching != nil { answer.limit = firstBeep(at: now) }
    say(answer, at: now, into: &effects)
    return effects
  }

  /// When the countdown of beeps to the running phase's end begins or began; nil where there is none.
  package func firstBeep(at now: BootInstant) -> BootInstant? {
    let here = transport.position(at: now)
    let first = scan.cues(of: here.phase, in: transport, plan).first {
      if case .countdown = $0.content { true } else { false }
    }
    return first.map { transport.nominalInstant(of: here.phaseStart + $0.at) }
  }

  mutating func say(
    _ answer: Answers.Answer?, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    guard let answer else { return }
    effects.append(.handOff(answers.handOff(answer, id: scan.takeID(), in: transport, at: now)))
  }

  /// Confirms a command aloud, if that is configured.
  private mutating func acknowledge(
    _ command: Acknowledgement, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    for answer in answers.confirmation(of: command, in: transport, plan, at: now) {
      // These words tell the phase that begins.
      if command == .next || command == .back {
        scan.told.note(transport.position(at: now).phase)
      }
      say(answer, at: now, into: &effects)
    }
  }
}

extension Session: CustomStringConvertible {
  /// One line for a log, in English: the timeline and what the workout does: "Rows: 16 phases, 4:00, running".
  package var description: String { transport.description }
}
