/// What intensities are of, for one person: "95 % FTP" is so many watts. Nil: not known.
public struct Athlete: Hashable, Codable, Sendable {
  /// The threshold power (FTP), in watts.
  public var thresholdPower: Double?
  /// Beats per minute.
  public var maximumHeartRate: Double?
  /// The pace at the threshold, in seconds for a kilometre.
  public var thresholdPace: Double?
  /// Beats per minute from which on an alarm is heard; nil: there is none.
  public var heartRateAlarm: Int?
  /// Whether the history keeps how the readings of each phase stood to its target; nil: it does not.
  public var keepsReadings: Bool?

  /// Nothing is known of the athlete unless it is given. The numbers are taken as they are, and are above zero.
  public init(
    thresholdPower: Double? = nil, maximumHeartRate: Double? = nil, thresholdPace: Double? = nil
  ) {
    self.thresholdPower = thresholdPower
    self.maximumHeartRate = maximumHeartRate
    self.thresholdPace = thresholdPace
  }

  /// In watts.
  package static let thresholdPowers = 20...1000
  /// In beats per minute.
  package static let maximumHeartRates = 60...250
  /// In beats per minute.
  package static let heartRateAlarms = 100...230
  /// In seconds for a kilometre.
  package static let thresholdPaces = 120.0...1200
  /// What a threshold pace is written as.
  package static let expectedPace: Sentence = "a pace from 2:00/km to 20:00/km, such as 4:30/km"

  /// In seconds for a kilometre: "4:30/km", "7:15/mi". Nil for any other text.
  package static func pace(_ text: String) -> Double? {
    guard let parts = Intensity(reading: text)?.parts, parts.count == 1 else { return nil }
    let pace: Double? =
      switch parts[0] {
      case .target(.pacePerKilometre, .one(let seconds)): seconds
      case .target(.pacePerMile, .one(let seconds)): seconds / 1.609344
      default: nil
      }
    return pace.flatMap { thresholdPaces.contains($0) ? $0 : nil }
  }

  /// This athlete, with the numbers of `other` where it has none.
  package func or(_ other: Athlete) -> Athlete {
    var athlete = Athlete(
      thresholdPower: thresholdPower ?? other.thresholdPower,
      maximumHeartRate: maximumHeartRate ?? other.maximumHeartRate,
      thresholdPace: thresholdPace ?? other.thresholdPace)
    athlete.heartRateAlarm = heartRateAlarm ?? other.heartRateAlarm
    athlete.keepsReadings = keepsReadings ?? other.keepsReadings
    return athlete
  }
}

extension Intensity {
  /// In the athlete's own numbers, as far as they are known: watts for percent of the threshold power, beats for percent
  /// of the greatest heart rate, a pace for percent of the threshold speed.
  ///
  /// - Parameter threshold: the threshold power that watts are of; they become the athlete's own share. Nil: they stay.
  package func inNumbers(of athlete: Athlete, wattsOf threshold: Double? = nil) -> Intensity {
    Intensity(
      parts.map { part in
        guard case .target(let measure, let amount) = part else { return part }
        switch measure {
        case .thresholdPower:
          return athlete.thresholdPower.map { power in
            .target(.watts, amount.map { ($0 * power / 100).rounded() })
          } ?? part
        case .watts:
          guard let power = athlete.thresholdPower, let threshold else { return part }
          return .target(.watts, amount.map { ($0 * power / threshold).rounded() })
        case .maximumHeartRate:
          return athlete.maximumHeartRate.map { rate in
            .target(.beatsPerMinute, amount.map { ($0 * rate / 100).rounded() })
          } ?? part
        case .thresholdSpeed:
          // Nobody runs at no speed.
          guard let pace = athlete.thresholdPace, min(amount.first, amount.last) >= 10 else {
            return part
          }
          return .target(.pacePerKilometre, amount.map { (pace / $0 * 100).rounded() })
        default: return part
        }
      })
  }
}

extension Workout {
  /// With each intensity in the athlete's own numbers, as it is shown and said. Watts become the athlete's share where
  /// the workout has the threshold power that they are of.
  package func inNumbers(of athlete: Athlete) -> Workout {
    guard athlete != Athlete() else { return self }
    var workout = self
    func change(_ phase: inout Phase) {
      guard let text = phase.intensity, let intensity = Intensity(reading: text) else { return }
      let own = intensity.inNumbers(of: athlete, wattsOf: thresholdPower)
      if own != intensity { phase.intensity = own.text }
    }
    for block in blocks.indices {
      for step in blocks[block].steps.indices { change(&workout.blocks[block].steps[step].phase) }
      if var between = blocks[block].between {
        change(&between)
        workout.blocks[block].between = between
      }
    }
    if thresholdPower != nil, let own = athlete.thresholdPower { workout.thresholdPower = own }
    return workout
  }
}
