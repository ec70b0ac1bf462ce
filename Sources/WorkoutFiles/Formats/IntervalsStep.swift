import IntervalTimeline

/// A step of a workout of intervals.icu: `Hard 30^Halfway 1m 110% 90rpm`.
struct IntervalsStep {
  enum Length: Equatable {
    /// In seconds.
    case time(Double)
    /// In metres.
    case distance(Double)
    /// Until a key is pressed.
    case lap
  }

  struct Prompt {
    let at: Duration
    var text: String
  }

  let line: Int
  let length: Length
  /// A length beside `press lap`.
  let hasLengthToo: Bool
  /// What is written before the length, without the texts at later times.
  private(set) var cue = ""
  private(set) var prompts: [Prompt] = []
  /// What is written after it; empty for nothing.
  let target: String

  /// Nil for a text without a length.
  init?(_ text: Substring, line: Int) {
    self.line = line
    var words = text.words
    // The sign between texts and length.
    words.removeAll { $0 == "<!>" }
    let press = words.indices.dropLast().first {
      words[$0].lowercased() == "press" && words[$0 + 1].lowercased() == "lap"
    }
    if let press { words.removeSubrange(press...press + 1) }
    let place = words.firstIndex { Self.length($0) != nil }
    guard press != nil || place != nil else { return nil }
    hasLengthToo = place != nil
    length = press != nil ? .lap : place.flatMap { Self.length(words[$0]) } ?? .lap
    let end = place ?? press ?? 0
    target = words[(place.map { $0 + 1 } ?? end)...].joined(separator: " ")
    readCue(words[..<end])
  }

  /// "First 60^30 Second": the first at once, the second after 60 s, shown for 30 s.
  private mutating func readCue(_ words: ArraySlice<Substring>) {
    var first: [Substring] = []
    for word in words {
      if let caret = word.firstIndex(of: "^"), let at = Self.whole(word[..<caret]), at <= 86_400 {
        let shown = word[word.index(after: caret)...].drop { $0.isNumber }
        prompts.append(Prompt(at: .seconds(at), text: String(shown)))
      } else if let last = prompts.indices.last {
        prompts[last].text += prompts[last].text.isEmpty ? word : " " + word
      } else {
        first.append(word)
      }
    }
    cue = first.joined(separator: " ")
  }

  /// The kind that a percentage of the threshold power, or a zone, stands for.
  var kind: PhaseKind? {
    let words = Substring(target.lowercased()).words
    if words.contains(where: { $0.hasSuffix("hr") || $0.hasSuffix("pace") }) { return nil }
    for word in words {
      if word.hasSuffix("%") {
        let numbers = word.dropLast().split(separator: "-").compactMap { decimal($0) }
        guard let first = numbers.first, let last = numbers.last else { continue }
        return Effort.kind(percent: (first + last) / 2)
      }
      if word.hasPrefix("z"), let zone = Self.whole(word.dropFirst()) {
        return zone <= 1 ? .recovery : zone == 2 ? .low : .high
      }
    }
    return nil
  }

  // MARK: Ramps

  struct Ramp {
    let first: Double
    let last: Double
    /// As it stands in a name: "%", "W", "% HR".
    let unit: String
    /// The target in the coach's words, or as it is written where there is more to it than a power and a cadence.
    let label: String
  }

  /// Nil unless the target says `ramp` and from where to where: `ramp 50-75%`.
  var ramp: Ramp? {
    let words = Substring(target).words.filter { $0.lowercased() != "ramp" }
    guard words.count < Substring(target).words.count,
      let (place, span) = words.indices.lazy.compactMap({ index in
        Self.span(words[index]).map { (index, $0) }
      }).first
    else { return nil }
    let rest = Array(words[..<place] + words[(place + 1)...])
    let of = rest.first.flatMap { $0.lowercased().hasSuffix("hr") || $0 == "Pace" ? $0 : nil }
    let unit = span.unit + (of.map { " \($0)" } ?? "")
    let cadence = rest.first.flatMap { word in
      word.lowercased().hasSuffix("rpm") ? decimal(word.dropLast(3)) : nil
    }
    guard rest.count == (cadence == nil ? 0 : 1) else {
      return Ramp(first: span.first, last: span.last, unit: unit, label: target)
    }
    let power = Effort.label(span.first, span.last, span.unit == "%" ? "% FTP" : span.unit)
    let label = [power, cadence.map { Effort.label($0, nil, "rpm") }].compactMap { $0 }
    return Ramp(
      first: span.first, last: span.last, unit: unit, label: label.joined(separator: ", "))
  }

  /// `50-75%` or `180-220w`; nil for any other word.
  private static func span(_ word: Substring) -> (first: Double, last: Double, unit: String)? {
    guard let unit = ["%": "%", "w": "W"][word.suffix(1).lowercased()] else { return nil }
    let numbers = word.dropLast().split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, let first = decimal(numbers[0]), let last = decimal(numbers[1]),
      first != last
    else { return nil }
    return (first, last, unit)
  }

  // MARK: Lengths

  private static let metres: [String: Double] = [
    "mtr": 1, "meters": 1, "metres": 1, "km": 1000, "mi": 1609.344, "y": 0.9144, "yd": 0.9144,
    "yrd": 0.9144,
  ]

  private static let seconds: [String: Double] = [
    "h": 3600, "m": 60, "'": 60, "s": 1, "\"": 1,
  ]

  /// `10m`, `1h30m`, `5m30`, `30"`, `400mtr`, `2km`; nil for any other word.
  private static func length(_ word: Substring) -> Length? {
    var rest = word.lowercased()[...]
    var total = 0.0
    var smallest = Double.infinity
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = rest[digits.endIndex...].prefix { !$0.isNumber && $0 != "." }
      guard let number = decimal(digits) else { return nil }
      rest = rest[unit.endIndex...]
      if smallest == .infinity, rest.isEmpty, let metres = Self.metres[String(unit)] {
        return .distance(number * metres)
      }
      // "5m30": seconds after minutes need no unit.
      let isBare = unit.isEmpty && rest.isEmpty && smallest == 60
      guard let value = isBare ? 1 : Self.seconds[String(unit)], value < smallest else {
        return nil
      }
      smallest = value
      total += number * value
    }
    return smallest == .infinity ? nil : .time(total)
  }

  private static func whole(_ text: Substring) -> Int? {
    text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }
}
