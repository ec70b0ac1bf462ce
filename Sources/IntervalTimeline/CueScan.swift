/// Goes through the cues of a workout in order, and decides of each whether it is handed off.
///
/// It stands in one phase: what lies before `next` in `cues` was handed off or reported as silent, the rest is to
/// come. So each cue is reported once, whenever the checks come. What it needs to know of the workout's position
/// is an argument.
struct CueScan: Sendable {
  /// The most phases that are searched for upcoming announcements.
  private static let maximumPreview = 32

  /// How far ahead of its due instant a cue is handed off.
  private let horizon: Duration
  private(set) var announcements: AnnouncementMemory
  var told = ToldPhases()
  /// Nothing is due before this instant, so an idle session costs one comparison per check.
  private(set) var quietUntil = BootInstant(nanoseconds: .min)
  /// When the session was resumed: words that the earlier program may have said are not repeated.
  var restoredAt: BootInstant?
  /// The number of the next hand-off.
  private(set) var nextID = 1
  private var phase = 0
  private var cues: [Cue] = []
  /// An index into `cues`.
  private var next = 0
  /// The set whose end comes next, as it was last scheduled; only for the ledger.
  private var notedSet: Int?

  init(_ announcements: AnnouncementMemory, horizon: Duration) {
    (self.announcements, self.horizon) = (announcements, horizon)
  }

  /// What was announced before `record`, which was made at `now`, is known.
  mutating func restore(_ record: AnnouncementMemory.Record, at now: BootInstant) {
    announcements = AnnouncementMemory(window: announcements.window, record, at: now)
  }

  /// The number of a hand-off that is made elsewhere.
  mutating func takeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  // MARK: Handing off

  /// What was due too long ago to be heard.
  struct Missed {
    /// The sound of a phase's beginning.
    var boundary = false
    /// The finish announcement.
    var finish = false
  }

  /// Hands off every cue due before now + `horizon`. Returns what was missed.
  mutating func handOffCues(
    at now: BootInstant, in transport: Transport, _ plan: CuePlan,
    _ outcomes: [PhaseOutcome], into effects: inout [SessionEffect]
  ) -> Missed {
    announcements.forget(before: now)
    var missed = Missed()
    quietUntil = BootInstant(nanoseconds: .max)
    while true {
      while next == cues.count, phase < transport.timeline.count {
        begin(phase + 1, in: transport, plan)
      }
      guard next < cues.count else { break }
      // After an open phase nothing has a time yet.
      guard let start = transport.start(of: phase) else { break }
      let cue = cues[next]
      guard !isToldAlready(cue, outcomes, in: transport.timeline) else {
        next += 1
        continue
      }
      let earliest = transport.nominalInstant(of: start + cue.earliest)
      guard earliest < now + horizon else {
        quietUntil = earliest - horizon
        break
      }
      next += 1
      let wasMissed = handOff(cue, from: start, at: now, in: transport, into: &effects)
      if wasMissed, case .transition = cue.content { missed.boundary = true }
      if wasMissed, case .finish = cue.content { missed.finish = true }
    }
    return missed
  }

  /// Hands off one cue, or says why it stays silent. Returns true if its time had passed.
  private mutating func handOff(
    _ cue: Cue, from start: Duration, at now: BootInstant, in transport: Transport,
    into effects: inout [SessionEffect]
  ) -> Bool {
    let live = transport.liveSet(of: cue, from: start)
    var scheduled = transport.timeline.entry(cue.phase)?.set
    if case .setCompletion = cue.content {
      scheduled = notedSet
      noteSet(after: cue.phase, in: transport.timeline)
    }
    let handOff = HandOff(
      id: nextID, cue, live, scheduledSet: scheduled, from: start, in: transport, notBefore: now)
    let (due, until) = (handOff.due, handOff.until)
    // Words may be said earlier than they are due, so the earlier program may have said these before it
    // ended.
    let mayBeSaid =
      cue.isSpoken && cue.earliest < cue.at && cue.until == cue.at
      && restoredAt.map { transport.nominalInstant(of: start + cue.earliest) <= $0 } ?? false
    // Words that a pause withdrew may still be in time, though they are past their instant.
    let latest = max(until, due + (cue.patience ?? .seconds(3600)))
    guard !mayBeSaid, (announcements.owes(cue) ? latest : until) >= now else {
      effects.append(handOff.silent(.missed))
      return true
    }
    if let key = key(of: cue, set: live.set, in: transport.timeline) {
      let verdict = announcements.admit(
        key, id: nextID, isLastSet: live.set != nil && live.set == live.sets, due: due,
        until: until)
      guard verdict == .pass else {
        effects.append(handOff.silent(.duplicate(verdict)))
        // A set's end is never silent: beeps replace an announcement that has been made.
        if case .setCompletion(let from) = cue.content {
          beep(from, before: until, of: cue.phase, live, at: now, in: transport, into: &effects)
        }
        return false
      }
    }
    if cue.isSpoken { announcements.handOff(cue, id: nextID, due: due, latest: latest) }
    effects.append(.handOff(handOff))
    nextID += 1
    return false
  }

  /// Marks a set's end with beeps alone, as far as it lies in the future.
  private mutating func beep(
    _ from: Int, before end: BootInstant, of phase: Int, _ live: (set: Int?, sets: Int?),
    at now: BootInstant, in transport: Transport, into effects: inout [SessionEffect]
  ) {
    let length = transport.length(of: phase) ?? .zero
    for number in (0...from).reversed() {
      let due = end - .seconds(number)
      if number == 0, phase + 1 == transport.timeline.count { continue }
      guard due >= now else { continue }
      let content: Cue.Content = number == 0 ? .transition(.setEnd) : .countdown(number)
      let cue = Cue(phase: phase, content: content, at: length - .seconds(number))
      effects.append(
        .handOff(
          HandOff(
            id: takeID(), cue: cue, set: live.set, sets: live.sets, scheduledSet: live.set,
            due: due, earliest: due, until: due, latest: due, limit: nil)))
    }
  }

  /// True where the words have become unnecessary since they were planned.
  private func isToldAlready(_ cue: Cue, _ outcomes: [PhaseOutcome], in timeline: Timeline) -> Bool
  {
    switch cue.content {
    case .next(let phase): told.contains(phase)
    case .begins: told.isEnough(for: cue.phase, in: timeline)
    case .setComplete(let phase): outcomes[phase] == .skipped
    default: false
    }
  }

  /// Records the set that will be announced next unless a command changes it.
  private mutating func noteSet(after phase: Int, in timeline: Timeline) {
    notedSet = timeline.nextSetEnd(from: phase + 1).flatMap { timeline.entries[$0].set }
  }

  /// The key by which the gate knows an announcement.
  private func key(of cue: Cue, set: Int?, in timeline: Timeline) -> CueGate.Key? {
    switch cue.content {
    case .setCompletion:
      set.map { .setCompletion(block: timeline.entries[cue.phase].block, set: $0) }
    case .halfway: .halfway(phase: cue.phase)
    case .next(let phase): .next(phase: phase)
    default: nil
    }
  }

  // MARK: The cues

  /// The cues of entry `index` (`count` for the end), in hand-off order, as far as its end is known now.
  func cues(of index: Int, in transport: Transport, _ plan: CuePlan) -> [Cue] {
    plan.cues(
      of: index, in: transport.timeline, length: transport.length(of: index),
      isEndKnown: transport.isEndKnown(of: index),
      isTold: isTold(index, in: transport.timeline, plan))
  }

  /// Whether phase `index` has been told by its start, or is not told at all. A later one will have been.
  private func isTold(_ index: Int, in timeline: Timeline, _ plan: CuePlan) -> Bool {
    guard index < timeline.count, !told.isEnough(for: index, in: timeline) else { return true }
    // Of later phases the plan knows.
    return index > phase
      ? plan.isTold(index, in: timeline) : Script(timeline).place(of: index) == .nowhere
  }

  /// Announcements that are not handed off yet: see `Session.upcoming`.
  func upcoming(
    before end: BootInstant, atMost maximum: Int, in transport: Transport, _ plan: CuePlan,
    _ outcomes: [PhaseOutcome]
  ) -> [HandOff] {
    let timeline = transport.timeline
    var found: [HandOff] = []
    var cues = cues[next...]
    let last = min(timeline.count, phase + Self.maximumPreview)
    for index in phase...max(phase, last) {
      if index > phase { cues = self.cues(of: index, in: transport, plan)[...] }
      guard let start = transport.start(of: index) else { break }
      for cue in cues where cue.isSpoken && !isToldAlready(cue, outcomes, in: timeline) {
        guard transport.nominalInstant(of: start + cue.earliest) < end else { return found }
        // The numbers of a count keep their seconds, whatever else there is.
        if found.count >= maximum {
          guard case .setCompletion = cue.content else { continue }
        }
        let live = transport.liveSet(of: cue, from: start)
        found.append(HandOff(id: 0, cue, live, scheduledSet: live.set, from: start, in: transport))
      }
    }
    return found
  }

  // MARK: The workout moves

  /// The workout has moved to the start of a phase: what has not ended is withdrawn.
  mutating func move(to phase: Int, at now: BootInstant, in transport: Transport, _ plan: CuePlan) {
    withdraw(at: now, keepsPlace: false)
    told.move(to: phase)
    begin(phase, in: transport, plan)
    quietUntil = BootInstant(nanoseconds: .min)
  }

  /// The workout goes back to `entry`, whose announcements may be made again. Phases are announced in full again.
  mutating func goBack(to entry: Timeline.Entry) {
    announcements.goBack(toBlock: entry.block, set: entry.set)
    told = ToldPhases()
  }

  /// Forgets the announcements that have not ended.
  mutating func withdraw(at now: BootInstant, keepsPlace: Bool) {
    announcements.withdraw(at: now, keepsPlace: keepsPlace)
    told.withdraw(at: now)
  }

  /// Goes to the first cue of the running phase that has not ended at `now`. What is known of the phase's
  /// announcements stays.
  mutating func rescan(at now: BootInstant, in transport: Transport, _ plan: CuePlan) {
    let here = transport.position(at: now)
    load(here.phase, in: transport, plan)
    let offset = here.elapsed - here.phaseStart
    // What has been said is not repeated, except for the remaining numbers of a count.
    cues = cues.filter { cue in
      if case .setCompletion = cue.content { return cue.until >= offset }
      if announcements.hasSaid(cue) { return false }
      return cue.until >= offset || announcements.owes(cue)
    }
    noteSet(after: here.phase - 1, in: transport.timeline)
    quietUntil = BootInstant(nanoseconds: .min)
  }

  /// The running phase ends at `end`, as in `settled`, without anything being withdrawn: of its cues those follow
  /// that have not been handed off. False, and nothing has changed, where something that has been would not stay
  /// true, or not be over in time.
  mutating func settle(
    until end: BootInstant, at now: BootInstant, from transport: Transport, to settled: Transport,
    _ plan: CuePlan
  ) -> Bool {
    let here = transport.position(at: now)
    let offset = here.elapsed - here.phaseStart
    let running = transport.timeline.entries[here.phase].phase
    // Behind the last cue of an open phase it stands in the next phase, which has no start yet.
    let isPassed = phase == here.phase + 1 && next == 0
    let handedOff = isPassed ? cues(of: here.phase, in: transport, plan) : Array(cues[..<next])
    let pending = isPassed ? [] : Set(cues[next...])
    guard isPassed || phase == here.phase, announcements.areOver(by: end),
      !handedOff.contains(where: { $0.until >= offset && $0.dependsOnEnd(of: running) })
    else { return false }
    load(here.phase, in: settled, plan)
    cues = cues.filter { cue in
      if pending.contains(cue) { return true }
      return cue.until >= offset && !handedOff.contains(cue) && !announcements.hasSaid(cue)
    }
    noteSet(after: here.phase - 1, in: transport.timeline)
    quietUntil = BootInstant(nanoseconds: .min)
    return true
  }

  /// Something is due at `instant`, besides the cues.
  mutating func wake(by instant: BootInstant) { quietUntil = min(quietUntil, instant) }

  /// Learns where the words of a hand-off lie.
  mutating func learn(_ words: WordFeedback, in timeline: Timeline) {
    if let cue = announcements.learn(words) { told.learn(cue, words, in: timeline) }
  }

  /// Goes to the first cue of a phase that begins.
  private mutating func begin(_ phase: Int, in transport: Transport, _ plan: CuePlan) {
    load(phase, in: transport, plan)
    announcements.beginPhase()
  }

  private mutating func load(_ phase: Int, in transport: Transport, _ plan: CuePlan) {
    self.phase = phase
    cues = cues(of: phase, in: transport, plan)
    next = 0
  }
}
