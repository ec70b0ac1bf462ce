/// One piece of a workout's outline, to be drawn to scale.
public struct OutlineSegment: Hashable, Codable, Sendable {
  /// The phase's kind; where the segment is a whole set, that of its effort.
  public var kind: PhaseKind
  /// What the coach calls the phase, at most 60 characters; where the segment is a whole set, its first.
  public var label: String
  /// Seconds, at most; nil for an open phase without a longest length.
  public var seconds: Double?
  /// How many repetitions end the phase; nil where none do, and where the segment is a whole set.
  public var reps: Int?
  /// The set's number, from 1; nil where the phase is in no numbered set.
  public var set: Int?
  /// How many sets its block has.
  public var sets: Int?
  /// True where `seconds` is the most, because something may end the phase, or one of the set, before its time.
  /// Nil otherwise, and at first.
  public var mayEndEarly: Bool?

  /// The arguments are taken as they are.
  public init(kind: PhaseKind, label: String, seconds: Double?, set: Int?, sets: Int?) {
    self.kind = kind
    self.label = label
    self.seconds = seconds
    self.set = set
    self.sets = sets
  }
}
