import IntervalTimeline

/// Says what a phase aims at, an amount of some measure, in the words of a catalogue.
struct AmountWording {
  let catalogue: PhraseCatalogue

  /// Nil where the catalogue has no words for the measure.
  func words(of amount: Intensity.Amount, _ measure: Intensity.Measure) -> String? {
    switch measure {
    // Of the threshold power: the plain word.
    case .percent, .thresholdPower: counted(amount, .percent)
    case .maximumHeartRate: counted(amount, .percent, in: .maximumHeartRate)
    case .thresholdHeartRate: counted(amount, .percent, in: .thresholdHeartRate)
    case .thresholdSpeed: counted(amount, .percent, in: .thresholdSpeed)
    case .watts: counted(amount, .watt)
    case .beatsPerMinute: counted(amount, .beatsPerMinute)
    case .revolutionsPerMinute: counted(amount, .revolutionsPerMinute)
    case .strokesPerMinute: counted(amount, .strokesPerMinute)
    case .kilometresPerHour: counted(amount, .kilometrePerHour, hasDecimals: true)
    case .kilograms: counted(amount, .kilogram, hasDecimals: true)
    case .zone: span(amount, catalogue.number).flatMap { catalogue.text(.zone, ["n": $0]) }
    case .powerZone:
      span(amount, catalogue.number).flatMap { catalogue.text(.powerZone, ["n": $0]) }
    case .heartRateZone:
      span(amount, catalogue.number).flatMap { catalogue.text(.heartRateZone, ["n": $0]) }
    case .exertion: span(amount, catalogue.number).flatMap { catalogue.text(.exertion, ["n": $0]) }
    case .pacePerKilometre: pace(amount, .perKilometre)
    case .pacePerMile: pace(amount, .perMile)
    case .pacePer500Metres: pace(amount, .per500Metres)
    case .pacePer100Metres: pace(amount, .per100Metres)
    }
  }

  /// "190 to 210 watts"; nil where the catalogue has no words for the unit.
  private func counted(
    _ amount: Intensity.Amount, _ unit: CountUnit, in key: IntensityKey? = nil,
    hasDecimals: Bool = false
  ) -> String? {
    let amount = hasDecimals ? amount : amount.map { $0.rounded() }
    guard let forms = catalogue.units[unit] else { return nil }
    let words: String?
    if case .one(let number) = amount {
      words = catalogue.quantity(number, unit)
    } else {
      words = span(amount, catalogue.number).flatMap { numbers in
        forms[catalogue.plural.formOfMany].map { catalogue.filled($0, ["n": numbers]) }
      }
    }
    guard let key else { return words }
    return words.flatMap { catalogue.text(key, ["n": $0]) }
  }

  /// "4 minutes 30 to 4 minutes 40 per kilometre"
  private func pace(_ amount: Intensity.Amount, _ key: IntensityKey) -> String? {
    span(amount.map { $0.rounded() }, isPace: true, catalogue.pace)
      .flatMap { catalogue.text(key, ["n": $0]) }
  }

  /// The number, or both between the words of a range or a ramp.
  private func span(
    _ amount: Intensity.Amount, isPace: Bool = false, _ words: (Double) -> String
  ) -> String? {
    func text(_ key: IntensityKey, _ first: Double, _ last: Double) -> String? {
      catalogue.text(key, ["first": words(first), "last": words(last)])
    }
    switch amount {
    case .one(let number): return words(number)
    case .range(let first, let last):
      let own = isPace ? text(.paceRange, min(first, last), max(first, last)) : nil
      return own ?? text(.range, first, last)
    case .ramp(let first, let last):
      return (isPace ? text(.paceRamp, first, last) : nil) ?? text(.ramp, first, last)
    }
  }
}
