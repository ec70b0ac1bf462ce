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
    /// Of those whose length is known: about, or at most.
    var length = Duration.zero
    /// The workout says about how long one of them is.
    var isAbout = false
    /// One of them may end before that.
    var mayEndEarly = false
    /// How many have no longest length.
    var endless = 0
    /// How many do not even say about how long they are.
    var unknown = 0
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
    for (entry, about) in zip(timeline.entries, timeline.aboutLengths) {
      let kind = entry.phase.kind
      var total =
        totals[kind]
        ?? Total(kind: kind, name: style.phrases.name(of: Phase(kind, entry.phase.length)))
      total.phases += 1
      let most = entry.phase.length.duration
      total.length += about ?? .zero
      if let about, about != most { total.isAbout = true }
      let length = entry.phase.length
      if length.end != nil, length.sendOff == nil, length.about == nil, most != nil {
        total.mayEndEarly = true
      }
      if most == nil { total.endless += 1 }
      if about == nil { total.unknown += 1 }
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
    (timeline.aboutLength ?? timeline.length).map { Int((100 * (total.length / $0)).rounded()) }
  }
}

extension WorkoutProfile.Total {
  /// "2:40", "about 15:50", "at most 54:00", "2:40 and 3 open", "3 open".
  var lengthText: String {
    let limit = isAbout ? "about " : mayEndEarly ? "at most " : ""
    let known = length > .zero ? limit + length.clockText : nil
    return [known, unknown > 0 ? "\(unknown) open" : nil].compactMap { $0 }
      .joined(separator: " and ")
  }
}
