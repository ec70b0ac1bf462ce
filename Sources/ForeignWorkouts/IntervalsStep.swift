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

  // MARK: Intensity

  /// What a percentage, a zone or a speed may be of.
  private static let references: Set = ["hr", "lthr", "pace", "ftp"]

  /// The target in the coach's words: "from 50 to 75 % FTP, 90 rpm" for `ramp 50-75% 90rpm`. What is no target stays as
  /// it is written.
  var intensity: String {
    let all = Substring(target).words
    let words = all.filter { $0.lowercased() != "ramp" }
    let isRamp = words.count < all.count
    var parts: [Intensity.Part] = []
    var index = 0
    while index < words.count {
      var word = String(words[index])
      index += 1
      if index < words.count, Self.references.contains(words[index].lowercased()) {
        let whole = word + " " + words[index]
        if word.contains(":") || Intensity(reading: whole) != nil {
          // "5:00/km Pace"
          word = word.contains(":") ? word : whole
          index += 1
        }
      }
      parts.append(Self.part(word, isRamp: isRamp && !parts.contains(where: \.isTarget)))
    }
    guard parts.contains(where: \.isTarget) else { return target }
    return Intensity(Self.joined(parts)).text
  }

  private static func part(_ word: String, isRamp: Bool) -> Intensity.Part {
    guard case .target(var measure, var amount)? = Intensity(reading: word)?.parts.first else {
      return .text(word)
    }
    if measure == .percent { measure = .thresholdPower }
    if isRamp, case .range(let first, let last) = amount { amount = .ramp(first, last) }
    return .target(measure, amount)
  }

  /// Words that are no targets stay together.
  private static func joined(_ parts: [Intensity.Part]) -> [Intensity.Part] {
    parts.reduce(into: []) { joined, part in
      if case .text(let word) = part, case .text(let before)? = joined.last {
        joined[joined.count - 1] = .text(before + " " + word)
      } else {
        joined.append(part)
      }
    }
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

extension Intensity.Part {
  fileprivate var isTarget: Bool { if case .target = self { true } else { false } }
}
