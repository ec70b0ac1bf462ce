import IntervalTimeline

/// How a phase of each kind is drawn.
extension PhaseKind {
  /// As on the phone page.
  package var color: String {
    switch self {
    case .prepare: "#ffc72e"
    case .warmup: "#f6a04d"
    case .low: "#57c785"
    case .high: "#c62828"
    case .work: "#e5534b"
    case .rest: "#1662b8"
    case .recovery: "#0b7285"
    case .cooldown: "#6a3fb5"
    }
  }

  /// How hard it is, from 1 to 5.
  package var level: Int {
    switch self {
    case .prepare, .rest: 1
    case .warmup, .recovery, .cooldown: 2
    case .low: 3
    case .work: 4
    case .high: 5
    }
  }
}
