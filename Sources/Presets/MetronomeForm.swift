import IntervalTimeline

/// The metronome of a phase: `90`, `{rate: 24, ratio: 1:2}`, `{rate: 18 to 30}`, `{every: 1.15s, accent: 4}`,
/// `{cadence: 60, subdivide: 2}`.
package enum MetronomeForm {
  private static let expectedRate: Sentence =
    "1 to 240 beats a minute, such as 90, or a ramp such as 18 to 30"
  private static let expectedRatio: Sentence = "two numbers from 0.1 to 10, such as 1:2, or auto"

  /// - Parameter length: of its phase.
  static func metronome(
    _ entry: YamlEntry, _ length: PhaseLength
  ) throws(FileFault) -> Metronome {
    guard let map = YamlMap(entry.value) else {
      return try checked(Metronome(try rate(entry, length)), entry)
    }
    let rates = ["rate", "cadence", "every"]
    try map.checkKeys(rates + ["ratio", "accent", "subdivide"], of: "a metronome")
    let found = map.entries.filter { rates.contains($0.key) }
    guard found.count == 1, let speed = found.first else {
      throw entry.fault(
        found.isEmpty
          ? "a metronome without a rate" : "\(found[0].key) and \(found[1].key) in one metronome",
        expected: "one of \(rates.joined(separator: ", "))")
    }
    var metronome = Metronome(
      speed.key == "every" ? .every(try period(speed)) : try rate(speed, length))
    metronome.accent = try map["accent"]?.count(in: Metronome.accents)
    metronome.subdivision = try map["subdivide"]?.count(in: Metronome.subdivisions)
    metronome.stroke = try map["ratio"].map { entry throws(FileFault) in try stroke(entry) }
    if let ratio = map["ratio"], metronome.subdivision != nil {
      throw FileFault(
        line: ratio.line, "ratio and subdivide in one metronome", expected: "one of them")
    }
    return try checked(metronome, entry)
  }

  private static func checked(
    _ metronome: Metronome, _ entry: YamlEntry
  ) throws(FileFault) -> Metronome {
    guard metronome.isPermitted else {
      throw entry.fault(
        "a metronome with too many ticks: each beat has those of subdivide, or two with a ratio",
        expected: "at most 480 ticks a minute")
    }
    return metronome
  }

  private static func rate(
    _ entry: YamlEntry, _ length: PhaseLength
  ) throws(FileFault) -> Metronome.Rate {
    let words = entry.value.text?.split(separator: " ").map(String.init) ?? []
    let numbers = words.enumerated().compactMap { $0.offset == 1 ? nil : decimal($0.element) }
    switch words.count {
    case 1 where numbers.count == 1 && Metronome.rates.contains(numbers[0]):
      return .steady(numbers[0])
    case 3
    where words[1] == "to" && numbers.count == 2 && numbers.allSatisfy(Metronome.rates.contains):
      guard length.duration != nil else {
        throw entry.fault(
          "a ramp in a phase of which nobody knows the length",
          expected: "a fixed length or at-most, or one number")
      }
      return .ramp(numbers[0], numbers[1])
    default: throw entry.fault(expected: expectedRate)
    }
  }

  /// Digits with a point at most.
  private static func decimal(_ text: some StringProtocol) -> Double? {
    text.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
      ? Double(text) : nil
  }

  private static func period(_ entry: YamlEntry) throws(FileFault) -> Duration {
    guard let time = try entry.fixedLength() else {
      throw entry.fault(expected: "a length such as 1.15s")
    }
    guard Metronome.rates.contains(.seconds(60) / time) else {
      throw entry.fault(expected: "0.25s to 1m")
    }
    return time
  }

  private static func stroke(_ entry: YamlEntry) throws(FileFault) -> Metronome.Stroke {
    guard let text = entry.value.text else { throw entry.fault(expected: expectedRatio) }
    if text == "auto" { return .auto }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { decimal($0) }.filter(Metronome.ratios.contains)
    guard parts.count == 2, numbers.count == 2 else { throw entry.fault(expected: expectedRatio) }
    return .ratio(numbers[0], numbers[1])
  }

  /// As a preset has it.
  package static func text(of metronome: Metronome) -> String {
    var parts =
      switch metronome.rate {
      case .steady(let rate): ["rate: \(number(rate))"]
      case .every(let time): ["every: \(LengthText.text(of: time))"]
      case .ramp(let first, let last): ["rate: \(number(first)) to \(number(last))"]
      }
    switch metronome.stroke {
    case .ratio(let one, let other): parts.append("ratio: \(number(one)):\(number(other))")
    case .auto: parts.append("ratio: auto")
    case nil: break
    }
    if let accent = metronome.accent { parts.append("accent: \(accent)") }
    if let subdivision = metronome.subdivision { parts.append("subdivide: \(subdivision)") }
    if case .steady(let rate) = metronome.rate, parts.count == 1 { return number(rate) }
    return "{\(parts.joined(separator: ", "))}"
  }

  private static func number(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
