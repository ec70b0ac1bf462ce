import IntervalTimeline

/// What the coach says, in English.
struct Phrases: Sendable {
  func phase(_ phase: Phase) -> String {
    // A text of more than 500 characters cannot be spoken, and nobody listens to 200.
    if let name = phase.name { return String(name.prefix(200)) }
    return switch phase.kind {
    case .prepare: "Get ready"
    case .warmup: "Warm-up"
    case .low: "Low"
    case .high: "High"
    case .work: "Work"
    case .rest: "Rest"
    case .recovery: "Recovery"
    case .cooldown: "Cool-down"
    }
  }

  /// "4 minutes", "1 minute 30 seconds", "12 reps"; nil where a phase only waits for "next".
  func length(_ length: PhaseLength) -> String? {
    switch length {
    case .fixed(let duration): self.duration(duration)
    case .open(.reps(let reps)): reps == 1 ? "1 rep" : "\(reps) reps"
    case .open(.untilNext): nil
    }
  }

  /// A duration in whole seconds, rounded up: what is left is never said to be nothing.
  func duration(_ duration: Duration) -> String {
    let seconds = (duration.wholeMilliseconds + 999) / 1000
    let parts: [(Int64, String)] = [
      (seconds / 3600, "hour"), (seconds / 60 % 60, "minute"), (seconds % 60, "second"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return words.isEmpty ? "0 seconds" : words.joined(separator: " ")
  }

  /// What leads up to the count words, from the fullest wording to the shortest.
  func setCompletion(_ set: Int) -> [String] { ["Set \(set) completing in", "Set \(set) in"] }

  var halfway: String { "Halfway" }
  var finish: String { "Workout complete" }

  /// The next phase, from the fullest wording to the shortest.
  func next(_ phase: Phase) -> [String] {
    let name = "Next: \(self.phase(phase))"
    return [length(phase.length).map { "\(name), \($0)" }, name].compactMap { $0 }
  }

  /// "Set 3 of 8, low, 12 seconds left".
  func position(_ entry: Timeline.Entry, left: Duration?) -> String {
    let set = entry.set.map { "Set \($0)\(entry.sets.map { " of \($0)" } ?? "")" }
    let rest = left.map { "\(duration($0)) left" } ?? length(entry.phase.length)
    return [set, phase(entry.phase), rest].compactMap { $0 }.joined(separator: ", ")
  }
}
