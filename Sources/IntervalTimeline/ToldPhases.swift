/// Which phases have been announced, and in which detail, so that none is announced twice.
///
/// It knows the two phases that were told last, the running one and the next, each once; and those that are
/// known by their name.
struct ToldPhases: Sendable {
  private struct Told {
    let phase: Int
    /// When its words are over; nil: the answer to a command tells it.
    let until: BootInstant?
    /// Nothing of it had to be left out.
    let isWhole: Bool
  }

  private var told: [Told] = []
  /// What the listener knows by its name.
  var familiarity = Familiarity()

  /// Whether the phase has been told, or will have been.
  func contains(_ phase: Int) -> Bool { told.contains { $0.phase == phase } }

  /// Whether nothing is to be told at the start of a phase: not where a part had no room ahead, and the phase is
  /// long.
  func isEnough(for phase: Int, in timeline: Timeline) -> Bool {
    told.contains { told in
      told.phase == phase
        && (told.isWhole || timeline.length(of: phase).map { $0 < Script.longEnough } ?? false)
    }
  }

  /// Notes that the phase has been told, or will have been at `until`.
  mutating func note(_ phase: Int, until: BootInstant? = nil, isWhole: Bool = true) {
    told.removeAll { $0.phase == phase }
    told = told.suffix(1) + [Told(phase: phase, until: until, isWhole: isWhole)]
  }

  /// Learns where the words of `cue` lie.
  mutating func learn(_ cue: Cue, _ words: WordFeedback, in timeline: Timeline) {
    let phase: Int
    switch cue.content {
    case .next(let next): phase = next
    case .begins: phase = cue.phase
    default: return
    }
    guard words.extent != .none, let place = words.place else {
      told.removeAll { $0.phase == phase }
      return
    }
    note(phase, until: place.upperBound, isWhole: words.extent == .whole)
    familiarity.note(phase, isWhole: words.extent == .whole, in: timeline)
  }

  /// The words that are not over are withdrawn.
  mutating func withdraw(at now: BootInstant) {
    told.removeAll { $0.until.map { $0 > now } ?? false }
  }

  /// What has been told ahead of another phase than this one is of no use.
  mutating func move(to phase: Int) { told.removeAll { $0.phase != phase } }
}
