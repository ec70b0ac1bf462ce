import IntervalTimeline

/// Identifies a session, from its start to its row in the history.
public struct SessionIdentity: Hashable, Sendable {
  public let id: String
  public var lane: String
  public var workout: Workout
  public var request: RunRequest
  /// When it started by the wall clock, in nanoseconds since 1970.
  public var startedAt: Int64

  public init(
    id: String = SessionIdentity.newID(), lane: String, workout: Workout,
    request: RunRequest = RunRequest(), startedAt: Int64
  ) {
    self.id = id
    self.lane = lane
    self.workout = workout
    self.request = request
    self.startedAt = startedAt
  }

  /// 16 random hexadecimal digits.
  public static func newID() -> String {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A session as stored on disk.
public struct StoredSession: Hashable, Sendable {
  public let identity: SessionIdentity
  /// Its progress.
  public var record: SessionRecord
  /// The clocks when it was stored.
  public var clocks: ClockReading
  /// How often in a row its program ended without saying so.
  public var crashes: Int
  /// Its program ended in an orderly way.
  public var isSuspended: Bool

  public init(
    _ identity: SessionIdentity, record: SessionRecord, clocks: ClockReading, crashes: Int = 0,
    isSuspended: Bool = false
  ) {
    self.identity = identity
    self.record = record
    self.clocks = clocks
    self.crashes = crashes
    self.isSuspended = isSuspended
  }

  public var id: String { identity.id }
  public var lane: String { identity.lane }
  public var workout: Workout { identity.workout }
}

/// A session that is over, as stored in the history.
public struct HistoryEntry: Hashable, Codable, Sendable {
  public enum Outcome: String, CaseIterable, Hashable, Codable, Sendable {
    /// The workout ran to its end.
    case finished
    /// The user ended it.
    case stopped
    /// It was discarded, or not resumed in time.
    case abandoned
    /// Its end passed while the program was not running.
    case unattended
    /// It was to begin at a time at which nothing could begin it.
    case missed
  }

  public var id: String
  public var lane: String
  public var workout: String
  public var outcome: Outcome
  /// Start and end by the wall clock, in nanoseconds since 1970.
  public var startedAt: Int64
  public var endedAt: Int64
  public var summary: SessionSummary
  public var cuesPlayed: Int
  public var cuesMissed: Int

  public init(
    id: String, lane: String, workout: String, outcome: Outcome, startedAt: Int64, endedAt: Int64,
    summary: SessionSummary, cuesPlayed: Int, cuesMissed: Int
  ) {
    self.id = id
    self.lane = lane
    self.workout = workout
    self.outcome = outcome
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.summary = summary
    self.cuesPlayed = cuesPlayed
    self.cuesMissed = cuesMissed
  }
}
