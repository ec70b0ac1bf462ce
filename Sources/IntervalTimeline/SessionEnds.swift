/// Ends of open phases that the trainer decides: by a signal, or by a count.
extension Session {
  /// Obeys a signal from outside, such as a sensor's. It ends the running phase if that is open until this
  /// signal: at once, or when the phase's shortest length has passed. Changes nothing otherwise, in a pause,
  /// and where the end is decided already; there is no effect `signalled` then.
  package mutating func signal(_ name: String, at now: BootInstant) -> [SessionEffect] {
    endOpenPhase(by: name, at: now) { $0.length.end == .signal(name) }
  }

  /// The heart rate is low enough: ends the running phase where it waits for that.
  package mutating func heartRateIsLow(at now: BootInstant) -> [SessionEffect] {
    endOpenPhase(by: "heart-rate-low", at: now) { $0.restLimit != nil }
  }

  private mutating func endOpenPhase(
    by signal: String, at now: BootInstant, where waits: (Phase) -> Bool
  ) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    guard state == .running else { return effects }
    followPhases(to: now, into: &effects)
    guard state == .running, let phase = progress.undecidedPhase(at: now), waits(phase) else {
      return effects
    }
    effects.append(.signalled(signal, at: now))
    endOpenPhase(at: now, into: &effects)
    return concluded(effects, at: now)
  }

  /// Counts a repetition or a round aloud. The last repetition ends the phase.
  ///
  /// - Parameter command: `rep`, or `next` in a phase that counts rounds.
  mutating func countRepetition(
    by command: Command = .rep, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    guard let (phase, number, isLast) = progress.count(at: now) else { return }
    effects.append(.obeyed(command, at: now))
    if isLast { endOpenPhase(at: now, into: &effects) }
    let entry = timeline.entries[phase]
    guard entry.phase.countsAloud, plan.density(of: entry) >= .counts else { return }
    let endsPhase = isLast && transport.position(at: now).phase != phase
    say(answers.number(number, endsPhase: endsPhase), at: now, into: &effects)
  }

  /// Ends the running open phase as done, or, before its shortest length, decides that it ends then.
  private mutating func endOpenPhase(at now: BootInstant, into effects: inout [SessionEffect]) {
    guard let (length, end) = progress.shortestLength(after: now) else {
      effects.append(.withdraw)
      return endPhase(as: .done, at: now, into: &effects)
    }
    let former = transport
    progress.setLength(length, at: now)
    guard
      !answers.areOver(by: end)
        || !scan.settle(until: end, at: now, from: former, to: transport, plan)
    else { return }
    // What leads to the phase's longest length is not true any more.
    effects.append(.withdraw)
    scan.withdraw(at: now, keepsPlace: true)
    scan.rescan(at: now, in: transport, plan)
  }

  /// Ends the running phase by a command; the next one begins.
  mutating func endPhase(
    as outcome: PhaseOutcome, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    let phase = transport.position(at: now).phase
    let end = progress.end(phase, as: outcome, at: now)
    effects.append(end.effect)
    move(to: phase + 1, at: now, into: &effects)
    let entry = timeline.entries[phase]
    if entry.phase.length.end != nil, outcome == .done, entry.endsSet, state == .running {
      say(Answers.setEnd, at: now, into: &effects)
    }
    sayTotal(end.total, at: now, into: &effects)
  }

  /// Says how many rounds were counted in a phase that has ended.
  mutating func sayTotal(
    _ total: PhaseCounts.Count?, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    guard let total, plan.density(of: timeline.entries[total.phase]) >= .counts else { return }
    say(answers.total(total), at: now, into: &effects)
  }
}
