/// Which phases of a workout have begun, and how each of them ended.
///
/// What lies behind the phase that was reported last is pending.
struct PhaseLog: Sendable {
  /// How each phase ended, by its index.
  private(set) var outcomes: [PhaseOutcome]
  /// The last phase whose beginning was reported: -1 before the first, the timeline's count for the end.
  private(set) var reported: Int

  /// The log of a workout of which `recorded` is known, the phase in which it is at last.
  init(of timeline: Timeline, recorded: [PhaseOutcome] = []) {
    outcomes = recorded + Array(repeating: .pending, count: timeline.count - recorded.count)
    reported = recorded.count - 1
  }

  /// What is stored: the outcomes up to the current phase.
  var recorded: [PhaseOutcome] { Array(outcomes.prefix(reported + 1)) }

  /// The next phase has begun, or the workout has ended.
  mutating func begin() { reported += 1 }

  mutating func end(
    _ phase: Int, as outcome: PhaseOutcome, at instant: BootInstant
  ) -> SessionEffect {
    outcomes[phase] = outcome
    return .phaseEnded(phase, outcome, at: instant)
  }

  /// The workout moves to the start of a phase: those that will be repeated are pending again.
  mutating func move(to phase: Int) {
    for index in phase..<max(phase, min(reported + 1, outcomes.count)) {
      outcomes[index] = .pending
    }
    reported = phase
  }

  /// Phases that have not ended yet are taken to be done, unless the workout was stopped.
  func done(of timeline: Timeline, isStopped: Bool) -> WorkDone {
    var done = WorkDone(sets: 0, work: .zero)
    for (entry, outcome) in zip(timeline.entries, outcomes)
    where isStopped ? outcome == .done : outcome != .skipped {
      if entry.endsSet { done.sets += 1 }
      guard entry.phase.kind.isEffort else { continue }
      if case .fixed(let length) = entry.phase.length {
        done.work? += length
      } else {
        done.work = nil
      }
    }
    if done.work == .zero { done.work = nil }
    return done
  }
}

/// What of a workout has been done, for the announcement of its end.
package struct WorkDone: Hashable, Sendable {
  /// How many numbered sets were not skipped.
  package var sets: Int
  /// How long the efforts were that were not skipped; nil where nobody knows.
  package var work: Duration?
}

extension Duration {
  /// In whole minutes from ten minutes on.
  package var roundedToBeSaid: Duration {
    self < .seconds(600) ? self : .seconds((components.seconds + 30) / 60 * 60)
  }
}
