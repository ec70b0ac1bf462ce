import IntervalTimeline

/// What became of a session's cues.
public struct CueTally: Hashable, Codable, Sendable {
  /// Shortened ones included.
  public var played: Int
  public var missed: Int

  public init(played: Int = 0, missed: Int = 0) {
    self.played = played
    self.missed = missed
  }

  mutating func count(_ outcome: LedgerEvent.Outcome) {
    switch outcome {
    case .played, .shortened: played += 1
    case .missed: missed += 1
    case .withdrawn, .duplicate, .dropped: break
    }
  }
}

/// A lane's session as it is to be kept, so that it survives its program.
public struct KeptSession: Hashable, Codable, Sendable {
  public var record: SessionRecord
  public var cues: CueTally

  public init(record: SessionRecord, cues: CueTally = CueTally()) {
    self.record = record
    self.cues = cues
  }
}
