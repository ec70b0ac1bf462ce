/// Ends of open phases that the trainer decides: by a signal, or by a count.
extension Session {
  /// The repetitions or rounds counted in the running phase, from 0; nil unless it counts them.
  package func repetitions(at now: BootInstant) -> Int? {
    let phase = transport.position(at: now).phase
    return timeline.entry(phase)?.phase.isCounted == true ? counts.count(in: phase) : nil
  }

  /// True where `next` counts a round.
  func countsRounds(at now: BootInstant) -> Bool {
    now >= transport.started && transport.entry(at: now)?.phase.countsRounds == true
  }

  /// Says how many rounds were counted in a phase that has ended.
  mutating func sayTotal(
    _ total: PhaseCounts.Count?, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    guard let total, plan.density(of: timeline.entries[total.phase]) >= .counts else { return }
    say(answers.total(total), at: now, into: &effects)
  }

  /// Obeys a signal from outside, such as a sensor's. It ends the running phase if that is open until this
  /// signal: at once, or when the phase's shortest length has passed. Changes nothing otherwise, in a pause,
  /// and where the end is decided already; there is no effect `signalled` then.
  package mutating func signal(_ name: String, at now: BootInstant) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    guard state == .running else { return effects }
    followPhases(to: now, into: &effects)
    guard state == .running, now >= transport.started,
      case let phase = transport.position(at: now).phase, !transport.isEndDecided(of: phase),
      timeline.entries[phase].phase.length.end == .signal(name)
    else { return effects }
    effects.append(.signalled(name, at: now))
    endOpenPhase(at: now, into: &effects)
    return concluded(effects, at: now)
  }

  /// The heart rate is low enough: ends the running phase where it waits for that.
  package mutating func heartRateIsLow(at now: BootInstant) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    guard state == .running else { return effects }
    followPhases(to: now, into: &effects)
    guard state == .running, now >= transport.started,
      case let phase = transport.position(at: now).phase, !transport.isEndDecided(of: phase),
      timeline.entry(phase)?.phase.restLimit != nil
    else { return effects }
    effects.append(.signalled("heart-rate-low", at: now))
    endOpenPhase(at: now, into: &effects)
    return concluded(effects, at: now)
  }

  /// True in a pause of a phase that a signal would end, or with nil a repetition be counted in, if the workout ran.
  package func isPaused(waitingFor signal: String?, at now: BootInstant) -> Bool {
    let phase = transport.position(at: now).phase
    guard state == .paused, let entry = timeline.entry(phase), !transport.isEndDecided(of: phase)
    else { return false }
    guard let signal else {
      var counts = counts
      return counts.add(to: phase, of: timeline) != nil
    }
    return entry.phase.length.end == .signal(signal)
  }

  /// Counts a repetition or a round aloud. The last repetition ends the phase.
  ///
  /// - Parameter command: `rep`, or `next` in a phase that counts rounds.
  mutating func countRepetition(
    by command: Command = .rep, at now: BootInstant, into effects: inout [SessionEffect]
  ) {
    let phase = transport.position(at: now).phase
    guard now >= transport.started, phase < timeline.count,
      let (number, isLast) = counts.add(to: phase, of: timeline)
    else { return }
    effects.append(.obeyed(command, at: now))
    if isLast { endOpenPhase(at: now, into: &effects) }
    let entry = timeline.entries[phase]
    guard entry.phase.countsAloud, plan.density(of: entry) >= .counts else { return }
    let endsPhase = isLast && transport.position(at: now).phase != phase
    say(answers.number(number, endsPhase: endsPhase), at: now, into: &effects)
  }

  /// Ends the running open phase as done, or, before its shortest length, decides that it ends then.
  private mutating func endOpenPhase(at now: BootInstant, into effects: inout [SessionEffect]) {
    let here = transport.position(at: now)
    let entry = timeline.entries[here.phase]
    if case .open(_, let bounds) = entry.phase.length, let least = bounds.atLeast,
      here.elapsed - here.phaseStart < least
    {
      let end = transport.nominalInstant(of: here.phaseStart + least)
      var settled = transport
      settled.setLength(least, at: now)
      let isKept =
        answers.areOver(by: end)
        && scan.settle(until: end, at: now, from: transport, to: settled, plan)
      transport = settled
      if !isKept {
        // What leads to the phase's longest length is not true any more.
        effects.append(.withdraw)
        scan.withdraw(at: now, keepsPlace: true)
        scan.rescan(at: now, in: transport, plan)
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
    effects.append(log.end(phase, as: outcome, at: now))
    let total = counts.close(phase, of: timeline)
    move(to: phase + 1, at: now, into: &effects)
    let isOpen = timeline.entries[phase].phase.length.end != nil
    if isOpen, outcome == .done, timeline.entries[phase].endsSet, state == .running {
      say(
        .init(content: .transition(.setEnd), delay: .zero, patience: .zero), at: now,
        into: &effects)
    }
    sayTotal(total, at: now, into: &effects)
  }
}
