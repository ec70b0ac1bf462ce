/// Where the words of a hand-off lie, or that they have no place yet.
package struct WordFeedback: Hashable, Sendable {
  /// The `id` of the hand-off.
  package let id: Int
  /// From their first sample to their last; nil while they have no place.
  package let place: ClosedRange<BootInstant>?
  /// How much of it is said.
  package let extent: Extent

  package enum Extent: Hashable, Sendable {
    /// Nothing, or it is not known yet.
    case none
    /// Not the fullest wording.
    case part
    case whole
  }

  package init(id: Int, place: ClosedRange<BootInstant>?, extent: Extent = .none) {
    self.id = id
    self.place = place
    self.extent = extent
  }
}

extension Session {
  /// Learns where its words lie, in order: the last entry about a hand-off is valid.
  package mutating func learn(_ feedback: [WordFeedback]) {
    for words in feedback {
      if let cue = announcements.learn(words) { learn(cue, words) }
      if answer?.id == words.id { answer?.until = words.place?.upperBound }
    }
  }

  /// Notes what a listener is told of a phase.
  private mutating func learn(_ cue: Cue, _ words: WordFeedback) {
    let phase: Int
    switch cue.content {
    case .next(let next): phase = next
    case .begins: phase = cue.phase
    default: return
    }
    guard words.extent != .none, let place = words.place else {
      told.removeAll { $0.phase == phase }
      return
    }
    noteTold(phase, until: place.upperBound, isWhole: words.extent == .whole)
    familiarity.note(phase, isWhole: words.extent == .whole, in: timeline)
  }

  /// Whether the name of a phase is all that is said of it.
  package func nameIsEnough(for phase: Int) -> Bool {
    plan.density(of: timeline.entries[phase].phase.kind) < .full
      && familiarity.knows(phase, in: timeline)
  }
}
