import IntervalTimeline

extension OutlineSegment {
  init(_ entry: Timeline.Entry, _ phrases: PhraseCatalogue) {
    self.init(
      kind: entry.phase.kind, label: phrases.name(of: entry.phase).shown(atMost: 60),
      seconds: entry.phase.length.duration.map { $0 / .seconds(1) }, set: entry.set,
      sets: entry.sets)
    mayEndEarly = entry.phase.length.hasLongest ? true : nil
    if case .reps(let count) = entry.phase.length.end { reps = count }
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
        segments[last].reps = nil
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
