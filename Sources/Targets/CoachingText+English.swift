extension CoachingText: CustomStringConvertible {
  /// The text in English.
  public var description: String {
    switch self {
    case .low(let kind, let value, let target):
      kind.spoken(value) + ", " + kind.moreWords + Self.targetWords(kind, target)
    case .high(let kind, let value, let target):
      kind.spoken(value) + ", " + kind.lessWords + Self.targetWords(kind, target)
    case .onTarget(let kind, let value): kind.spoken(value) + ", on target"
    case .lost(let kind): "No " + kind.readingWords
    case .back(let kind, let value): "\(kind.name) is back, \(kind.spoken(value))"
    case .value(let kind, let value): kind.spoken(value)
    case .alarm(let value): "Heart rate \(TargetKind.heartRate.spoken(value)), too high"
    }
  }

  private static func targetWords(_ kind: TargetKind, _ target: Double?) -> String {
    target.map { ", target " + kind.spoken($0) } ?? ""
  }
}

extension TargetKind {
  /// The number in digits; a pace as minutes and seconds.
  fileprivate func spoken(_ value: Double) -> String {
    guard self != .speed, let whole = Int(exactly: rounded(value)) else {
      return "\(rounded(value))"
    }
    guard self == .pace else { return "\(whole)" }
    return "\(whole / 60):" + "\(100 + abs(whole % 60))".dropFirst()
  }

  /// What to do where the number is too low.
  fileprivate var moreWords: String {
    switch self {
    case .watts: "more power"
    case .heartRate, .speed: "speed up"
    case .cadence: "faster"
    case .strokeRate: "rate up"
    // A small number is a fast pace.
    case .pace: "slow down"
    }
  }

  /// What to do where the number is too high.
  fileprivate var lessWords: String {
    switch self {
    case .watts: "less power"
    case .heartRate, .speed: "slow down"
    case .cadence: "slower"
    case .strokeRate: "rate down"
    case .pace: "speed up"
    }
  }

  fileprivate var name: String {
    switch self {
    case .watts: "Power"
    case .heartRate: "Heart rate"
    case .cadence: "Cadence"
    case .strokeRate: "Stroke rate"
    case .pace: "Pace"
    case .speed: "Speed"
    }
  }

  fileprivate var readingWords: String {
    switch self {
    case .watts: "power reading"
    case .heartRate: "heart rate"
    case .cadence: "cadence"
    case .strokeRate: "stroke rate"
    case .pace: "pace"
    case .speed: "speed"
    }
  }
}
