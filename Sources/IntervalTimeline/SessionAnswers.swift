/// Announcements that react to an event instead of being planned.
extension Session {
  /// After a stall: says the position, instead of a burst of missed announcements.
  mutating func sayPosition(at now: BootInstant, into effects: inout [SessionEffect]) {
    let phase = transport.position(at: now).phase
    let isQuiet =
      phase < timeline.count
      ? plan.density(of: timeline.entries[phase].phase.kind) < .normal : plan.density < .normal
    guard !isQuiet else { return }
    say(.position, at: now + .milliseconds(250), patience: nil, now: now, into: &effects)
  }

  /// How long after a stop its words begin: once the sounds have faded.
  private static let afterFade = Duration.milliseconds(600)
  /// How long those words may wait for others: several workouts may be stopped at once.
  private static let farewellTime = Duration.seconds(6)
  /// The shortest workout of which something is said when it is stopped.
  private static let shortestStopped = Duration.seconds(10)

  /// After a stop: how far the workout came.
  mutating func sayHowFar(at now: BootInstant, into effects: inout [SessionEffect]) {
    let here = transport.position(at: now)
    guard here.phase < timeline.count, here.elapsed >= Self.shortestStopped,
      plan.density(of: timeline.entries[here.phase].phase.kind) >= .normal
    else { return }
    say(
      .stopped, at: now + Self.afterFade, patience: Self.farewellTime, now: now, into: &effects)
  }

  /// Words about a phase with less time left are not begun.
  private static let shortestPlace = Duration.milliseconds(2400)

  /// How long after a command words may begin and still answer it.
  static let answerTime = Duration.seconds(3)
  /// How long an answer about the position, or a question, may be delayed. It is worded for the
  /// moment when it is said.
  static let positionTime = Duration.seconds(10)
  /// Anything that is being said is over by then, even the longest count.
  private static let questionTime = Duration.seconds(30)

  /// The announcement handed off in answer to "where am I?".
  struct PendingAnswer: Sendable {
    let id: Int
    /// When it ends; nil while it has no place.
    var until: BootInstant?
    /// It was asked for once more while it was under way.
    var isAskedAgain = false
  }

  /// How soon after an answer the next one makes room for everything that is planned: a person looks for more, a
  /// program may ask without end.
  static let insistence = Duration.seconds(10)

  /// Answers "where am I?", unless an answer is under way: the first request during it is recorded, and nothing
  /// comes of any further one.
  mutating func sayWhereItIs(at now: BootInstant, into effects: inout [SessionEffect]) {
    if let answer, answer.until.map({ $0 > now }) ?? true {
      guard !answer.isAskedAgain else { return }
      self.answer?.isAskedAgain = true
      effects.append(.obeyed(.whereAmI, at: now))
      let here = transport.position(at: now)
      let set = here.phase < timeline.count ? timeline.entries[here.phase].set : nil
      let cue = Cue(phase: here.phase, content: .whereAmI, at: here.elapsed - here.phaseStart)
      effects.append(
        .silent(SilentCue(cue: cue, set: set, scheduledSet: set, due: now, reason: .answered)))
      return
    }
    let yields = answer?.until.map { now < $0 + Self.insistence } ?? false
    answer = PendingAnswer(id: nextID)
    effects.append(.obeyed(.whereAmI, at: now))
    say(
      .whereAmI, at: now + .milliseconds(150), patience: Self.answerTime, yields: yields, now: now,
      into: &effects)
  }

  /// Hands off a text that somebody has sent. Nothing before the start.
  ///
  /// - Parameter due: when it should begin; nil: as soon as it can.
  public mutating func say(
    _ message: Message, due: BootInstant? = nil, at now: BootInstant
  ) -> [SessionEffect] {
    guard state == .running || state == .paused || state == .finished else { return [] }
    // The output's latency is added to it below.
    let soonest = now + .milliseconds(100)
    let due = due.map { max(soonest, $0 - responseTime) } ?? soonest
    let patience = now.duration(to: due) + max(.zero, message.patience)
    var effects: [SessionEffect] = []
    say(.message(message), at: due, patience: patience, now: now, into: &effects)
    return effects
  }

  /// Hands off an announcement that reacts to an event instead of being planned.
  ///
  /// - Parameter patience: how long after `now` it may begin; nil: as late as its phase allows.
  mutating func say(
    _ content: Cue.Content, at due: BootInstant, patience: Duration?, yields: Bool = false,
    now: BootInstant, into effects: inout [SessionEffect]
  ) {
    effects.append(
      .handOff(
        words(content, id: nextID, at: due, patience: patience, yields: yields, now: now)))
    nextID += 1
  }

  private func words(
    _ content: Cue.Content, id: Int, at due: BootInstant, patience: Duration?,
    yields: Bool = false, now: BootInstant
  ) -> HandOff {
    var here = transport.position(at: now)
    // The answer to a command is delayed by the output's latency; its words follow its sound.
    let asked = now + responseTime
    var due = due + responseTime
    // If hardly anything is left of the phase, the words are about the next one.
    if content.isAboutPosition, state == .running, let left = here.phaseLeft,
      left < Self.shortestPlace, here.phase + 1 < timeline.count,
      let start = transport.start(of: here.phase + 1)
    {
      let begin = transport.nominalInstant(of: start)
      here = transport.position(at: begin)
      due = max(due, begin + .milliseconds(600))
    }
    let entry = here.phase < timeline.count ? timeline.entries[here.phase] : nil
    let cue = Cue(
      phase: here.phase, content: content, at: here.elapsed - here.phaseStart + (due - now),
      patience: patience, yields: yields)
    // Words about the whole workout may be heard across a boundary.
    let isOfPhase =
      switch content {
      case .stopQuestion, .laneName, .message, .total: false
      default: true
      }
    let phaseEnd =
      state == .running && isOfPhase ? here.phaseLeft.map { here.elapsed + $0 } : nil
    return HandOff(
      id: id, cue: cue, set: entry?.set, sets: entry?.sets, scheduledSet: entry?.set,
      due: due, earliest: due, until: due, latest: patience.map { max(due, asked + $0) },
      limit: entry == nil ? nil : phaseEnd.map { transport.nominalInstant(of: $0) },
      asked: content.isAnswer && patience != nil ? asked : nil)
  }

  /// How long after a command its words begin: after its own sound, or a boundary's.
  static let answerDelay: [Acknowledgement: Duration] = [
    .pause: .milliseconds(350), .resume: .milliseconds(350), .next: .milliseconds(600),
    .back: .milliseconds(600),
  ]

  /// Postpones an answer that found no room. One about the position is given later, worded for that
  /// moment, or after the next boundary, about the phase that begins there. The question whether to
  /// stop is asked later, in the end before the numbers of other lanes' counts. Nil if that would
  /// be too late, if nothing follows, or for any other announcement. The `id` stays the same.
  package func postponed(_ handOff: HandOff) -> HandOff? {
    let content = handOff.cue.content
    guard content.isAboutPosition || content == .stopQuestion else { return nil }
    if handOff.mustBegin(within: Self.positionTime) { return later(handOff, by: Self.positionTime) }
    if content == .stopQuestion {
      return handOff.mustBegin(within: Self.questionTime)
        ? later(handOff, by: Self.questionTime) : nil
    }
    let latest = handOff.asked.map { $0 + Self.positionTime }
    // A shorter phase has no room either.
    let next = timeline.entries.indices.dropFirst(handOff.cue.phase + 1).first {
      timeline.entries[$0].phase.length.duration.map { $0 >= Self.shortestPlace } ?? true
    }
    guard state == .running, let next, let start = transport.start(of: next) else { return nil }
    let begin = transport.nominalInstant(of: start)
    guard begin >= handOff.earliest, latest.map({ begin <= $0 }) ?? true else { return nil }
    var later = words(
      handOff.cue.content, id: handOff.id, at: begin + .milliseconds(600), patience: .seconds(5),
      yields: handOff.cue.yields, now: begin)
    // It keeps the time of the request, so it is not postponed for ever.
    later.asked = handOff.asked
    return later
  }

  /// The same answer, which may begin up to `patience` after the request.
  private func later(_ handOff: HandOff, by patience: Duration) -> HandOff {
    // "Resuming" would be wrong when said late.
    let isMoment = if case .acknowledgement = handOff.cue.content { true } else { false }
    let cue = Cue(
      phase: handOff.cue.phase, content: isMoment ? .position : handOff.cue.content,
      at: handOff.cue.at, patience: patience, yields: handOff.cue.yields)
    return HandOff(
      id: handOff.id, cue: cue, set: handOff.set, sets: handOff.sets,
      scheduledSet: handOff.scheduledSet, due: handOff.due, earliest: handOff.earliest,
      until: handOff.until, latest: handOff.asked.map { $0 + patience }, limit: handOff.limit,
      asked: handOff.asked)
  }

  /// Confirms a command aloud, if that is configured.
  mutating func acknowledge(
    _ command: Acknowledgement, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    guard acknowledged.contains(command), state == .running || state == .paused else { return }
    if command == .pause || command == .resume {
      say(.signal(command), at: now, patience: .zero, now: now, into: &effects)
    }
    let phase = transport.position(at: now).phase
    guard phase < timeline.count, plan.density(of: timeline.entries[phase].phase.kind) >= .normal
    else { return }
    // These words tell the phase that begins.
    if command == .next || command == .back { noteTold(phase) }
    say(
      .acknowledgement(command), at: now + Self.answerDelay[command, default: .zero],
      patience: Self.answerTime, now: now, into: &effects)
  }

  /// Marks a set's end with beeps alone, as far as it lies in the future.
  mutating func beep(
    _ from: Int, before end: BootInstant, of phase: Int, _ live: (set: Int?, sets: Int?),
    at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    let length = transport.length(of: phase) ?? .zero
    for number in (0...from).reversed() {
      let due = end - .seconds(number)
      if number == 0, phase + 1 == timeline.count { continue }
      guard due >= now else { continue }
      let content: Cue.Content = number == 0 ? .transition(.setEnd) : .countdown(number)
      let cue = Cue(phase: phase, content: content, at: length - .seconds(number))
      effects.append(
        .handOff(
          HandOff(
            id: nextID, cue: cue, set: live.set, sets: live.sets, scheduledSet: live.set, due: due,
            earliest: due, until: due, latest: due, limit: nil)))
      nextID += 1
    }
  }
}
