import IntervalTimeline

/// What was done of each phase of a session that is over, against the plan.
package struct SessionCourse: Hashable, Codable, Sendable {
  /// One phase.
  package struct Phase: Hashable, Codable, Sendable {
    /// As the preset calls it; empty where it has no name but its kind.
    package var label: String
    package var kind: PhaseKind
    /// From 1; nil outside of numbered sets.
    package var set: Int?
    /// Whole milliseconds, at most; nil for an open phase without a longest length.
    package var planned: Int64?
    /// Whole milliseconds of workout time; more than planned where it was done again.
    package var done: Int64
    /// How it ended; pending where the workout ended before.
    package var outcome: PhaseOutcome
  }

  package var phases: [Phase]

  /// Longer workouts have their figures alone.
  package static let maxCount = 1000

  package init(_ phases: [Phase]) { self.phases = phases }

  /// Nil where a version that kept no times has recorded it, and for a workout of too many phases.
  package init?(_ record: SessionRecord, in timeline: Timeline) {
    guard timeline.count <= Self.maxCount, let times = PhaseTimes(record, in: timeline) else {
      return nil
    }
    phases = timeline.entries.enumerated().map { index, entry in
      Phase(
        label: (entry.phase.name ?? "").shown(atMost: 40), kind: entry.phase.kind,
        set: entry.set,
        planned: timeline.length(of: index).map { $0.wholeNanoseconds / 1_000_000 },
        done: times[index].wholeNanoseconds / 1_000_000,
        outcome: record.outcomes.indices.contains(index) ? record.outcomes[index] : .pending)
    }
  }

  /// How long was spent in phases of some kinds.
  private func time(in isIncluded: (PhaseKind) -> Bool) -> Duration {
    .milliseconds(phases.reduce(0) { isIncluded($1.kind) ? $0 + $1.done : $0 })
  }

  /// In efforts, as the announcement of the end counts them.
  package var work: Duration { time(in: \.isEffort) }
  package var rest: Duration { time(in: \.isRest) }
}

/// As a text for a database and for exports: the labels on a line of their own, divided by tabs, and on the second the
/// phases: kind, label, set, planned, done, outcome; "-" for what there is not.
extension SessionCourse {
  package var text: String {
    var labels: [String] = []
    var numbers: [String: Int] = [:]
    let phases = phases.map { phase in
      if numbers[phase.label] == nil {
        numbers[phase.label] = labels.count
        labels.append(phase.label)
      }
      let fields = [
        phase.kind.rawValue, "\(numbers[phase.label] ?? 0)", phase.set.map { "\($0)" } ?? "-",
        phase.planned.map { "\($0)" } ?? "-", "\(phase.done)", "\(phase.outcome.rawValue)",
      ]
      return fields.joined(separator: " ")
    }
    return labels.joined(separator: "\t") + "\n" + phases.joined(separator: ";")
  }

  /// Nil for a text that is none of `text`.
  package init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 2 else { return nil }
    let labels = lines[0].split(separator: "\t", omittingEmptySubsequences: false)
    guard
      labels.allSatisfy({ $0.unicodeScalars.count <= 400 && String($0).singleLine == $0 })
    else { return nil }
    phases = []
    for part in lines[1].split(separator: ";") {
      let fields = part.split(separator: " ")
      guard phases.count < Self.maxCount, fields.count == 6,
        let kind = PhaseKind(rawValue: String(fields[0])), let label = Int(fields[1]),
        labels.indices.contains(label), let done = Int64(fields[4]),
        let outcome = UInt8(fields[5]).flatMap(PhaseOutcome.init(rawValue:)),
        fields[2] == "-" || Int(fields[2]) != nil, fields[3] == "-" || Int64(fields[3]) != nil
      else { return nil }
      let phase = Phase(
        label: String(labels[label]), kind: kind, set: Int(fields[2]), planned: Int64(fields[3]),
        done: done, outcome: outcome)
      guard
        ([phase.done, phase.planned ?? 0, Int64(phase.set ?? 0)]).allSatisfy(Self.sane.contains)
      else { return nil }
      phases.append(phase)
    }
  }
  /// Up to a hundred days.
  private static let sane: ClosedRange<Int64> = 0...8_640_000_000
}

/// What an entry of the history says of its start; empty in those of earlier versions.
package struct SessionOrigin: Hashable, Codable, Sendable {
  /// By which its preset was started; empty for a workout without one.
  package var preset = ""
  /// Those of its workout.
  package var tags: [String] = []
  /// True if the lane has the name of a person, who was named at the start.
  package var isPersons = false

  package init(preset: String = "", tags: [String] = [], isPersons: Bool = false) {
    (self.preset, self.tags, self.isPersons) = (preset, tags, isPersons)
  }

  /// As a database has them, so that one of them is found as a part: " short trained ".
  package var tagText: String { tags.isEmpty ? "" : " \(tags.joined(separator: " ")) " }

  /// Nil where a word is no tag.
  package static func tags(_ text: String) -> [String]? {
    let words = text.split(separator: " ").map(String.init)
    return words.count <= WorkoutFacts.maximumTags && words.allSatisfy(WorkoutFacts.isTag)
      ? words : nil
  }
}

extension SessionOrigin {
  /// That of a session, by the order that is kept with it.
  package init(_ identity: SessionIdentity) {
    preset = identity.workout.preset.map { NameRule.lane.fitted($0) } ?? ""
    tags = identity.workout.facts.tags
    isPersons = identity.order.lane == identity.lane
  }
}
