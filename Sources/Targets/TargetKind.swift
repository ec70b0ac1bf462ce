/// What a target is about, and what a sensor measures.
public enum TargetKind: String, CaseIterable, Codable, Hashable, Sendable {
  /// Power, in watts.
  case watts
  /// Heart rate, in beats a minute.
  case heartRate = "heart-rate"
  /// Cadence, in revolutions or steps a minute.
  case cadence
  /// Stroke rate, in strokes a minute.
  case strokeRate = "stroke-rate"
  /// Pace, in seconds for 500 m: a smaller number is faster. A target of another distance is said in its own.
  case pace
  /// Speed, in kilometres an hour.
  case speed

  /// The value as it is spoken: whole numbers, a speed with one decimal.
  package func rounded(_ value: Double) -> Double {
    self == .speed ? (value * 10).rounded() / 10 : value.rounded()
  }

  /// The range that a single number means.
  ///
  /// - Parameter value: finite.
  package func range(around value: Double) -> ClosedRange<Double> {
    let tolerance: Double =
      switch self {
      case .watts: value.magnitude * 0.05
      case .strokeRate: 2
      case .cadence, .heartRate: 5
      // A third of the tolerance in power, which grows with the cube of the speed.
      case .pace, .speed: value.magnitude * 0.02
      }
    return value - tolerance...value + tolerance
  }
}
