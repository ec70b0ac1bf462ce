import IntervalTimeline
import Phrases

/// A stretch of a workout that has a file of its own: a set with the pause after it, or a block without sets, such as
/// the warm-up.
struct WorkoutPart {
  /// The index of its first phase.
  let phase: Int
  /// "Set 3 of 8", or the name of its first phase.
  let title: String

  /// The parts of a workout, in order: together they are all of it.
  static func all(of timeline: Timeline, _ phrases: PhraseCatalogue) -> [WorkoutPart] {
    var parts: [WorkoutPart] = []
    var last: (block: Int, set: Int?)?
    for (index, entry) in timeline.entries.enumerated() {
      // A phase between two sets follows the first of them.
      if let current = last, current.block == entry.block,
        entry.set == nil || entry.set == current.set
      {
        continue
      }
      last = (entry.block, entry.set)
      let name = phrases.name(of: entry.phase)
      parts.append(
        WorkoutPart(phase: index, title: setText(entry, phrases)?.capitalizedFirst ?? name))
    }
    return parts
  }

  /// "set 3 of 8"; nil where the phase is in no numbered set.
  static func setText(_ entry: Timeline.Entry, _ phrases: PhraseCatalogue) -> String? {
    entry.set.map { phrases.screen(.set, ["set": "\($0)", "sets": "\(entry.sets ?? $0)"]) }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
