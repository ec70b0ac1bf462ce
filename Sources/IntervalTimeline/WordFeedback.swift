/// Where the words of a hand-off lie, or that they have no place yet.
package struct WordFeedback: Hashable, Sendable {
  /// The `id` of the hand-off.
  package let id: Int
  /// From their first sample to their last; nil while they have no place.
  package let place: ClosedRange<BootInstant>?

  package init(id: Int, place: ClosedRange<BootInstant>?) {
    self.id = id
    self.place = place
  }
}

extension Session {
  /// Learns where its words lie, in order: the last entry about a hand-off is valid.
  package mutating func learn(_ feedback: [WordFeedback]) {
    for words in feedback {
      announcements.learn(words)
      if answer?.id == words.id { answer?.until = words.place?.upperBound }
    }
  }
}
