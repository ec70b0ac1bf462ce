import IntervalTimeline

/// The power in a phase's intensity, as `Effort.label` writes it.
enum PowerLabel {
  typealias Span = (first: Double, last: Double)

  /// In percent of the threshold power; nil for a label without it.
  static func percent(in label: String?) -> Span? { span(before: ["%", "FTP"], in: label) }

  /// In watts.
  static func watts(in label: String?) -> Span? { span(before: ["W"], in: label) }

  /// In revolutions per minute.
  static func cadence(in label: String?) -> Span? { span(before: ["rpm"], in: label) }

  /// What a program that needs a power gets for a phase without one.
  static func usual(_ kind: PhaseKind) -> Span {
    switch kind {
    case .warmup: (50, 65)
    case .cooldown: (65, 50)
    case .high, .work: (100, 100)
    case .low: (65, 65)
    case .prepare, .rest, .recovery: (50, 50)
    }
  }

  private static func span(before unit: [Substring], in label: String?) -> Span? {
    for part in (label ?? "").split(separator: ",") {
      let words = part.words
      guard words.suffix(unit.count).elementsEqual(unit) else { continue }
      let numbers = words.dropLast(unit.count)
      guard let first = numbers.first.flatMap({ decimal($0) }) else { continue }
      if numbers.count == 1 { return (first, first) }
      if numbers.count == 3, numbers.dropFirst().first == "to",
        let last = numbers.last.flatMap({ decimal($0) })
      {
        return (first, last)
      }
    }
    return nil
  }
}
