import CueEngine
import IntervalTimeline
import Words

/// A preset's cues in the order in which they are due: as planned, and as heard once they are laid
/// out.
struct TimelineCues {
  struct Line {
    let cue: Cue
    /// The kind of what is said of a reading; nil: that of its cue.
    var kindOfReading: String?
    let set: Int?
    /// Workout time; nil after an open phase. For a set completion the time of its first number.
    var at: Duration?
    /// The same since the start of its phase.
    var inPhase: Duration
    var text: String
    /// Its outcome without commands; nil if unknown.
    var outcome: LedgerEvent.Outcome?
    var reason: String?
    /// How much later than planned it is.
    var delay = Duration.zero
    /// Each with its workout time, nil after an open phase. Empty where nothing of it is heard, and without speech.
    var parts: [(text: String, at: Duration?, length: Duration)] = []

    /// As the ledger names it.
    var kind: String { kindOfReading ?? cue.content.name }

    /// What was decided if there was too little room.
    var decision: String? {
      guard let outcome, let reason else { return nil }
      guard let fate = NoteReason(outcome, delay).fate else { return reason }
      return "\(fate): \(reason)"
    }
  }

  private(set) var lines: [Line]
  private let timeline: Timeline
  /// When each phase began, as far as that is known, where readings end phases; empty otherwise.
  private var begun: [Int: Duration] = [:]

  /// The planned cues; those at unknown times in the order of phases.
  init(_ timeline: Timeline, _ style: LaneStyle) {
    self.timeline = timeline
    let plan = style.applied(to: CuePlan())
    lines = (0...timeline.count).flatMap { index in
      let start = timeline.start(of: index)
      let entry = index < timeline.count ? timeline.entries[index] : nil
      return plan.cues(of: index, in: timeline)
        .sorted { ($0.at, $0.earliest) < ($1.at, $1.earliest) }
        .map { cue in
          let moment = CueWording.Moment(
            set: entry?.set,
            phaseLeft: entry?.phase.length.end == nil
              ? entry?.phase.length.duration.map { $0 - cue.at } : nil,
            elapsed: start.map { $0 + cue.at })
          let text =
            style.phrases.meaning(ofSound: cue, in: timeline)
            ?? CueWording(cue, in: timeline, at: moment, phrases: style.phrases).text
          return Line(
            cue: cue, set: entry?.set, at: start.map { $0 + cue.at }, inPhase: cue.at, text: text)
        }
    }
  }

  /// The workout time at which a phase begins; nil where it is unknown.
  func start(of phase: Int) -> Duration? {
    begun[phase] ?? timeline.start(of: phase)
  }

  /// Shows every announcement as it was heard.
  ///
  /// - Parameters:
  ///   - entries: those of its workout, from a rehearsal.
  ///   - lastReading: the time of the last reading of sensors that were heard; nil: none were. Readings end phases before
  ///     their time: what was not heard in a phase that has begun is left out.
  mutating func show(_ entries: [LedgerEvent.CueEntry], lastReading: Duration? = nil) {
    // The sound of a phase tells when it began.
    let sounded = Dictionary(
      entries.filter { $0.kind == "transition" }.map {
        ($0.phase, PlannedRun.start.duration(to: $0.due))
      }, uniquingKeysWith: { _, last in last })
    if let lastReading {
      begun = known(sounded, lastReading)
      for index in lines.indices {
        lines[index].at = start(of: lines[index].cue.phase).map { $0 + lines[index].cue.at }
      }
    }
    var heard: [Kind: [LedgerEvent.CueEntry]] = [:]
    for entry in entries where entry.outcome != .withdrawn {
      heard[Kind(entry), default: []].append(entry)
    }
    for key in heard.keys { heard[key]?.sort { $0.due < $1.due } }
    var taken: [Kind: Int] = [:]
    for index in lines.indices {
      let kind = Kind(lines[index].cue)
      let place = taken[kind, default: 0]
      taken[kind] = place + 1
      if let some = heard[kind], place < some.count { lines[index].take(some[place]) }
    }
    // What could not be told ahead is told as it begins.
    for (kind, some) in heard where kind.name == Cue.Content.begins.name {
      for entry in some.dropFirst(taken[kind, default: 0]) {
        let start = start(of: entry.phase)
        let at =
          start.map { PlannedRun.start.duration(to: entry.planned ?? entry.due) - $0 } ?? .zero
        var line = Line(
          cue: Cue(phase: entry.phase, content: .begins, at: at), set: entry.set,
          at: start.map { $0 + at },
          inPhase: at, text: entry.text)
        line.take(entry)
        let place = lines.firstIndex { $0.cue.phase > entry.phase } ?? lines.endIndex
        lines.insert(line, at: place)
      }
    }
    if lastReading != nil {
      lines.removeAll { $0.outcome == nil && sounded[$0.cue.phase] != nil }
    }
    for entry in entries where entry.kind == Cue.Content.coachingName && !entry.parts.isEmpty {
      let inPhase = PlannedRun.start.duration(to: entry.due) - (sounded[entry.phase] ?? .zero)
      var line = Line(
        cue: Cue(phase: entry.phase, content: .laneName, at: inPhase), kindOfReading: entry.kind,
        set: entry.set, at: start(of: entry.phase).map { $0 + inPhase }, inPhase: inPhase,
        text: entry.text)
      line.take(entry)
      line.inPhase = inPhase
      let place = lines.firstIndex { $0.cue.phase > entry.phase } ?? lines.endIndex
      lines.insert(line, at: place)
    }
    let order = lines.indices.sorted { first, second in
      let (one, other) = (lines[first], lines[second])
      guard one.cue.phase == other.cue.phase else { return first < second }
      if let at = one.at, let otherAt = other.at {
        if at != otherAt { return at < otherAt }
      } else if lastReading != nil, one.inPhase != other.inPhase {
        return one.inPhase < other.inPhase
      }
      return first < second
    }
    lines = order.map { lines[$0] }
  }

  /// When phases begin, up to the first of which nobody knows that: after one that a person ends, or that waited for a
  /// heart rate when the readings were over.
  ///
  /// - Parameter sounded: when the sounds of their beginnings were due in the rehearsal.
  private func known(_ sounded: [Int: Duration], _ lastReading: Duration) -> [Int: Duration] {
    var known: [Int: Duration] = [:]
    for phase in 0...timeline.count {
      guard let begun = sounded[phase] else { continue }
      if phase > 0 {
        let before = timeline.entries[phase - 1].phase
        let isGiven = before.length.duration != nil || before.length.sendOff != nil
        guard isGiven || before.restLimit != nil && begun <= lastReading else { break }
      }
      known[phase] = begun
    }
    return known
  }

  /// Cues of one phase that differ only by their order.
  private struct Kind: Hashable {
    let phase: Int
    let name: String
    let remark: Int?

    init(_ cue: Cue) {
      (phase, name) = (cue.phase, cue.content.name)
      if case .remark(let number) = cue.content { remark = number } else { remark = nil }
    }

    init(_ entry: LedgerEvent.CueEntry) {
      (phase, name, remark) = (entry.phase, entry.kind, entry.remark)
    }
  }
}

extension TimelineCues.Line {
  fileprivate mutating func take(_ entry: LedgerEvent.CueEntry) {
    text = entry.text
    (outcome, reason, delay) = (entry.outcome, entry.reason, entry.delay)
    let isKnown = at != nil
    parts = entry.parts.map {
      ($0.text, isKnown ? .nanoseconds($0.due.nanoseconds) : nil, $0.length)
    }
    if case .setCompletion = cue.content { return }
    if isKnown { at = .nanoseconds(entry.due.nanoseconds) }
    inPhase += delay
  }
}

extension LedgerEvent.CueEntry {
  /// How much later than planned it is.
  var delay: Duration { (planned ?? due).duration(to: due) }
}
