/// What is heard in answer to an event instead of being planned: a command, a question, a count, a stall.
///
/// A position is said once for all who ask while it is under way: there is one such answer at most.
struct Answers: Sendable {
  /// A sound or words, not laid out yet.
  struct Answer {
    let content: Cue.Content
    /// How long after the event it is due.
    let delay: Duration
    /// How long after the event it may begin; nil: as late as its phase allows.
    var patience: Duration? = Answers.time
    /// True for words that make room for everything that is planned.
    var yields = false
    /// By when its words are over; nil: at the end of its phase where they are about that.
    var limit: BootInstant?
  }

  /// The announcement handed off in answer to "where am I?".
  struct Position {
    let id: Int
    /// When it ends; nil while it has no place.
    var until: BootInstant?
    /// It was asked for once more while it was under way.
    var isAskedAgain = false
  }

  /// How long after a command words may begin and still answer it.
  static let time = Duration.seconds(3)
  /// How long an answer about the position, or a question, may be delayed. It is worded for the
  /// moment when it is said.
  static let positionTime = Duration.seconds(10)
  /// Anything that is being said is over by then, even the longest count.
  private static let questionTime = Duration.seconds(30)
  /// How long after a stop its words begin: once the sounds have faded.
  private static let afterFade = Duration.milliseconds(600)
  /// How long those words may wait for others: several workouts may be stopped at once.
  private static let farewellTime = Duration.seconds(6)
  /// The shortest workout of which something is said when it is stopped.
  private static let shortestStopped = Duration.seconds(10)
  /// Words about a phase with less time left are not begun.
  private static let shortestPlace = Duration.milliseconds(2400)
  /// How soon after an answer the next one makes room for everything that is planned: a person looks for more, a
  /// program may ask without end.
  private static let insistence = Duration.seconds(10)
  /// How long after a boundary's sound words begin.
  private static let afterBoundary = Duration.milliseconds(600)
  /// The same for a total, which others may precede.
  private static let totalDelay = Duration.milliseconds(800)

  /// The commands that are confirmed aloud.
  let acknowledged: Set<Acknowledgement>
  /// How much later than a command its answer can be heard.
  let responseTime: Duration
  private(set) var position: Position?

  // MARK: What is said

  /// After a stall: the position, instead of a burst of missed announcements.
  func afterStall(in transport: Transport, _ plan: CuePlan, at now: BootInstant) -> Answer? {
    plan.density(of: transport.entry(at: now)) < .normal
      ? nil : Answer(content: .position, delay: .milliseconds(250), patience: nil)
  }

  /// After a stop: how far the workout came.
  func farewell(in transport: Transport, _ plan: CuePlan, at now: BootInstant) -> Answer? {
    guard let entry = transport.entry(at: now), transport.elapsed(at: now) >= Self.shortestStopped,
      plan.density(of: entry) >= .normal
    else { return nil }
    return Answer(content: .stopped, delay: Self.afterFade, patience: Self.farewellTime)
  }

  /// Answers "where am I?" with a hand-off numbered `id`, unless an answer is under way: the first request during
  /// it is recorded as silent, and nothing comes of any further one.
  mutating func whereAmI(id: Int, in transport: Transport, at now: BootInstant) -> SessionEffect? {
    if let position, position.until.map({ $0 > now }) ?? true {
      guard !position.isAskedAgain else { return nil }
      self.position?.isAskedAgain = true
      let here = transport.position(at: now)
      let set = transport.entry(at: now)?.set
      let cue = Cue(phase: here.phase, content: .whereAmI, at: here.elapsed - here.phaseStart)
      return .silent(SilentCue(cue: cue, set: set, scheduledSet: set, due: now, reason: .answered))
    }
    let yields = position?.until.map { now < $0 + Self.insistence } ?? false
    position = Position(id: id)
    let answer = Answer(content: .whereAmI, delay: .milliseconds(150), yields: yields)
    return .handOff(handOff(answer, id: id, in: transport, at: now))
  }

  /// What a command only has said; nil for the others, and for the position.
  func spoken(on command: Command) -> Answer? {
    let content: Cue.Content? =
      switch command {
      case .sayTime: .time
      case .sayName: .laneName
      case .askStop: .stopQuestion
      default: nil
      }
    return content.map { Answer(content: $0, delay: .milliseconds(100)) }
  }

  /// A text that somebody has sent, to begin at `due` or as soon as it can.
  func message(_ message: Message, due: BootInstant?, at now: BootInstant) -> Answer {
    // The output's latency is added to it later.
    let soonest = Message.minimumDelay
    let delay = due.map { max(soonest, $0 - responseTime - now) } ?? soonest
    return Answer(
      content: .message(message), delay: delay, patience: delay + max(.zero, message.patience))
  }

  /// The sound and the words that confirm a command, as far as that is configured.
  func confirmation(
    of command: Acknowledgement, in transport: Transport, _ plan: CuePlan, at now: BootInstant
  ) -> [Answer] {
    guard acknowledged.contains(command), [.running, .paused].contains(transport.state) else {
      return []
    }
    let isMove = command == .next || command == .back
    var answers: [Answer] = []
    if !isMove { answers.append(Answer(content: .signal(command), delay: .zero, patience: .zero)) }
    if let entry = transport.entry(at: now), plan.density(of: entry) >= .normal {
      // After its own sound, or a boundary's.
      answers.append(
        Answer(
          content: .acknowledgement(command),
          delay: isMove ? Self.afterBoundary : .milliseconds(350)))
    }
    return answers
  }

  /// A number that was counted, which follows the boundary's sound if it ended its phase.
  func number(_ number: Int, endsPhase: Bool) -> Answer {
    let delay = endsPhase ? Self.afterBoundary : .milliseconds(20)
    return Answer(
      content: .repetition(number), delay: delay, patience: delay + .milliseconds(600))
  }

  /// How many rounds were counted in a phase that has ended.
  func total(_ total: PhaseCounts.Count) -> Answer {
    Answer(
      content: .total(phase: total.phase, count: total.count), delay: Self.totalDelay,
      patience: Self.totalDelay + Self.positionTime)
  }

  /// The sound of a set that ends with an open phase.
  static let setEnd = Answer(content: .transition(.setEnd), delay: .zero, patience: .zero)

  /// Where a workout is that was restored.
  static func restored(_ content: Cue.Content) -> Answer {
    Answer(content: content, delay: .milliseconds(100))
  }

  // MARK: When it is said

  /// Lays an answer to an event at `now` out, from where the workout is then.
  func handOff(_ answer: Answer, id: Int, in transport: Transport, at now: BootInstant) -> HandOff {
    let (content, timeline) = (answer.content, transport.timeline)
    var here = transport.position(at: now)
    // The answer to a command is delayed by the output's latency; its words follow its sound.
    let asked = now + responseTime
    var due = now + answer.delay + responseTime
    // If hardly anything is left of the phase, the words are about the next one.
    if content.isAboutPosition, transport.state == .running, let left = here.phaseLeft,
      left < Self.shortestPlace, here.phase + 1 < timeline.count,
      let start = transport.start(of: here.phase + 1)
    {
      let begin = transport.nominalInstant(of: start)
      here = transport.position(at: begin)
      due = max(due, begin + Self.afterBoundary)
    }
    let entry = timeline.entry(here.phase)
    let cue = Cue(
      phase: here.phase, content: content, at: here.elapsed - here.phaseStart + (due - now),
      patience: answer.patience, yields: answer.yields)
    // Words about the whole workout may be heard across a boundary.
    let isOfPhase =
      switch content {
      case .stopQuestion, .time, .laneName, .message, .total: false
      default: true
      }
    let left = entry != nil && transport.state == .running && isOfPhase ? here.phaseLeft : nil
    return HandOff(
      id: id, cue: cue, set: entry?.set, sets: entry?.sets, scheduledSet: entry?.set,
      due: due, earliest: due, until: due, latest: answer.patience.map { max(due, asked + $0) },
      limit: answer.limit ?? left.map { transport.nominalInstant(of: here.elapsed + $0) },
      asked: content.isAnswer && answer.patience != nil ? asked : nil)
  }

  /// Postpones an answer that found no room: see `Session.postponed`.
  func postponed(_ handOff: HandOff, in transport: Transport) -> HandOff? {
    let content = handOff.cue.content
    guard content.isAboutPosition || content == .stopQuestion else { return nil }
    if handOff.mustBegin(within: Self.positionTime) { return later(handOff, by: Self.positionTime) }
    if content == .stopQuestion {
      return handOff.mustBegin(within: Self.questionTime)
        ? later(handOff, by: Self.questionTime) : nil
    }
    let latest = handOff.asked.map { $0 + Self.positionTime }
    let entries = transport.timeline.entries
    // A shorter phase has no room either.
    let next = entries.indices.dropFirst(handOff.cue.phase + 1).first {
      entries[$0].phase.length.duration.map { $0 >= Self.shortestPlace } ?? true
    }
    guard transport.state == .running, let next, let start = transport.start(of: next) else {
      return nil
    }
    let begin = transport.nominalInstant(of: start)
    guard begin >= handOff.earliest, latest.map({ begin <= $0 }) ?? true else { return nil }
    let answer = Answer(
      content: content, delay: Self.afterBoundary, patience: .seconds(5),
      yields: handOff.cue.yields)
    var later = self.handOff(answer, id: handOff.id, in: transport, at: begin)
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

  // MARK: The position under way

  mutating func learn(_ words: WordFeedback) {
    if position?.id == words.id { position?.until = words.place?.upperBound }
  }

  /// Nothing that was handed off is heard any more.
  mutating func withdraw() { position = nil }

  /// Whether no answer about the position is under way after `end`.
  func areOver(by end: BootInstant) -> Bool {
    position.map { $0.until.map { $0 <= end } ?? false } ?? true
  }
}
