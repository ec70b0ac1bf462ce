import CueEngine
import IntervalTimeline

/// What a workout consists of: its phases in words, totals by kind, its sets and cues.
struct WorkoutProfile {
  /// The phases of one kind.
  struct Total {
    let kind: PhaseKind
    /// In the workout's language.
    let name: String
    var phases = 0
    /// Of those whose longest length is known.
    var length = Duration.zero
    /// How many have none.
    var endless = 0
  }

  let timeline: Timeline
  /// Of each kind that the workout has, in the order of `PhaseKind.allCases`.
  let totals: [Total]
  /// How many numbered sets end.
  let sets: Int
  let cues: Int
  let spokenCues: Int
  let phrases: PhraseCatalogue

  init(_ timeline: Timeline, _ style: LaneStyle) {
    self.timeline = timeline
    phrases = style.phrases
    var totals: [PhaseKind: Total] = [:]
    var sets = 0
    for entry in timeline.entries {
      let kind = entry.phase.kind
      var total =
        totals[kind]
        ?? Total(kind: kind, name: style.phrases.name(of: Phase(kind, entry.phase.length)))
      total.phases += 1
      if let length = entry.phase.length.duration {
        total.length += length
      } else {
        total.endless += 1
      }
      totals[kind] = total
      if entry.endsSet { sets += 1 }
    }
    self.totals = PhaseKind.allCases.compactMap { totals[$0] }
    self.sets = sets
    let plan = style.applied(to: CuePlan())
    var (cues, spoken) = (0, 0)
    for index in 0...timeline.count {
      for cue in plan.cues(of: index, in: timeline) {
        cues += 1
        if cue.isSpoken { spoken += 1 }
      }
    }
    (self.cues, spokenCues) = (cues, spoken)
  }

  /// "4:00, 16 phases, 8 sets, 79 cues, 24 of them spoken".
  var facts: String {
    let open = totals.reduce(0) { $0 + $1.endless }
    return [
      timeline.lengthText ?? "open-ended", Self.count(timeline.count, "phase"),
      open > 0 && open < timeline.count ? "\(open) of them open" : nil,
      sets > 0 ? Self.count(sets, "set") : nil, Self.count(cues, "cue"),
      "\(spokenCues) of them spoken",
    ].compactMap { $0 }.joined(separator: ", ")
  }

  /// "8 phases".
  static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// The share of a total in the whole length, in whole per cent; nil where that is not known.
  func percent(_ total: Total) -> Int? {
    timeline.length.map { Int((100 * (total.length / $0)).rounded()) }
  }
}

extension WorkoutProfile.Total {
  /// "2:40", "2:40 and 3 open", "3 open".
  var lengthText: String {
    [length > .zero ? length.clockText : nil, endless > 0 ? "\(endless) open" : nil]
      .compactMap { $0 }.joined(separator: " and ")
  }
}
