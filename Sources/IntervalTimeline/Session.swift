/// One workout being run: a state machine that receives the time and returns effects.
///
/// `check(at:)` is called every 0.5 s or so, `handle(_:at:)` for each command. A check hands off
/// every cue that is due before now + `horizon` and has not been handed off; the frequency and
/// regularity of the calls do not change what is heard. The caller performs the effects in order.
public struct Session: Sendable {
  /// 1.5 s, three check intervals: two checks may be skipped without losing a cue.
  public static let defaultHorizon = Duration.milliseconds(1500)

  /// Which cues the phases have, fixed from the start.
  public let plan: CuePlan
  /// How far ahead of its due instant a cue is handed off.
  public let horizon: Duration
  /// Where the workout is. A caller reads it; commands go through `handle`.
  package internal(set) var transport: Transport
  /// How each phase ended, by its index.
  public internal(set) var outcomes: [PhaseOutcome]
  var announcements: AnnouncementMemory

  /// The last phase whose beginning was reported.
  var reportedPhase = -1
  /// The next cue to hand off: an index into `planned`, the cues of phase `plannedPhase`.
  private(set) var plannedPhase = 0
  private(set) var planned: [Cue] = []
  private(set) var nextCue = 0
  /// Nothing is due before this instant, so an idle session costs one comparison per check.
  private var quietUntil = BootInstant(nanoseconds: .min)

  /// The commands that are confirmed aloud.
  let acknowledged: Set<Acknowledgement>
  /// How much later than a command its answer can be heard.
  let responseTime: Duration
  /// The set whose end comes next, as it was last scheduled; only for the ledger.
  var notedSet: Int?
  var nextID = 1
  var pauseCount = 0
  /// The repetitions that were counted last.
  var counted = Repetitions(phase: 0, count: 0)
  /// The rounds of each phase before the running one that has any, in order.
  var rounds: [Repetitions] = []
  /// The last answer to "where am I?".
  var answer: PendingAnswer?
  /// The phases that were told last, or will have been by then: the running one, and the next.
  var told: [Told] = []
  /// What the listener knows by its name.
  var familiarity = Familiarity()
  /// When the session was resumed: words that the earlier program may have said are not repeated.
  var restoredAt: BootInstant?

  struct Told: Hashable, Sendable {
    var phase: Int
    /// When its words are over; nil: the answer to a command tells it.
    var until: BootInstant?
    /// Nothing of it had to be left out.
    var isWhole = true
  }

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
  public init(
    _ timeline: Timeline, plan: CuePlan = CuePlan(), window: Duration = .seconds(10),
    horizon: Duration = Session.defaultHorizon, acknowledged: Set<Acknowledgement> = [],
    responseTime: Duration = .zero
  ) {
    self.responseTime = responseTime
    self.acknowledged = acknowledged
    transport = Transport(timeline)
    outcomes = Array(repeating: .pending, count: timeline.count)
    announcements = AnnouncementMemory(window: window)
    self.plan = plan
    self.horizon = horizon
  }

  /// The workout, laid out, as it was given.
  public var timeline: Timeline { transport.timeline }
  /// The earliest instant at which a check has something to do; the far future if nothing is due.
  public var nextEvent: BootInstant {
    state == .running ? quietUntil : BootInstant(nanoseconds: .max)
  }
  /// What commands are possible; shorthand for the transport's.
  public var state: Transport.State { transport.state }

  // MARK: Checks

  /// Performs a check. Returns nothing unless the workout is running.
  ///
  /// - Parameter hasStalled: true if checks were missing for so long that the coach says the
  ///   position, even if no boundary was missed.
  public mutating func check(at now: BootInstant, hasStalled: Bool = false) -> [SessionEffect] {
    guard state == .running, now >= quietUntil || hasStalled else { return [] }
    let wasUnderWay = now >= transport.started
    var effects: [SessionEffect] = []
    let missed = handOffCues(at: now, into: &effects)
    followPhases(to: now, into: &effects)
    // Once the workout is over, the finish announcement says so, unless it was missed.
    let needsPosition = missed.boundary || (hasStalled && wasUnderWay)
    if missed.finish || (needsPosition && state == .running) {
      sayPosition(at: now, into: &effects)
    }
    return effects
  }

  /// When the text before `cue` in its phase begins; nil while it is not laid out.
  package func place(before cue: Cue) -> BootInstant? { announcements.place(before: cue) }

  /// Hands off every cue due before the horizon. Returns whether a boundary's sound was missed, and
  /// whether the finish announcement was.
  mutating func handOffCues(at now: BootInstant, into effects: inout [SessionEffect])
    -> (boundary: Bool, finish: Bool)
  {
    let horizonEnd = now + horizon
    announcements.forget(before: now)
    var missed = (boundary: false, finish: false)
    quietUntil = BootInstant(nanoseconds: .max)
    while true {
      while nextCue == planned.count, plannedPhase < timeline.count {
        beginCues(of: plannedPhase + 1)
      }
      guard nextCue < planned.count else { break }
      // After an open phase nothing has a time yet.
      guard let phaseStart = transport.start(of: plannedPhase) else { break }
      let cue = planned[nextCue]
      guard !isToldAlready(cue) else {
        nextCue += 1
        continue
      }
      let earliest = transport.nominalInstant(of: phaseStart + cue.earliest)
      guard earliest < horizonEnd else {
        quietUntil = earliest - horizon
        break
      }
      nextCue += 1
      let wasMissed = handOff(
        cue, phaseStart: phaseStart, earliest: max(earliest, now), at: now, into: &effects)
      if wasMissed, case .transition = cue.content { missed.boundary = true }
      if wasMissed, case .finish = cue.content { missed.finish = true }
    }
    return missed
  }

  /// Hands off one cue, or says why it stays silent. Returns true if its time had passed.
  private mutating func handOff(
    _ cue: Cue, phaseStart: Duration, earliest: BootInstant, at now: BootInstant,
    into effects: inout [SessionEffect]
  ) -> Bool {
    let due = transport.nominalInstant(of: phaseStart + cue.at)
    let until = transport.nominalInstant(of: phaseStart + cue.until)
    let live = liveSet(of: cue, phaseStart: phaseStart)
    let scheduled = scheduledSet(of: cue)
    if case .setCompletion = cue.content { noteSet(after: cue.phase) }

    func silent(_ reason: SilentCue.Reason) {
      effects.append(
        .silent(
          SilentCue(
            cue: cue, set: live.set, scheduledSet: scheduled, due: due, reason: reason)))
    }

    // Words may be said earlier than they are due, so the earlier program may have said these before it
    // ended.
    if let restoredAt, cue.isSpoken, cue.earliest < cue.at, cue.until == cue.at,
      transport.nominalInstant(of: phaseStart + cue.earliest) <= restoredAt
    {
      silent(.missed)
      return true
    }
    // Words that a pause withdrew may still be in time, though they are past their instant.
    let latest = max(until, due + (cue.patience ?? .seconds(3600)))
    guard (announcements.owes(cue) ? latest : until) >= now else {
      silent(.missed)
      return true
    }
    if let key = key(of: cue, set: live.set) {
      let verdict = announcements.admit(
        key, id: nextID, isLastSet: live.set != nil && live.set == live.sets, due: due,
        until: until)
      guard verdict == .pass else {
        silent(.duplicate(verdict))
        // A set's end is never silent: beeps replace an announcement that has been made.
        if case .setCompletion(let from) = cue.content {
          beep(from, before: until, of: cue.phase, live, at: now, into: &effects)
        }
        return false
      }
    }
    if cue.isSpoken { announcements.handOff(cue, id: nextID, due: due, latest: latest) }
    effects.append(
      .handOff(
        HandOff(
          id: nextID, cue: cue, set: live.set, sets: live.sets, scheduledSet: scheduled, due: due,
          earliest: earliest, until: until, latest: cue.patience.map { due + $0 },
          limit: limit(of: cue, phaseStart: phaseStart))))
    nextID += 1
    return false
  }

  /// True where the words have become unnecessary since they were planned.
  func isToldAlready(_ cue: Cue) -> Bool {
    switch cue.content {
    case .next(let phase): hasTold(phase)
    case .begins: hasToldEnough(of: cue.phase)
    case .setComplete(let phase): outcomes[phase] == .skipped
    default: false
    }
  }

  private func hasTold(_ phase: Int) -> Bool { told.contains { $0.phase == phase } }

  /// Whether nothing is to be told at the start of a phase: not where a part had no room ahead, and the phase is long.
  private func hasToldEnough(of phase: Int) -> Bool {
    told.contains { told in
      told.phase == phase
        && (told.isWhole || timeline.length(of: phase).map { $0 < Script.longEnough } ?? false)
    }
  }

  /// Notes that phase `phase` has been told, or will have been at `until`.
  mutating func noteTold(_ phase: Int, until: BootInstant? = nil, isWhole: Bool = true) {
    told.removeAll { $0.phase == phase }
    told = told.suffix(1) + [Told(phase: phase, until: until, isWhole: isWhole)]
  }

  /// When the cue's words have to be over: at the end of its phase, if not before.
  func limit(of cue: Cue, phaseStart: Duration) -> BootInstant? {
    if let ends = cue.ends { return transport.nominalInstant(of: phaseStart + ends) }
    guard cue.phase < timeline.count else { return nil }
    return transport.length(of: cue.phase).map { transport.nominalInstant(of: phaseStart + $0) }
  }

  /// Reports every phase that began or ended since the last call, and the finish.
  mutating func followPhases(to now: BootInstant, into effects: inout [SessionEffect]) {
    guard now >= transport.started else {
      quietUntil = min(quietUntil, transport.started)
      return
    }
    let phase = transport.position(at: now).phase
    while reportedPhase < phase {
      guard let start = transport.start(of: reportedPhase + 1) else { break }
      let instant = transport.nominalInstant(of: start)
      if reportedPhase >= 0 {
        end(reportedPhase, as: .done, at: instant, into: &effects)
        let rounds = counted.phase == reportedPhase ? counted.count : 0
        totalRounds(rounds, of: reportedPhase, at: now, into: &effects)
      }
      reportedPhase += 1
      if reportedPhase == timeline.count {
        transport.finish()
        effects.append(.finished(at: instant))
        return
      }
      effects.append(.phaseBegan(reportedPhase, at: instant))
    }
    if let end = transport.start(of: phase + 1) {
      quietUntil = min(quietUntil, transport.nominalInstant(of: end))
    }
  }

  mutating func end(
    _ phase: Int, as outcome: PhaseOutcome, at instant: BootInstant,
    into effects: inout [SessionEffect]
  ) {
    outcomes[phase] = outcome
    effects.append(.phaseEnded(phase, outcome, at: instant))
  }

  // MARK: Commands

  /// Obeys a command. A command that makes no sense in the current state changes nothing.
  ///
  /// `start` may lie in the future, so that the sound is running when the workout begins.
  public mutating func handle(_ command: Command, at now: BootInstant) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    if state == .running { followPhases(to: now, into: &effects) }
    switch (command, state) {
    case (.start, .ready):
      effects.append(.obeyed(.start, at: now))
      transport.start(at: now)
      beginCues(of: 0)
      noteSet(after: -1)
    case (.pause, .running):
      effects += [.obeyed(.pause, at: now), .withdraw]
      pauseCount += 1
      withdrawWords(at: now, keepsPlace: true)
      transport.pause(at: now)
      acknowledge(.pause, at: now, into: &effects)
    case (.resume, .paused):
      // Words about the pause are not true any more.
      effects += [.obeyed(.resume, at: now), .withdraw]
      if let since = transport.pausedSince, since.duration(to: now) > Self.forgetting {
        familiarity = Familiarity()
      }
      transport.resume(at: now)
      rescan(at: now)
      acknowledge(.resume, at: now, into: &effects)
    case (.next, .running) where countsRounds(at: now):
      countRepetition(by: .next, at: now, into: &effects)
    case (.next, .running), (.next, .paused):
      let here = transport.position(at: now)
      let phase = here.phase
      let isOpen = timeline.entries[phase].phase.length.end != nil
      effects += [.obeyed(.next, at: now), .withdraw]
      // No exercise can be done within the time in which `back` still leads to the previous phase.
      let isDone = isOpen && here.elapsed - here.phaseStart >= Transport.backWindow
      endPhase(phase, as: isDone ? .done : .skipped, at: now, into: &effects)
      acknowledge(.next, at: now, into: &effects)
    case (.back, .running), (.back, .paused):
      let target = transport.backTarget(at: now)
      effects += [.obeyed(.back, at: now), .withdraw]
      let entry = timeline.entries[target]
      announcements.goBack(toBlock: entry.block, set: entry.set)
      (familiarity, told) = (Familiarity(), [])
      move(to: target, at: now, into: &effects)
      acknowledge(.back, at: now, into: &effects)
    case (.rep, .running): countRepetition(at: now, into: &effects)
    case (.whereAmI, .running), (.whereAmI, .paused), (.whereAmI, .finished):
      sayWhereItIs(at: now, into: &effects)
    case (.sayName, .running), (.sayName, .paused), (.sayName, .finished),
      (.askStop, .running), (.askStop, .paused), (.askStop, .finished):
      effects.append(.obeyed(command, at: now))
      say(
        command == .sayName ? .laneName : .stopQuestion, at: now + .milliseconds(100),
        patience: Self.answerTime, now: now, into: &effects)
    case (.stop, .running), (.stop, .paused):
      effects += [.obeyed(.stop, at: now), .withdraw]
      transport.stop(at: now)
      sayHowFar(at: now, into: &effects)
    case (.stop, .finished):
      // The last words are cut off; the workout stays finished.
      effects += [.obeyed(.stop, at: now), .withdraw]
    default:
      return effects
    }
    if effects.contains(.withdraw) { answer = nil }
    // Cues that are due from here on belong to the same answer.
    return effects + check(at: now)
  }

  mutating func move(
    to phase: Int, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    withdrawWords(at: now, keepsPlace: false)
    // What has been told ahead of another phase than this one is of no use.
    told.removeAll { $0.phase != phase }
    counted = Repetitions(phase: phase, count: 0)
    rounds.removeAll { $0.phase >= phase }
    // The finish is heard at once, even if it was reached from a pause.
    if phase == timeline.count, state == .paused { transport.resume(at: now) }
    transport.move(to: phase, at: now)
    if phase < timeline.count {
      // Phases that will be repeated are pending again.
      for index in phase..<max(phase, min(reportedPhase + 1, timeline.count)) {
        outcomes[index] = .pending
      }
      reportedPhase = phase
      effects.append(.phaseBegan(phase, at: now))
    } else {
      reportedPhase = phase
      transport.finish()
      effects.append(.finished(at: now))
    }
    beginCues(of: phase)
    quietUntil = BootInstant(nanoseconds: .min)
    // A check of a finished session does nothing, so the cues of the finish are handed off here.
    if phase == timeline.count { _ = handOffCues(at: now, into: &effects) }
  }

  /// Forgets the announcements that have not ended.
  mutating func withdrawWords(at now: BootInstant, keepsPlace: Bool) {
    announcements.withdraw(at: now, keepsPlace: keepsPlace)
    told.removeAll { $0.until.map { $0 > now } ?? false }
  }

  /// Moves the cursor to the first cue of the running phase that has not ended at `now`. What is known of
  /// the phase's announcements stays.
  mutating func rescan(at now: BootInstant) {
    let here = transport.position(at: now)
    loadCues(of: here.phase)
    let offset = here.elapsed - here.phaseStart
    // What has been said is not repeated, except for the remaining numbers of a count.
    planned = planned.filter { cue in
      if case .setCompletion = cue.content { return cue.until >= offset }
      if announcements.hasSaid(cue) { return false }
      return cue.until >= offset || announcements.owes(cue)
    }
    noteSet(after: here.phase - 1)
    quietUntil = BootInstant(nanoseconds: .min)
  }

  /// Gives the running phase a length without withdrawing anything: of its cues those follow that have not been
  /// handed off. False, and nothing has changed, where something that has been would not stay true, or not be
  /// over in time.
  mutating func settleLength(_ length: Duration, at now: BootInstant) -> Bool {
    let here = transport.position(at: now)
    let offset = here.elapsed - here.phaseStart
    let end = transport.nominalInstant(of: here.phaseStart + length)
    let phase = timeline.entries[here.phase].phase
    // Behind the last cue of an open phase the cursor stands at the next phase, which has no start yet.
    let isPassed = plannedPhase == here.phase + 1 && nextCue == 0
    let handedOff = isPassed ? cues(of: here.phase) : Array(planned[..<nextCue])
    let pending = isPassed ? [] : Set(planned[nextCue...])
    guard isPassed || plannedPhase == here.phase, announcements.areOver(by: end),
      answer.map({ $0.until.map { $0 <= end } ?? false }) ?? true,
      !handedOff.contains(where: { $0.until >= offset && $0.dependsOnEnd(of: phase) })
    else { return false }
    transport.setLength(length, at: now)
    plannedPhase = here.phase
    planned = cues(of: here.phase).filter { cue in
      if pending.contains(cue) { return true }
      return cue.until >= offset && !handedOff.contains(cue) && !announcements.hasSaid(cue)
    }
    nextCue = 0
    noteSet(after: here.phase - 1)
    quietUntil = BootInstant(nanoseconds: .min)
    return true
  }

  /// The cues of entry `index` (`count` for the end), in hand-off order, as far as its end is known now.
  package func cues(of index: Int) -> [Cue] {
    plan.cues(
      of: index, in: timeline, length: transport.length(of: index),
      isEndKnown: transport.isEndKnown(of: index), isTold: isTold(index))
  }

  /// Whether phase `index` has been told by its start, or is not told at all. A later one will have been.
  private func isTold(_ index: Int) -> Bool {
    guard index < timeline.count, !hasToldEnough(of: index) else { return true }
    // Of later phases the plan knows.
    return index > plannedPhase
      ? plan.isTold(index, in: timeline) : Script(timeline).place(of: index) == .nowhere
  }

  /// Moves the cursor to the first cue of a phase that begins.
  private mutating func beginCues(of phase: Int) {
    loadCues(of: phase)
    announcements.beginPhase()
  }

  private mutating func loadCues(of phase: Int) {
    plannedPhase = phase
    planned = cues(of: phase)
    nextCue = 0
  }
}

extension Session: CustomStringConvertible {
  /// One line for a log, in English: the timeline and what the workout does: "Rows: 16 phases, 4:00, running".
  public var description: String { "\(timeline), \(transport.state.rawValue)" }
}

extension Transport: CustomStringConvertible {
  /// One line for a log, in English: the timeline and what the workout does: "Rows: 16 phases, 4:00, running".
  public var description: String { "\(timeline), \(state.rawValue)" }
}
