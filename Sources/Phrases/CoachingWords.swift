import IntervalTimeline

/// What is said of a sensor and its target, besides numbers.
package enum CoachingKey: Hashable, Sendable {
  /// Do more: "{n}, more power". Of a pace, faster: a smaller number.
  case up(TargetKind)
  /// Do less: "{n}, less power". Of a pace, slower.
  case down(TargetKind)
  /// Back in the range: "{n}, on target".
  case onTarget
  /// Around the words of `up` and `down` in a ramp: "{text}, target {target}".
  case ramp
  /// The sensor is lost: "No heart rate".
  case lost(TargetKind)
  /// The lost sensor is heard again: "Heart rate is back, {n}".
  case back(TargetKind)
  /// "Heart rate {n}, too high"
  case alarm
  /// How long a phase lasts that a heart rate ends: "until the heart rate is below {n}".
  case heartRateBelow

  /// The variables that its text may have.
  package var values: [String] {
    switch self {
    case .lost: []
    case .ramp: ["text", "target"]
    default: ["n"]
    }
  }

  /// The texts of `PhraseCatalogue.english`.
  static let english: [CoachingKey: String] = [
    .up(.watts): "{n}, more power",
    .down(.watts): "{n}, less power",
    .up(.heartRate): "{n}, speed up",
    .down(.heartRate): "{n}, slow down",
    .up(.cadence): "{n}, faster",
    .down(.cadence): "{n}, slower",
    .up(.strokeRate): "{n}, rate up",
    .down(.strokeRate): "{n}, rate down",
    .up(.pace): "{n}, speed up",
    .down(.pace): "{n}, slow down",
    .up(.speed): "{n}, speed up",
    .down(.speed): "{n}, slow down",
    .onTarget: "{n}, on target",
    .ramp: "{text}, target {target}",
    .lost(.watts): "No power reading",
    .back(.watts): "Power is back, {n}",
    .lost(.heartRate): "No heart rate",
    .back(.heartRate): "Heart rate is back, {n}",
    .lost(.cadence): "No cadence",
    .back(.cadence): "Cadence is back, {n}",
    .lost(.strokeRate): "No stroke rate",
    .back(.strokeRate): "Stroke rate is back, {n}",
    .lost(.pace): "No pace",
    .back(.pace): "Pace is back, {n}",
    .lost(.speed): "No speed",
    .back(.speed): "Speed is back, {n}",
    .alarm: "Heart rate {n}, too high",
    .heartRateBelow: "until the heart rate is below {n}",
  ]
}

/// Its name in a catalogue's file: "heart-rate-up", "on-target".
extension CoachingKey: CaseIterable, RawRepresentable {
  package static let allCases: [CoachingKey] =
    TargetKind.allCases.flatMap { [.up($0), .down($0)] } + [.onTarget, .ramp]
    + TargetKind.allCases.flatMap { [.lost($0), .back($0)] } + [.alarm, .heartRateBelow]

  package var rawValue: String {
    switch self {
    case .up(let kind): "\(kind.rawValue)-up"
    case .down(let kind): "\(kind.rawValue)-down"
    case .onTarget: "on-target"
    case .ramp: "ramp"
    case .lost(let kind): "\(kind.rawValue)-lost"
    case .back(let kind): "\(kind.rawValue)-back"
    case .alarm: "alarm"
    case .heartRateBelow: "heart-rate-below"
    }
  }

  package init?(rawValue: String) {
    guard let key = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = key
  }
}

extension PhraseCatalogue {
  /// "161, slow down". Where the catalogue has no words for it, the number alone; empty, not to be said, for a sensor
  /// that is lost.
  package func words(of text: CoachingText) -> String {
    words(of: text, value: spoken)
  }

  /// What is shown of a reading and its target: as it would be said.
  package func words(of status: TargetStatus) -> String {
    guard let value = status.value else { return words(of: .lost(status.kind)) }
    return switch status.position {
    case .unknown: words(of: .lost(status.kind))
    case .below: words(of: .low(status.kind, value, target: nil))
    case .above: words(of: .high(status.kind, value, target: nil))
    case .inside: words(of: .onTarget(status.kind, value))
    }
  }

  /// The same with a variable in place of the reading, for what is kept: "{heart-rate}, slow down". A ramp's target
  /// stands as it is said.
  package func template(of text: CoachingText) -> String {
    words(of: text) { kind, _ in "{\(kind.rawValue)}" }
  }

  private func words(of text: CoachingText, value: (TargetKind, Double) -> String) -> String {
    func words(_ key: CoachingKey, _ kind: TargetKind, _ number: Double) -> String {
      let number = value(kind, number)
      return coaching[key].map { filled($0, ["n": number]) } ?? number
    }
    switch text {
    case .low(let kind, let number, let target):
      let correction = words(kind == .pace ? .down(kind) : .up(kind), kind, number)
      return inRamp(correction, kind, target)
    case .high(let kind, let number, let target):
      let correction = words(kind == .pace ? .up(kind) : .down(kind), kind, number)
      return inRamp(correction, kind, target)
    case .onTarget(let kind, let number): return words(.onTarget, kind, number)
    case .lost(let kind): return coaching[.lost(kind)] ?? ""
    case .back(let kind, let number): return words(.back(kind), kind, number)
    case .value(let kind, let number): return value(kind, number)
    case .alarm(let number): return words(.alarm, .heartRate, number)
    }
  }

  private func inRamp(_ text: String, _ kind: TargetKind, _ target: Double?) -> String {
    guard let target, let words = coaching[.ramp] else { return text }
    return filled(words, ["text": text, "target": spoken(kind, target)])
  }

  private func spoken(_ kind: TargetKind, _ value: Double) -> String {
    let rounded = kind.rounded(value)
    return kind == .pace ? pace(rounded) : number(rounded)
  }
}
