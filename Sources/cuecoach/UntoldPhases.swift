import CueEngine
import IntervalTimeline

/// The phases of which something is not told because its words found no room.
///
/// A phase is told ahead, at its start, or by a text of the preset in its first seconds: whatever one of them says
/// is told.
struct UntoldPhases {
  /// What a listener is told of a phase, in this order.
  private enum Fact: String, CaseIterable {
    case name, length, target
  }

  /// A text of the preset this soon after the start stands for the words of the coach.
  private static let ownText = Duration.seconds(3)

  private let timeline: Timeline
  private let phrases: PhraseCatalogue
  /// By phase: what was said of it, and what was left out.
  private var told: [Int: Set<Fact>] = [:]
  private var cut: [Int: Set<Fact>] = [:]
  /// When each phase begins in this run.
  private var starts: [Int: BootInstant] = [:]

  init(_ timeline: Timeline, _ phrases: PhraseCatalogue) {
    self.timeline = timeline
    self.phrases = phrases
  }

  mutating func note(_ cue: LedgerEvent.CueEntry) {
    switch cue.kind {
    case "transition": starts[cue.phase] = cue.due
    case "next": note(cue, of: cue.phase + 1)
    case "begins": note(cue, of: cue.phase)
    case "text":
      guard let start = starts[cue.phase], start.duration(to: cue.due) <= Self.ownText,
        cue.outcome != .dropped
      else { return }
      told[cue.phase, default: []].formUnion(facts(of: cue.phase, in: cue.text))
    default: break
    }
  }

  private mutating func note(_ cue: LedgerEvent.CueEntry, of phase: Int) {
    guard phase < timeline.count, [.played, .shortened, .dropped].contains(cue.outcome) else {
      return
    }
    let said = facts(of: phase, in: cue.text)
    switch cue.outcome {
    // Its text is what would have been said.
    case .dropped: cut[phase, default: []].formUnion(said)
    case .shortened:
      told[phase, default: []].formUnion(said)
      let all = Fact.allCases.filter { words(for: $0, of: phase) != nil }
      cut[phase, default: []].formUnion(Set(all).subtracting(said))
    default: told[phase, default: []].formUnion(said)
    }
  }

  private func facts(of phase: Int, in text: String) -> Set<Fact> {
    Set(Fact.allCases.filter { fact in words(for: fact, of: phase).map(text.contains) ?? false })
  }

  /// How the coach says that; nil where it does not.
  private func words(for fact: Fact, of index: Int) -> String? {
    let phase = timeline.entries[index].phase
    let stretch = Script(timeline).together(from: index).flatMap { $0.times == 1 ? $0.phases : nil }
    return switch (fact, stretch) {
    case (.name, nil): phrases.name(of: phase)
    case (.name, _): nil
    case (.length, nil):
      timeline.isBeforeSurprise(index) ? nil : phrases.length(phase.length)
    case (.length, let stretch?):
      timeline.distance(from: index, to: stretch.upperBound).map(phrases.duration)
    case (.target, nil): phrases.intensity(of: phase)
    case (.target, let stretch?):
      phrases.range(of: stretch.map { timeline.entries[$0].phase })
    }
  }

  /// The phases that are told with that one and are long enough to be told.
  private func phases(toldWith index: Int) -> [Int] {
    let together = Script(timeline).together(from: index)?.phases ?? index..<index + 1
    return together.filter { phase in
      timeline.length(of: phase).map { $0 >= Script.shortest } ?? true
    }
  }

  /// "3 phases: length not told, no room (the first is Hard at 5:00)", for each combination.
  var lines: [(text: String, count: Int, first: Int)] {
    let untold = cut.keys.sorted().flatMap { first -> [(phase: Int, lacks: [Fact])] in
      let lacks = cut[first, default: []].subtracting(told[first, default: []])
      guard first > 0, !lacks.isEmpty else { return [] }
      return phases(toldWith: first).map { ($0, Fact.allCases.filter(lacks.contains)) }
    }
    return Dictionary(grouping: untold, by: \.lacks).values
      .sorted { $0[0].phase < $1[0].phase }
      .map { phases in
        let first = phases[0].phase
        let what = phases[0].lacks.map(\.rawValue).formatted
        let name = phrases.name(of: timeline.entries[first].phase).shownName
        let at = timeline.start(of: first).map { " at \($0.clockText)" } ?? ""
        return (
          "\(WorkoutProfile.count(phases.count, "phase")): \(what) not told, no room "
            + "(\(phases.count > 1 ? "the first is " : "")\(name)\(at))", phases.count, first
        )
      }
  }
}

extension [String] {
  /// "name, length and target".
  fileprivate var formatted: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + self[count - 1]
  }
}
