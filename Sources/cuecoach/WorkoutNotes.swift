import IntervalTimeline

/// Notes and links, which nobody says.
extension Workout {
  /// "note: Warm up first", "link: https://…": of the workout itself.
  var ownNotes: [String] { Self.lines(note, link) }

  /// Of the workout and of its phases, each line once.
  var allNotes: [String] {
    let phases = blocks.flatMap { block in
      block.steps.map(\.phase) + [block.between].compactMap { $0 }
    }
    let lines = phases.flatMap { phase in
      let name = (phase.name ?? phase.kind.rawValue).singleLine
      return Self.lines(phase.note, phase.link).map { "\(name): \($0)" }
    }
    var seen: Set<String> = []
    return (ownNotes + lines).filter { seen.insert($0).inserted }
  }

  private static func lines(_ note: String?, _ link: String?) -> [String] {
    [note.map { "note: \($0)" }, link.map { "link: \($0)" }].compactMap { $0?.singleLine }
  }
}
