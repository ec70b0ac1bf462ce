extension Phase {
  /// What its readings are held against: the first part of its intensity that a sensor measures. Nil where it has none.
  package var target: Target? { targets.first }

  /// The parts of its intensity that sensors measure, in their order.
  package var targets: [Target] {
    (intensity.flatMap(Intensity.init(reading:))?.parts ?? []).compactMap { part in
      guard case .target(let measure, let amount) = part, let kind = TargetKind(measure) else {
        return nil
      }
      return Target(
        kind, amount, ramp: length.duration, paceOf: measure.paceMetres ?? Reading.paceMetres)
    }
  }
}

extension Phase {
  /// The heart rate below which the phase ends, in beats a minute; nil where something else ends it.
  package var restLimit: Double? {
    if case .heartRate(let limit) = length.end { Double(limit) } else { nil }
  }
}

extension Workout {
  /// What sensors have to do with a workout.
  package struct SensorUse: Sendable {
    /// The kinds of readings that its targets are about.
    package var kinds: Set<TargetKind> = []
    /// Whether a heart rate ends a phase.
    package var hasHeartRateRests = false
    /// Whether a sensor that is missing is announced.
    package var isCoached = false
  }

  package var sensorUse: SensorUse {
    var use = SensorUse()
    for block in blocks {
      for phase in block.steps.map(\.phase) + [block.between].compactMap({ $0 }) {
        use.kinds.formUnion(phase.targets.map(\.kind))
        if phase.restLimit != nil { use.hasHeartRateRests = true }
        if phase.isCoached { use.isCoached = true }
      }
    }
    return use
  }
}

extension TargetKind {
  /// Nil for what no sensor measures.
  init?(_ measure: Intensity.Measure) {
    switch measure {
    case .watts: self = .watts
    case .beatsPerMinute: self = .heartRate
    case .revolutionsPerMinute: self = .cadence
    case .strokesPerMinute: self = .strokeRate
    case .kilometresPerHour: self = .speed
    case .pacePerKilometre, .pacePerMile, .pacePer500Metres, .pacePer100Metres: self = .pace
    case .percent, .thresholdPower, .maximumHeartRate, .thresholdHeartRate, .thresholdSpeed, .zone,
      .powerZone, .heartRateZone, .exertion, .kilograms:
      return nil
    }
  }
}

extension Target {
  /// - Parameters:
  ///   - ramp: how long a ramp lasts; without it, a ramp is anything between its numbers.
  ///   - distance: of a pace, in metres.
  init(_ kind: TargetKind, _ amount: Intensity.Amount, ramp: Duration?, paceOf distance: Double) {
    switch (amount, ramp) {
    case (.one(let number), _): self.init(kind, number, paceOf: distance)
    case (.ramp(let first, let last), let ramp?):
      self.init(kind, from: first, to: last, ramp: ramp, paceOf: distance)
    case (.range(let first, let last), _), (.ramp(let first, let last), nil):
      self.init(kind, min(first, last)...max(first, last), paceOf: distance)
    }
  }
}
