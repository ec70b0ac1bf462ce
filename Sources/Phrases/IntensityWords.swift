import IntervalTimeline

/// What the words of an intensity are made of, besides units.
package enum IntensityKey: String, CaseIterable, Hashable, Sendable {
  /// Anything between two amounts: "{first} to {last}".
  case range
  /// From one amount to another in the course of a phase: "from {first} to {last}".
  case ramp
  /// A range of paces, the shortest time first, for a language whose units have another form in `range`; `range` where it
  /// is missing.
  case paceRange = "pace-range"
  /// The same for `ramp`.
  case paceRamp = "pace-ramp"
  /// Between two numbers of a workout's name, "4 x 4": "{first} by {last}".
  case by
  /// Around a percentage: "{n} of maximum heart rate".
  case maximumHeartRate = "maximum-heart-rate"
  /// Around a percentage: "{n} of threshold heart rate".
  case thresholdHeartRate = "threshold-heart-rate"
  /// Around a percentage: "{n} of threshold speed".
  case thresholdSpeed = "threshold-speed"
  /// "zone {n}"
  case zone
  /// "power zone {n}"
  case powerZone = "power-zone"
  /// "heart rate zone {n}"
  case heartRateZone = "heart-rate-zone"
  /// "effort {n} of 10"
  case exertion = "effort"
  /// Around a time: "{n} per kilometre".
  case perKilometre = "per-kilometre"
  /// Around a time: "{n} per mile".
  case perMile = "per-mile"
  /// Around a time: "{n} per 500 metres".
  case per500Metres = "per-500-metres"
  /// Around a time: "{n} per 100 metres".
  case per100Metres = "per-100-metres"

  /// The variables that its text has.
  package var values: [String] {
    switch self {
    case .range, .ramp, .paceRange, .paceRamp, .by: ["first", "last"]
    default: ["n"]
    }
  }

  /// The texts of `PhraseCatalogue.english`.
  static let english: [IntensityKey: String] = [
    .range: "{first} to {last}",
    .ramp: "from {first} to {last}",
    .by: "{first} by {last}",
    .maximumHeartRate: "{n} of maximum heart rate",
    .thresholdHeartRate: "{n} of threshold heart rate",
    .thresholdSpeed: "{n} of threshold speed",
    .zone: "zone {n}",
    .powerZone: "power zone {n}",
    .heartRateZone: "heart rate zone {n}",
    .exertion: "effort {n} of 10",
    .perKilometre: "{n} per kilometre",
    .perMile: "{n} per mile",
    .per500Metres: "{n} per 500 metres",
    .per100Metres: "{n} per 100 metres",
  ]
}

extension PhraseCatalogue {
  /// How a phase's intensity is spoken; nil where it has none. A text that cannot be read is said as it stands.
  public func intensity(of phase: Phase) -> String? {
    phase.intensity.map { text in Intensity(reading: text).map(words) ?? translated(text) }
  }

  /// The first of several targets, for where all have no room; nil where there is one alone.
  package func mainIntensity(of phase: Phase) -> String? {
    guard let parts = phase.intensity.flatMap(Intensity.init(reading:))?.parts, parts.count > 1,
      let first = parts.first(where: { if case .target = $0 { true } else { false } })
    else { return nil }
    return words(of: Intensity([first]))
  }

  /// "95 percent, 90 revolutions per minute", "from 50 to 75 percent". A part without words in the catalogue is said
  /// as it is written.
  public func words(of intensity: Intensity) -> String {
    intensity.parts.map { part in
      switch part {
      case .text(let text): text
      case .target(let measure, let amount):
        AmountWording(catalogue: self).words(of: amount, measure) ?? Intensity([part]).text
      }
    }.joined(separator: ", ")
  }

  /// The span of what some phases aim at, from the least to the greatest; nil unless all aim at the same measure.
  package func range(of phases: [Phase]) -> String? {
    let read = phases.map { $0.intensity.flatMap(Intensity.init(reading:)) }
    for case .target(let measure, _) in read.first??.parts ?? [] {
      let amounts = read.compactMap { $0?[measure] }
      guard amounts.count == read.count else { continue }
      let numbers = amounts.flatMap { [$0.first, $0.last] }
      guard let least = numbers.min(), let greatest = numbers.max() else { continue }
      let amount = least == greatest ? Intensity.Amount.one(least) : .range(least, greatest)
      return words(of: Intensity(measure, amount))
    }
    return nil
  }

  /// A workout's name as people say it: "Norwegian 4 by 4" for "Norwegian 4 x 4", "20 to 30" for "20–30", "30 30" for
  /// "30/30" and "30-30".
  package func title(_ name: String) -> String {
    let characters = Array(translated(name).prefix(Self.maximumName))
    func isDigit(_ index: Int) -> Bool {
      characters.indices.contains(index) && characters[index].isASCII && characters[index].isNumber
    }
    var title = ""
    for (index, character) in characters.enumerated() {
      let isSpaced = index > 0 && characters[index - 1] == " "
      let (before, after) = isSpaced ? (index - 2, index + 2) : (index - 1, index + 1)
      guard let word = sign(character), isDigit(before), isDigit(after) else {
        title.append(character)
        continue
      }
      title += isSpaced ? word : " \(word) "
    }
    return title.split(separator: " ").joined(separator: " ")
  }

  /// What is said for a sign between two numbers; empty for a pause, nil for what is no such sign.
  private func sign(_ character: Character) -> String? {
    let between = ["first": "", "last": ""]
    return switch character {
    case "x", "×": text(.by, between)
    case "–": text(.range, between)
    case "/", "-": ""
    default: nil
    }
  }

  /// "4 minutes 30" for whole seconds.
  func pace(_ number: Double) -> String {
    guard let seconds = Int64(exactly: number) else { return self.number(number) }
    // "2 minutes 5" would be heard as two numbers.
    guard seconds >= 60, seconds % 60 >= 10 else { return duration(.seconds(seconds)) }
    return "\(count(seconds / 60, .minute)) \(seconds % 60)"
  }

  /// "3.2 kilometres": with one decimal at most. The number alone where the catalogue has no words for the unit.
  func quantity(_ number: Double, _ unit: CountUnit) -> String {
    let words = self.number(number)
    if let whole = Int64(words) { return count(whole, unit) }
    return units[unit]?[plural.formOfDecimals(from: number)].map { filled($0, ["n": words]) }
      ?? words
  }

  /// A length with the tenths of its seconds: "1 minute 58.5 seconds".
  func exactDuration(_ duration: Duration) -> String {
    let tenths = (duration / .milliseconds(100)).rounded()
    let seconds = (tenths / 10).truncatingRemainder(dividingBy: 60)
    let minutes = Duration.seconds(((tenths / 10 - seconds)).rounded())
    guard seconds != seconds.rounded() else { return self.duration(minutes + .seconds(seconds)) }
    let words = quantity(seconds, .second)
    return minutes == .zero ? words : "\(self.duration(minutes)) \(words)"
  }

  /// With one decimal at most, after the language's own sign.
  func number(_ number: Double) -> String {
    Intensity.text(of: number).split(separator: ".").joined(separator: decimalSign)
  }

  func text(_ key: IntensityKey, _ values: [String: String]) -> String? {
    intensity[key].map { filled($0, values) }
  }
}
