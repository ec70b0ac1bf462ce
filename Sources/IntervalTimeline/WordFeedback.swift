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
