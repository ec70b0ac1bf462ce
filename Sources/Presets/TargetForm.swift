import IntervalTimeline

/// The target of a phase: `{watts: 190 to 210}`, `{pace: 1:55 to 2:00}`, `{cadence: 80 to 100, ramp: yes}`. In a workout it
/// is the first part of the intensity.
enum TargetForm {
  private struct Kind {
    let key: String
    /// Behind numbers that have no unit of their own.
    let unit: String
    let measures: [Intensity.Measure]
    let example: Sentence
  }

  private static let kinds = [
    Kind(key: "watts", unit: " W", measures: [.watts], example: "190 to 210"),
    Kind(
      key: "power", unit: " W", measures: [.watts, .thresholdPower],
      example: "\("190 to 210") or \("95 % FTP")"),
    Kind(
      key: "heart-rate", unit: " bpm", measures: [.beatsPerMinute, .maximumHeartRate],
      example: "\("140 to 155") or \("85 % HRmax")"),
    Kind(key: "cadence", unit: " rpm", measures: [.revolutionsPerMinute], example: "90"),
    Kind(key: "stroke-rate", unit: " spm", measures: [.strokesPerMinute], example: "24"),
    Kind(
      key: "pace", unit: "/500 m",
      measures: [
        .pacePer500Metres, .pacePerKilometre, .pacePerMile, .pacePer100Metres, .thresholdSpeed,
      ],
      example: "1:55 to 2:00"),
    Kind(key: "speed", unit: " km/h", measures: [.kilometresPerHour], example: "12 to 13"),
  ]

  /// What can be meant: what people do, and somewhat more. A pace has the bounds of a speed.
  private static func bounds(of measure: Intensity.Measure) -> ClosedRange<Double> {
    let speeds = 1.0...120.0
    if let metres = measure.paceMetres {
      let second = metres * 3.6
      return (second / speeds.upperBound).rounded(.up)...(second / speeds.lowerBound).rounded(.down)
    }
    return switch measure {
    case .watts: 1...3000
    case .thresholdPower: 1...500
    case .beatsPerMinute: 30...250
    case .maximumHeartRate: 20...110
    case .revolutionsPerMinute: 5...300
    case .strokesPerMinute: 5...160
    case .thresholdSpeed: 10...300
    default: speeds
    }
  }

  /// As the first part of an intensity.
  ///
  /// - Parameter length: of its phase.
  static func text(of entry: YamlEntry, _ length: PhaseLength) throws(FileFault) -> String {
    let keys = kinds.map(\.key)
    guard let map = YamlMap(entry.value) else {
      throw entry.fault(expected: "what is measured and how much, such as {watts: 190 to 210}")
    }
    try map.checkKeys(keys + ["ramp"], of: "a target")
    let found = map.entries.filter { keys.contains($0.key) }
    guard found.count == 1, let value = found.first,
      let kind = kinds.first(where: { $0.key == value.key })
    else {
      throw entry.fault(
        found.isEmpty ? "a target of nothing" : "\(found[0].key) and \(found[1].key) in one target",
        expected: "one of \(keys.joined(separator: ", "))")
    }
    let ramp = try map["ramp"]?.word("yes", "true", "no", "false")
    let isRamp = ramp == "yes" || ramp == "true"
    let numbers = try value.name(expected: "a number or two, such as \(kind.example)", atMost: 40)
    let hasUnit = numbers.contains { $0.isLetter && $0 != "t" && $0 != "o" || "%/".contains($0) }
    let text = (isRamp ? "from " : "") + numbers + (hasUnit ? "" : kind.unit)
    guard let parts = Intensity(reading: text)?.parts, parts.count == 1,
      case .target(let read, let amount) = parts[0],
      // A power in percent can only be of the threshold.
      let measure = kind.measures.first(where: {
        $0 == read || read == .percent && $0 == .thresholdPower
      })
    else {
      throw value.fault(
        expected: isRamp ? "two numbers for a ramp" : "a number or two, such as \(kind.example)")
    }
    let bounds = bounds(of: measure)
    guard bounds.contains(amount.first), bounds.contains(amount.last) else {
      throw value.fault(
        expected: Sentence(
          verbatim: Intensity(measure, .range(bounds.lowerBound, bounds.upperBound)).text))
    }
    // A range that falls is read as one, too.
    guard isRamp || !amount.isRamp else {
      let numbers = [amount.first, amount.last].sorted()
      let rising = Intensity(measure, .range(numbers[0], numbers[1])).text
      throw value.fault(expected: "\(rising), the lower number first, or ramp: yes beside it")
    }
    if isRamp, !amount.isRamp {
      throw (map["ramp"] ?? entry).fault(
        "a ramp from one number", expected: "two different ones, such as \(kind.example)")
    }
    if isRamp, length.duration == nil {
      throw (map["ramp"] ?? entry).fault(
        "a ramp in a phase of which nobody knows the length",
        expected: "a fixed length or at-most, or no ramp")
    }
    return Intensity(measure, amount).text
  }

  /// The target as a preset has it, and what is left of the intensity; nil for a phase without one.
  static func written(_ phase: Phase) -> (target: String, rest: String?)? {
    guard phase.isCoached, let intensity = phase.intensity,
      case .target(let measure, let amount)? = Intensity(reading: intensity)?.parts.first,
      let kind = kinds.first(where: { $0.measures.contains(measure) })
    else { return nil }
    let target = Intensity(measure, amount).text
    guard intensity == target || intensity.hasPrefix(target + ", ") else { return nil }
    // Two numbers are a range here; a ramp says so by itself.
    let plain = amount.isRamp ? Intensity.Amount.range(amount.first, amount.last) : amount
    var text = Intensity(measure, plain).text
    if !kind.unit.isEmpty, text.hasSuffix(kind.unit) {
      text.removeLast(kind.unit.count)
    }
    return (
      "{\(kind.key): \(PresetWriter.singleQuoted(text))\(amount.isRamp ? ", ramp: yes" : "")}",
      intensity == target ? nil : String(intensity.dropFirst(target.count + 2))
    )
  }
}
