/// What a phase asks of the person.
public enum PhaseKind: String, CaseIterable, Hashable, Codable, Sendable {
  case prepare, warmup, low, high, work, rest, recovery, cooldown

  /// Phases in which effort begins; every other kind eases off.
  public var isEffort: Bool { self == .high || self == .work }

  /// Phases in which the next phase is announced.
  public var isRest: Bool { self == .rest || self == .recovery }
}

/// How an open phase is ended; both last until the person says next.
public enum OpenEnd: Hashable, Codable, Sendable {
  /// A number of repetitions, 1 or more.
  case reps(Int)
  /// Nothing but "next".
  case untilNext
}

/// How long a phase lasts.
public enum PhaseLength: Hashable, Codable, Sendable {
  /// A length above zero, in whole milliseconds.
  case fixed(Duration)
  case open(OpenEnd)

  /// The length, or nil where the phase is open.
  public var duration: Duration? {
    if case .fixed(let duration) = self { duration } else { nil }
  }
}

/// One phase as a workout states it.
public struct Phase: Hashable, Codable, Sendable {
  public var kind: PhaseKind
  /// What the person calls it; nil where the kind says enough.
  public var name: String?
  public var length: PhaseLength
  /// What the workout itself says in it.
  public var remarks: [Remark]

  public init(
    _ kind: PhaseKind, _ length: PhaseLength, name: String? = nil, remarks: [Remark] = []
  ) {
    self.kind = kind
    self.name = name
    self.length = length
    self.remarks = remarks
  }
}
