/// The kind of effort in a phase.
public enum PhaseKind: String, CaseIterable, Hashable, Codable, Sendable {
  case prepare, warmup, low, high, work, rest, recovery, cooldown

  /// True if effort begins with the phase.
  public var isEffort: Bool { self == .high || self == .work }

  /// True if the next phase is announced in it.
  public var isRest: Bool { self == .rest || self == .recovery }
}

/// Why a phase is open. Both kinds last until the `next` command.
public enum OpenEnd: Hashable, Codable, Sendable {
  /// Until this many repetitions are done; 1 or more.
  case reps(Int)
  /// Until the `next` command alone.
  case untilNext
}

/// How long a phase lasts.
public enum PhaseLength: Hashable, Codable, Sendable {
  /// A length above zero, in whole milliseconds.
  case fixed(Duration)
  case open(OpenEnd)

  /// Nil if the phase is open.
  public var duration: Duration? {
    if case .fixed(let duration) = self { duration } else { nil }
  }
}

/// One phase of a workout.
public struct Phase: Hashable, Codable, Sendable {
  public var kind: PhaseKind
  /// Its name; nil to call it by its kind.
  public var name: String?
  public var length: PhaseLength
  /// Texts that are spoken in it.
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
