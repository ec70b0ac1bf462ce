/// What became of words that a session handed off: where they lie, or that they have no place yet.
package struct WordFeedback: Hashable, Sendable {
  /// The hand-off's.
  package let id: Int
  /// From their first sample to their last; nil while they have no place.
  package let place: ClosedRange<BootInstant>?

  package init(id: Int, place: ClosedRange<BootInstant>?) {
    self.id = id
    self.place = place
  }
}

extension Session {
  /// Takes in what became of words that it handed off, in order: the last entry about a hand-off is
  /// the one that holds.
  package mutating func learn(_ feedback: [WordFeedback]) {
    for words in feedback {
      announcements.learn(words)
      if answer?.id == words.id { answer?.until = words.place?.upperBound }
    }
  }
}
