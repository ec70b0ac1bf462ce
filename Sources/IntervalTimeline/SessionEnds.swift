/// Ends of open phases that the trainer decides: by a signal, or by a count.
extension Session {
  /// The most rounds that are counted in a phase.
  private static let maximumRounds = 10_000

  /// The repetitions, or the rounds, of one phase.
  struct Repetitions: Hashable, Codable, Sendable {
    var phase: Int
    var count: Int
  }

  /// The repetitions or rounds counted in the running phase, from 0; nil unless it counts them.
  public func repetitions(at now: BootInstant) -> Int? {
    let phase = transport.position(at: now).phase
    guard phase < timeline.count, timeline.entries[phase].phase.isCounted else { return nil }
    return counted.phase == phase ? counted.count : 0
  }

  /// True where `next` counts a round.
  func countsRounds(at now: BootInstant) -> Bool {
    let phase = transport.position(at: now).phase
    return now >= transport.started && phase < timeline.count
      && timeline.entries[phase].phase.countsRounds
  }

  /// Keeps how many rounds were counted in a phase that has ended, and says it.
  mutating func totalRounds(
    _ count: Int, of phase: Int, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    let content = timeline.entries[phase].phase
    guard content.countsRounds, count > 0 else { return }
    rounds.append(Repetitions(phase: phase, count: count))
    guard plan.density(of: content.kind) >= .counts else { return }
    say(
      .total(phase: phase, count: count), at: now + Self.totalDelay,
      patience: Self.totalDelay + Self.positionTime, now: now, into: &effects)
  }

  /// After the boundary's sound.
  private static let totalDelay = Duration.milliseconds(800)

  /// Obeys a signal from outside, such as a sensor's. It ends the running phase if that is open until this
  /// signal: at once, or when the phase's shortest length has passed. Changes nothing otherwise, in a pause,
  /// and where the end is decided already; there is no effect `signalled` then.
  public mutating func signal(_ name: String, at now: BootInstant) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    guard state == .running else { return effects }
    followPhases(to: now, into: &effects)
    guard state == .running, now >= transport.started,
      case let phase = transport.position(at: now).phase, !transport.isEndDecided(of: phase),
      timeline.entries[phase].phase.length.end == .signal(name)
    else { return effects }
    effects.append(.signalled(name, at: now))
    endOpenPhase(at: now, into: &effects)
    if effects.contains(.withdraw) { answer = nil }
    return effects + check(at: now)
  }

  /// True in a pause of a phase that waits for this: it would be ended if the workout ran.
  package func isPaused(waitingFor end: OpenEnd, at now: BootInstant) -> Bool {
    let phase = transport.position(at: now).phase
    return state == .paused && phase < timeline.count && !transport.isEndDecided(of: phase)
      && timeline.entries[phase].phase.length.end == end
  }

  /// Counts a repetition or a round aloud. The last repetition ends the phase.
  ///
  /// - Parameter command: `rep`, or `next` in a phase that counts rounds.
  mutating func countRepetition(
    by command: Command = .rep, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    let phase = transport.position(at: now).phase
    guard now >= transport.started, let count = repetitions(at: now) else { return }
    var target = Self.maximumRounds
    if case .reps(let reps) = timeline.entries[phase].phase.length.end { target = reps }
    guard count < target else { return }
    effects.append(.obeyed(command, at: now))
    counted = Repetitions(phase: phase, count: count + 1)
    let isLast = count + 1 == target && !timeline.entries[phase].phase.countsRounds
    if isLast { endOpenPhase(at: now, into: &effects) }
    guard plan.density(of: timeline.entries[phase].phase.kind) >= .counts else { return }
    // The last number follows the sound of the boundary.
    let hasSound = isLast && transport.position(at: now).phase != phase
    let delay = hasSound ? Self.answerDelay[.next, default: .zero] : .milliseconds(20)
    say(
      .repetition(count + 1), at: now + delay, patience: delay + .milliseconds(600), now: now,
      into: &effects)
  }

  /// Ends the running open phase as done, or, before its shortest length, decides that it ends then.
  private mutating func endOpenPhase(at now: BootInstant, into effects: inout [SessionEffect]) {
    let here = transport.position(at: now)
    let entry = timeline.entries[here.phase]
    if case .open(_, let bounds) = entry.phase.length, let least = bounds.atLeast,
      here.elapsed - here.phaseStart < least
    {
      if !settleLength(least, at: now) {
        // What leads to the phase's longest length is not true any more.
        effects.append(.withdraw)
        withdrawWords(at: now, keepsPlace: true)
        transport.setLength(least, at: now)
        rescan(at: now)
      }
      return
    }
    effects.append(.withdraw)
    endPhase(here.phase, as: .done, at: now, into: &effects)
  }

  /// Ends the running phase by a command; the next one begins.
  mutating func endPhase(
    _ phase: Int, as outcome: PhaseOutcome, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    end(phase, as: outcome, at: now, into: &effects)
    let rounds = counted.phase == phase ? counted.count : 0
    move(to: phase + 1, at: now, into: &effects)
    let isOpen = timeline.entries[phase].phase.length.end != nil
    if isOpen, outcome == .done, timeline.entries[phase].endsSet, state == .running {
      say(.transition(.setEnd), at: now, patience: .zero, now: now, into: &effects)
    }
    totalRounds(rounds, of: phase, at: now, into: &effects)
  }
}
