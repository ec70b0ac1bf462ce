/// One piece of a workout's outline, to be drawn to scale.
public struct OutlineSegment: Hashable, Codable, Sendable {
  /// The phase's kind; where the segment is a whole set, that of its effort.
  public var kind: PhaseKind
  /// What the coach calls the phase, at most 60 characters; where the segment is a whole set, its first.
  public var label: String
  /// Seconds, at most; nil for an open phase without a longest length.
  public var seconds: Double?
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

  init(_ entry: Timeline.Entry, _ phrases: PhraseCatalogue) {
    self.init(
      kind: entry.phase.kind, label: phrases.name(of: entry.phase).shown(atMost: 60),
      seconds: entry.phase.length.duration.map { $0 / .seconds(1) }, set: entry.set,
      sets: entry.sets)
    mayEndEarly = entry.phase.length.hasLongest ? true : nil
  }

  /// A workout's phases; where they are more than `limit` its sets. Nil where those are too many, and where phases
  /// come by surprise, which an outline would show.
  package static func outline(
    of timeline: Timeline, _ phrases: PhraseCatalogue, limit: Int
  ) -> [OutlineSegment]? {
    if timeline.entries.contains(where: { $0.phase.isSurprise }) { return nil }
    let phases = timeline.entries.count <= limit
    var segments: [OutlineSegment] = []
    var place: (block: Int, set: Int?)?
    for entry in timeline.entries {
      if !phases, let place, place == (entry.block, entry.set), entry.set != nil {
        let last = segments.count - 1
        let seconds = entry.phase.length.duration.map { $0 / .seconds(1) }
        segments[last].seconds = segments[last].seconds.flatMap { sum in seconds.map { sum + $0 } }
        if entry.phase.length.hasLongest { segments[last].mayEndEarly = true }
        // The colour of a set is that of its effort.
        if entry.phase.kind.isEffort { segments[last].kind = entry.phase.kind }
      } else {
        guard segments.count < limit else { return nil }
        segments.append(OutlineSegment(entry, phrases))
      }
      place = (entry.block, entry.set)
    }
    return segments
  }
}

extension PhaseLength {
  /// True for an open phase with a longest length.
  fileprivate var hasLongest: Bool { end != nil && duration != nil }
}
