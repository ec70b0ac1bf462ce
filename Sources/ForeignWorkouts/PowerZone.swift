import IntervalTimeline

/// What a share of the threshold power (FTP) is called: the zones of Allen and Coggan.
enum PowerZone: Int, CaseIterable {
  case recovery = 1
  case endurance, tempo, threshold, vo2Max, anaerobic, sprint

  /// In whole percent, as the zones are defined.
  init(percent: Double) {
    self =
      switch percent.rounded() {
      case ...55: .recovery
      case ...75: .endurance
      case ...90: .tempo
      case ...105: .threshold
      case ...120: .vo2Max
      case ...150: .anaerobic
      default: .sprint
      }
  }

  var name: String {
    switch self {
    case .recovery: "Recovery"
    case .endurance: "Endurance"
    case .tempo: "Tempo"
    case .threshold: "Threshold"
    case .vo2Max: "VO2 max"
    case .anaerobic: "Anaerobic"
    case .sprint: "Sprint"
    }
  }

  var kind: PhaseKind {
    switch self {
    case .recovery: .recovery
    case .endurance: .low
    default: .high
    }
  }

  /// The middle of the power that an intensity says, by its percentage, its zone or, with a threshold, its watts.
  private init?(_ intensity: Intensity?, threshold: Double?) {
    if let share = Self.share(in: intensity, threshold: threshold) {
      self.init(percent: share.middle)
    } else if case .one(let number)? = intensity?[.powerZone] ?? intensity?[.zone],
      let zone = Int(exactly: number).flatMap(PowerZone.init(rawValue:))
    {
      self = zone
    } else {
      return nil
    }
  }

  /// In percent of the threshold power.
  static func share(
    in intensity: Intensity?, threshold: Double?
  ) -> Intensity.Amount? {
    intensity?[.thresholdPower]
      ?? threshold.flatMap { threshold in
        intensity?[.watts].map { $0.map { $0 / threshold * 100 } }
      }
  }

  // MARK: Phases

  /// The kind of a phase: what its power says, whatever the file calls it; a warm-up, a cool-down and getting ready
  /// stay what they are, and so does a rest that is one.
  static func kind(
    _ tag: PhaseKind, _ intensity: Intensity?, threshold: Double? = nil
  ) -> PhaseKind {
    guard ![.warmup, .cooldown, .prepare].contains(tag),
      let kind = PowerZone(intensity, threshold: threshold)?.kind
    else { return tag }
    return kind == .recovery && tag.isRest ? tag : kind
  }

  private static let ramp = "Ramp"

  /// The name of a phase that has none; nil where its kind says it.
  static func name(
    _ kind: PhaseKind, _ intensity: Intensity?, threshold: Double? = nil
  ) -> String? {
    guard ![.warmup, .cooldown, .prepare, .rest].contains(kind) else { return nil }
    guard let zone = PowerZone(intensity, threshold: threshold) else {
      return kind == .high ? "Hard" : kind == .low ? "Easy" : nil
    }
    // A ramp through several zones is in none.
    if let share = share(in: intensity, threshold: threshold), share.isRamp {
      let ends = [share.first, share.last].map { PowerZone(percent: $0).rawValue }
      if (ends[0] - ends[1]).magnitude > 1 { return ramp }
    }
    return KindName.name(zone.name, beside: kind)
  }

  /// True for no name and for one that a phase has by its power.
  static func isName(_ name: String?) -> Bool {
    name == nil || name == ramp || allCases.contains { $0.name == name }
  }

  /// What a program that needs a power gets for a phase without one, in percent.
  static func usual(_ kind: PhaseKind) -> Intensity.Amount {
    switch kind {
    case .warmup: .ramp(50, 65)
    case .cooldown: .ramp(65, 50)
    case .high, .work: .one(100)
    case .low: .one(65)
    case .prepare, .rest, .recovery: .one(50)
    }
  }
}
