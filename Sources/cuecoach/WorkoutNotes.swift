import CueEngine
import IntervalTimeline

/// What nobody says: the facts of a workout, notes and links.
extension Workout {
  /// "note: Warm up first", "link: https://…": of the workout itself.
  var ownNotes: [String] { Self.lines(note, link) }

  /// Its facts and the notes of it and of its phases, each line once: "for: runners".
  var allNotes: [String] {
    let phases = blocks.flatMap { block in
      block.steps.map(\.phase) + [block.between].compactMap { $0 }
    }
    let lines = phases.flatMap { phase in
      let name = (phase.name ?? phase.kind.rawValue).singleLine
      return Self.lines(phase.note, phase.link).map { "\(name): \($0)" }
    }
    var seen: Set<String> = []
    return (facts.lines + ownNotes + lines).filter { seen.insert($0).inserted }
  }

  private static func lines(_ note: String?, _ link: String?) -> [String] {
    [note.map { "note: \($0)" }, link.map { "link: \($0)" }].compactMap { $0?.singleLine }
  }
}

extension WorkoutFacts {
  private var texts: [(key: String, text: String?)] {
    [("description", description), ("for", audience), ("author", author), ("source", source)]
  }

  /// "for: runners", each on one line.
  fileprivate var lines: [String] {
    let tags = tags.isEmpty ? nil : tags.joined(separator: ", ")
    return (texts + [("tags", tags)]).compactMap { key, text in
      text.map { "\(key): \($0.singleLine)" }
    }
  }

  /// Adds what is known under the keys of a preset.
  func add(to object: inout JSONObject) {
    for (key, text) in texts where text != nil { object.add(key, text) }
    if !tags.isEmpty { object.add("tags", tags) }
  }

  /// True if each of the words stands in it or in one of `names`, in any capitals.
  func match(_ words: [String], in names: [String]) -> Bool {
    let texts = (texts.compactMap(\.text) + tags + names).map { $0.lowercased() }
    return words.allSatisfy { word in
      let word = word.lowercased()
      return texts.contains { $0.contains(word) }
    }
  }
}
