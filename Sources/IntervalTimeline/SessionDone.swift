/// What of a workout has been done, for the announcement of its end.
extension Session {
  package struct Done: Hashable, Sendable {
    /// How many numbered sets were not skipped.
    package var sets: Int
    /// How long the efforts were that were not skipped; nil where nobody knows.
    package var work: Duration?
  }

  /// Phases that have not ended yet are taken to be done, unless the workout was stopped.
  package var done: Done {
    var done = Done(sets: 0, work: .zero)
    for (index, entry) in timeline.entries.enumerated() {
      guard state == .stopped ? outcomes[index] == .done : outcomes[index] != .skipped else {
        continue
      }
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

extension Duration {
  /// In whole minutes from ten minutes on.
  package var roundedToBeSaid: Duration {
    self < .seconds(600) ? self : .seconds((components.seconds + 30) / 60 * 60)
  }
}
