extension Intensity {
  /// Reads a text as people and files write it: "95% of FTP", "190–210W", "Z3", "RPE 7-8", "4:30 /km"; a ramp is
  /// "from 50 to 75 % FTP" or "50 → 75 % FTP". Parts stand between commas; what cannot be read stays text.
  ///
  /// Nil where no part can be read.
  public init?(reading text: String) {
    let parts = Self.split(text).map { part in
      IntensityPart(part).map { Part.target($0.measure, $0.amount) } ?? .text(part)
    }
    guard parts.contains(where: { if case .target = $0 { true } else { false } }) else {
      return nil
    }
    self.parts = parts
  }

  /// At commas, but not at that of "62,5 kg".
  private static func split(_ text: String) -> [String] {
    var parts: [String] = []
    var part = ""
    let characters = Array(text)
    for (index, character) in characters.enumerated() {
      let isDecimal =
        character == "," && index > 0 && index + 1 < characters.count
        && characters[index - 1].isDigit && characters[index + 1].isDigit
      if character == ",", !isDecimal {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    return (parts + [part]).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
  }
}

/// One part of a text: words, a number, perhaps another one, and a unit.
private struct IntensityPart {
  let measure: Intensity.Measure
  let amount: Intensity.Amount

  private enum Token: Equatable {
    case number(Double, isTime: Bool)
    /// Letters in small ones, or another sign.
    case word(String)

    var number: (value: Double, isTime: Bool)? {
      if case .number(let value, let isTime) = self { (value, isTime) } else { nil }
    }

    /// As it stands in a unit.
    var text: String {
      switch self {
      case .number(let value, _): Intensity.text(of: value)
      case .word(let word): word
      }
    }
  }

  /// Longer than any that can be read.
  private static let longest = 100
  private static let largest = 100_000.0

  init?(_ text: String) {
    guard text.utf8.count <= Self.longest, let tokens = Self.tokens(text),
      let start = tokens.firstIndex(where: { $0.number != nil }), let first = tokens[start].number
    else { return nil }
    var prefix = Array(tokens[..<start])
    // "from zone 2 to zone 3", "zone from 2 to 3"
    let from = prefix.firstIndex(of: .word("from"))
    if let from { prefix.remove(at: from) }
    let saysFrom = from != nil
    let rest = Array(tokens[(start + 1)...])
    var (suffix, second, isRamp) = (rest, nil as (value: Double, isTime: Bool)?, saysFrom)
    if let span = Self.span(in: rest, after: prefix) {
      (second, suffix) = (rest[span.second].number, Array(rest[(span.second + 1)...]))
      isRamp = saysFrom || span.isArrow
      // "190 W to 210 W"
      if span.at > 0, Self.measure(prefix, Array(rest[..<span.at])) != Self.measure(prefix, suffix)
      {
        return nil
      }
    } else if saysFrom {
      return nil
    }
    guard let measure = Self.measure(prefix, suffix) else { return nil }
    var numbers: [Double] = []
    for number in [first, second].compactMap({ $0 }) {
      guard let value = Self.value(number, measure) else { return nil }
      numbers.append(value)
    }
    self.measure = measure
    amount = Self.amount(numbers, isRamp: isRamp, measure)
  }

  private static func amount(
    _ numbers: [Double], isRamp: Bool, _ measure: Intensity.Measure
  ) -> Intensity.Amount {
    guard numbers.count == 2, numbers[0] != numbers[1] else { return .one(numbers[0]) }
    // A range begins with its least number; of paces that may be either.
    let falls = numbers[0] > numbers[1] && !measure.isPace
    return isRamp || falls ? .ramp(numbers[0], numbers[1]) : .range(numbers[0], numbers[1])
  }

  private static func value(
    _ number: (value: Double, isTime: Bool), _ measure: Intensity.Measure
  ) -> Double? {
    // "5 min/km" has minutes.
    let value = measure.isPace && !number.isTime ? number.value * 60 : number.value
    let range: ClosedRange<Double> =
      switch measure {
      case .exertion: 0...10
      case .zone, .powerZone, .heartRateZone: 0...20
      case _ where measure.isPace: 1...3600
      default: 0...largest
      }
    return range.contains(value) && (measure.isPace || !number.isTime) ? value : nil
  }

  // MARK: Words

  /// Numbers, runs of letters, and single signs; nil for a number that is none.
  private static func tokens(_ text: String) -> [Token]? {
    var tokens: [Token] = []
    var rest = Substring(text.lowercased())
    while let character = rest.first {
      if character.isDigit {
        let digits = rest.prefix { $0.isDigit || $0 == "." || $0 == "," || $0 == ":" }
        guard let number = number(digits) else { return nil }
        tokens.append(number)
        rest = rest[digits.endIndex...]
      } else if character.isLetter {
        let letters = rest.prefix(while: \.isLetter)
        tokens.append(.word(String(letters)))
        rest = rest[letters.endIndex...]
      } else {
        rest = rest.dropFirst()
        switch character {
        case "–", "—", "−", "‑": tokens.append(.word("-"))
        case _ where character.isWhitespace: break
        case ">" where tokens.last == .word("-"): tokens[tokens.count - 1] = .word("→")
        default: tokens.append(.word(String(character)))
        }
      }
    }
    return tokens
  }

  /// "95", "62.5", "62,5", "4:30".
  private static func number(_ digits: Substring) -> Token? {
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let minutes = Int(parts[0]), parts[1].count == 2, let seconds = Int(parts[1]),
        seconds < 60, minutes < 1000
      else { return nil }
      return .number(Double(minutes * 60 + seconds), isTime: true)
    }
    let plain = String(digits.map { $0 == "," ? "." : $0 })
    guard parts.count == 1, plain.last != ".", let number = Double(plain), number.isFinite else {
      return nil
    }
    return .number(number, isTime: false)
  }

  /// What joins two numbers: where it stands, and where the second number does.
  private static func span(
    in tokens: [Token], after prefix: [Token]
  ) -> (at: Int, second: Int, isArrow: Bool)? {
    for at in tokens.indices where ["to", "-", "→"].contains(tokens[at].text) {
      // "Z3-Z4"
      for words in [[], prefix]
      where tokens[(at + 1)...].starts(with: words)
        && at + 1 + words.count < tokens.count && tokens[at + 1 + words.count].number != nil
      {
        return (at, at + 1 + words.count, tokens[at].text == "→")
      }
    }
    return nil
  }

  private static let fillers: Set = ["of", "the", "your", "-"]

  private static func measure(_ prefix: [Token], _ suffix: [Token]) -> Intensity.Measure? {
    func words(_ tokens: [Token]) -> String {
      tokens.map(\.text).filter { !fillers.contains($0) }.joined(separator: " ")
    }
    // No amount is below zero.
    guard prefix.last != .word("-") else { return nil }
    let (before, after) = (words(prefix), words(suffix))
    if before.isEmpty { return units[after] }
    if after.isEmpty || (["rpe", "effort"].contains(before) && ["10", "/ 10"].contains(after)) {
      return named[before]
    }
    // "zone 2 HR"
    return ["z", "zone"].contains(before) ? zones[after] : nil
  }

  private static let named: [String: Intensity.Measure] = [
    "z": .zone, "zone": .zone, "zones": .zone, "power zone": .powerZone, "hr zone": .heartRateZone,
    "heart rate zone": .heartRateZone, "rpe": .exertion, "effort": .exertion,
  ]

  private static let zones: [String: Intensity.Measure] = [
    "hr": .heartRateZone, "heart rate": .heartRateZone, "power": .powerZone,
  ]

  private static let units: [String: Intensity.Measure] = {
    var units: [String: Intensity.Measure] = [
      "w": .watts, "watt": .watts, "watts": .watts, "bpm": .beatsPerMinute,
      "beats per minute": .beatsPerMinute, "beats / min": .beatsPerMinute,
      "rpm": .revolutionsPerMinute, "revolutions per minute": .revolutionsPerMinute,
      "spm": .strokesPerMinute, "strokes per minute": .strokesPerMinute,
      "strokes / min": .strokesPerMinute, "strokes a minute": .strokesPerMinute,
      "km / h": .kilometresPerHour, "kph": .kilometresPerHour, "kmh": .kilometresPerHour,
      "kg": .kilograms, "kilogram": .kilograms, "kilograms": .kilograms, "kilos": .kilograms,
    ]
    let shares: [(Intensity.Measure, [String])] = [
      (.percent, [""]), (.thresholdPower, [" ftp", " threshold power"]),
      (
        .maximumHeartRate,
        [
          " hrmax", " hr max", " max hr", " maxhr", " mhr", " hr", " max heart rate",
          " maximum heart rate", " maximal heart rate", " greatest heart rate",
        ]
      ),
      (.thresholdHeartRate, [" lthr", " threshold hr", " threshold heart rate"]),
      (.thresholdSpeed, [" threshold speed", " threshold pace", " pace"]),
    ]
    for (measure, names) in shares {
      for name in names { for sign in ["%", "percent"] { units[sign + name] = measure } }
    }
    let distances: [(Intensity.Measure, [String])] = [
      (.pacePerKilometre, ["km", "kilometre", "kilometer"]), (.pacePerMile, ["mi", "mile"]),
      (.pacePer500Metres, ["500 m", "500", "500 metres", "500 meters"]),
      (.pacePer100Metres, ["100 m", "100", "100 metres", "100 meters"]),
    ]
    for (measure, names) in distances {
      for name in names {
        for sign in ["/ ", "per ", "min / ", "min per "] { units[sign + name] = measure }
      }
    }
    return units
  }()
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
