import CueEngine
import IntervalTimeline

/// The phases of which something is not told: its words found no room, or a text of the preset stands for them.
///
/// A phase is told ahead, at its start, or by a text of the preset in its first seconds: whatever one of them says
/// is told.
struct UntoldPhases {
  /// What a listener is told of a phase, in this order.
  private enum Fact: String, CaseIterable {
    case name, length, target
  }

  /// Phases of which the same is not told, for the same reason.
  struct Line {
    /// "3 phases: length not told, no room (the first is Hard at 5:00)".
    let text: String
    let facts: [String]
    let reason: NoteReason
    let count: Int
    /// The index of the first phase.
    let first: Int
  }

  private let timeline: Timeline
  private let phrases: PhraseCatalogue
  /// By phase: what was said of it, and what was left out.
  private var told: [Int: Set<Fact>] = [:]
  private var cut: [Int: Set<Fact>] = [:]
  /// The phases that the coach tells, and those that have a text of the preset in its place.
  private var announced: Set<Int> = []
  private var replaced: Set<Int> = []
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
      guard let start = starts[cue.phase], start.duration(to: cue.due) <= Script.ownText,
        cue.outcome != .dropped
      else { return }
      told[cue.phase, default: []].formUnion(facts(of: cue.phase, in: cue.text))
      if Script(timeline).hasOwnText(cue.phase) { replaced.insert(cue.phase) }
    default: break
    }
  }

  private mutating func note(_ cue: LedgerEvent.CueEntry, of phase: Int) {
    guard phase < timeline.count, [.played, .shortened, .dropped].contains(cue.outcome) else {
      return
    }
    announced.insert(phase)
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
    let text = Array(text.utf8)
    return Set(
      Fact.allCases.filter { fact in
        guard let words = words(for: fact, of: phase)?.utf8 else { return false }
        return text.indices.contains { text[$0...].starts(with: words) }
      })
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

  /// One for each combination.
  var lines: [Line] {
    let withoutRoom = cut.keys.sorted().flatMap { first -> [(phase: Int, lacks: [Fact])] in
      let lacks = cut[first, default: []].subtracting(told[first, default: []])
      guard first > 0, !lacks.isEmpty else { return [] }
      return phases(toldWith: first).map { ($0, Fact.allCases.filter(lacks.contains)) }
    }
    let withOwnText = replaced.subtracting(announced).sorted().compactMap {
      phase -> (phase: Int, lacks: [Fact])? in
      guard Script(timeline).place(of: phase) != .nowhere else { return nil }
      // A workout may begin with a text of its own; not to know a long warm-up is worth a word.
      guard phase > 0 || timeline.length(of: phase).map({ $0 >= Script.longRest }) ?? true else {
        return nil
      }
      let lacks = Fact.allCases.filter { words(for: $0, of: phase) != nil }
        .filter { !told[phase, default: []].contains($0) }
      return lacks.isEmpty ? nil : (phase, lacks)
    }
    return lines(of: withoutRoom, because: .room) + lines(of: withOwnText, because: .ownText)
  }

  private func lines(
    of untold: [(phase: Int, lacks: [Fact])], because reason: NoteReason
  ) -> [Line] {
    let why = reason == .room ? "no room" : "a text of the preset stands for it"
    return Dictionary(grouping: untold, by: \.lacks).values
      .sorted { $0[0].phase < $1[0].phase }
      .map { phases in
        let first = phases[0].phase
        let facts = phases[0].lacks.map(\.rawValue)
        let name = phrases.name(of: timeline.entries[first].phase).shownName
        let at = timeline.start(of: first).map { " at \($0.clockText)" } ?? ""
        let text =
          "\(WorkoutProfile.count(phases.count, "phase")): \(facts.formatted) not told, \(why) "
          + "(\(phases.count > 1 ? "the first is " : "")\(name)\(at))"
        return Line(text: text, facts: facts, reason: reason, count: phases.count, first: first)
      }
  }
}

extension [String] {
  /// "name, length and target".
  fileprivate var formatted: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + self[count - 1]
  }
}
