import IntervalTimeline

/// A session as it lies on disk: one lane's workout and how far it has come.
public struct StoredSession: Hashable, Sendable {
  /// The same from its start to its row in the history.
  public let id: String
  public let lane: String
  public let workout: Workout
  /// How the run was asked for, for the program to read again.
  public let options: [String]
  /// When it started: nanoseconds since 1970 as the wall clock said.
  public let startedAt: Int64
  public var state: Kept

  /// What changes with each save.
  public struct Kept: Hashable, Codable, Sendable {
    public var record: SessionRecord
    public var clocks: ClockReading
    public var cuesPlayed: Int
    public var cuesMissed: Int
    /// How often in a row its program has ended without a word.
    public var crashes: Int
    /// Its program said that it would end.
    public var isSuspended = false

    public init(
      record: SessionRecord, clocks: ClockReading, cuesPlayed: Int = 0, cuesMissed: Int = 0,
      crashes: Int = 0
    ) {
      self.record = record
      self.clocks = clocks
      self.cuesPlayed = cuesPlayed
      self.cuesMissed = cuesMissed
      self.crashes = crashes
    }
  }

  public init(
    id: String, lane: String, workout: Workout, options: [String] = [], startedAt: Int64,
    state: Kept
  ) {
    self.id = id
    self.lane = lane
    self.workout = workout
    self.options = options
    self.startedAt = startedAt
    self.state = state
  }
}

/// A session that is over, as the history has it.
public struct HistoryEntry: Hashable, Codable, Sendable {
  public enum Outcome: String, CaseIterable, Hashable, Codable, Sendable {
    /// The workout ran to its end.
    case finished
    /// The person ended it.
    case stopped
    /// It was discarded, or nobody came back to it.
    case abandoned
    /// Its end passed while the program was not running.
    case unattended
  }

  public var id: String
  public var lane: String
  public var workout: String
  public var outcome: Outcome
  /// Nanoseconds since 1970 as the wall clock said when it started and when it ended.
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
