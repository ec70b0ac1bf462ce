/// How hard a phase is, as its text says it: "95 % FTP, 90 rpm".
///
/// The text stays what a workout has and a display shows. This is what can be computed with and said in any language.
public struct Intensity: Hashable, Sendable {
  /// What an amount is of.
  public enum Measure: CaseIterable, Hashable, Sendable {
    /// Percent of something that the text does not say.
    case percent
    /// Percent of the threshold power (FTP).
    case thresholdPower
    /// Percent of the greatest heart rate.
    case maximumHeartRate
    /// Percent of the heart rate at the threshold.
    case thresholdHeartRate
    /// Percent of the speed at the threshold.
    case thresholdSpeed
    /// A power.
    case watts
    /// A heart rate.
    case beatsPerMinute
    /// A cadence.
    case revolutionsPerMinute
    /// A stroke rate.
    case strokesPerMinute
    /// A speed.
    case kilometresPerHour
    /// Seconds for a kilometre.
    case pacePerKilometre
    /// Seconds for a mile.
    case pacePerMile
    /// Seconds for 500 m, as in rowing.
    case pacePer500Metres
    /// Seconds for 100 m, as in swimming.
    case pacePer100Metres
    /// A zone of a kind that the text does not say.
    case zone
    /// A zone of power.
    case powerZone
    /// A zone of the heart rate.
    case heartRateZone
    /// How hard it feels, from 0 to 10 (RPE).
    case exertion
    /// A load.
    case kilograms

    /// True for times: they are written "4:30".
    var isPace: Bool { paceMetres != nil }

    /// For how many metres a pace is; nil for what is none.
    package var paceMetres: Double? {
      switch self {
      case .pacePerKilometre: 1000
      case .pacePerMile: 1609.344
      case .pacePer500Metres: 500
      case .pacePer100Metres: 100
      default: nil
      }
    }
  }

  /// How much: one number, anything between two, or from one to the other in the course of the phase.
  public enum Amount: Hashable, Sendable {
    /// This number.
    case one(Double)
    /// Anything between the two.
    case range(Double, Double)
    /// The first at the start of the phase, the second at its end.
    case ramp(Double, Double)

    /// The number itself, or the first of two.
    package var first: Double {
      switch self {
      case .one(let number), .range(let number, _), .ramp(let number, _): number
      }
    }

    /// The number itself, or the second of two.
    package var last: Double {
      switch self {
      case .one(let number), .range(_, let number), .ramp(_, let number): number
      }
    }

    /// Half-way between the first and the last.
    package var middle: Double { (first + last) / 2 }

    /// True for a ramp.
    package var isRamp: Bool { if case .ramp = self { true } else { false } }

    /// The amount with each number changed; two that have become equal are one.
    package func map(_ change: (Double) -> Double) -> Amount {
      let (first, last) = (change(first), change(last))
      if first == last { return .one(first) }
      return switch self {
      case .one: .one(first)
      case .range: .range(first, last)
      case .ramp: .ramp(first, last)
      }
    }
  }

  /// What stands between two commas.
  public enum Part: Hashable, Sendable {
    /// An amount of something that is known.
    case target(Measure, Amount)
    /// What cannot be read, as it is written.
    case text(String)
  }

  /// In the order of the text; one at least.
  public var parts: [Part]

  /// One target.
  public init(_ measure: Measure, _ amount: Amount) {
    parts = [.target(measure, amount)]
  }

  /// Parts as they are given.
  package init(_ parts: [Part]) {
    self.parts = parts
  }

  /// The amount of the first target of this measure; nil where there is none.
  public subscript(measure: Measure) -> Amount? {
    for case .target(measure, let amount) in parts { return amount }
    return nil
  }
}

// MARK: - Text

extension Intensity {
  /// As it is written: "95 % FTP, 90 rpm", "50 to 75 % FTP", a ramp "from 50 to 75 % FTP".
  public var text: String {
    parts.map { part in
      switch part {
      case .target(let measure, let amount): Self.text(of: amount, measure)
      case .text(let text): text
      }
    }.joined(separator: ", ")
  }

  private static func text(of amount: Amount, _ measure: Measure) -> String {
    let (first, last) = (number(amount.first, measure), number(amount.last, measure))
    let words =
      switch amount {
      case _ where first == last: first
      case .one: first
      case .range: "\(first) to \(last)"
      case .ramp: "from \(first) to \(last)"
      }
    return measure.written(words)
  }

  private static func number(_ number: Double, _ measure: Measure) -> String {
    guard measure.isPace, let seconds = Int64(exactly: number.rounded()), seconds >= 0 else {
      return text(of: number)
    }
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }

  /// A number with one decimal at most: "95", "62.5".
  package static func text(of number: Double) -> String {
    let tenths = (number * 10).rounded()
    guard tenths.magnitude < 1e12 else { return "\(number)" }
    let whole = Int64(tenths.magnitude)
    let sign = tenths < 0 ? "-" : ""
    return "\(sign)\(whole / 10)" + (whole % 10 == 0 ? "" : ".\(whole % 10)")
  }
}

extension Intensity.Measure {
  /// With the unit around the numbers.
  fileprivate func written(_ numbers: String) -> String {
    switch self {
    case .percent: "\(numbers) %"
    case .thresholdPower: "\(numbers) % FTP"
    case .maximumHeartRate: "\(numbers) % of maximum heart rate"
    case .thresholdHeartRate: "\(numbers) % of threshold heart rate"
    case .thresholdSpeed: "\(numbers) % of threshold speed"
    case .watts: "\(numbers) W"
    case .beatsPerMinute: "\(numbers) bpm"
    case .revolutionsPerMinute: "\(numbers) rpm"
    case .strokesPerMinute: "\(numbers) spm"
    case .kilometresPerHour: "\(numbers) km/h"
    case .pacePerKilometre: "\(numbers)/km"
    case .pacePerMile: "\(numbers)/mi"
    case .pacePer500Metres: "\(numbers)/500 m"
    case .pacePer100Metres: "\(numbers)/100 m"
    case .zone: "zone \(numbers)"
    case .powerZone: "power zone \(numbers)"
    case .heartRateZone: "heart-rate zone \(numbers)"
    case .exertion: "RPE \(numbers)"
    case .kilograms: "\(numbers) kg"
    }
  }
}
