import IntervalTimeline

/// Identifies a session, from its order to its row in the history; also a workout that is to begin later.
public struct SessionIdentity: Hashable, Codable, Sendable {
  /// Of no other session: random hexadecimal digits.
  public let id: String
  /// The name of its lane.
  public var lane: String
  /// The workout as it was when the session started, or was last resumed.
  public var workout: Workout
  /// How it was asked for, for a later resumption.
  public var order: StartOrder
  /// When it started, or will start, by the wall clock, in nanoseconds since 1970.
  public var startedAt: Int64

  /// The arguments are taken as they are.
  package init(
    id: String = SessionIdentity.newID(), lane: String, workout: Workout,
    order: StartOrder = StartOrder(), startedAt: Int64
  ) {
    self.id = id
    self.lane = lane
    self.workout = workout
    self.order = order
    self.startedAt = startedAt
  }

  /// 16 random hexadecimal digits.
  package static func newID() -> String {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A session as stored on disk.
public struct StoredSession: Hashable, Sendable {
  /// What stays the same as long as it is stored.
  public var identity: SessionIdentity { sharedIdentity.value }
  private let sharedIdentity: Shared<SessionIdentity>
  /// Its progress.
  public var record: SessionRecord
  /// The clocks when it was stored.
  package var clocks: ClockReading
  /// How often in a row its program ended without saying so.
  package var crashes: Int
  /// Its program ended in an orderly way.
  package var isSuspended: Bool

  /// The arguments are taken as they are.
  package init(
    _ identity: SessionIdentity, record: SessionRecord, clocks: ClockReading, crashes: Int = 0,
    isSuspended: Bool = false
  ) {
    sharedIdentity = Shared(identity)
    self.record = record
    self.clocks = clocks
    self.crashes = crashes
    self.isSuspended = isSuspended
  }

  /// Its identity's.
  package var id: String { identity.id }
  /// Its identity's: the name of its lane.
  public var lane: String { identity.lane }
  /// Its identity's.
  package var workout: Workout { identity.workout }
}

/// A session that is over, as stored in the history.
public struct HistoryEntry: Hashable, Codable, Sendable {
  /// How a session ended. The raw values are in the database and in exports.
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

  /// The session's (`SessionIdentity`).
  public var id: String
  /// The name of its lane.
  public var lane: String
  /// The name of its workout.
  public var workout: String
  /// How it ended.
  public var outcome: Outcome
  /// When it started by the wall clock, in nanoseconds since 1970.
  public var startedAt: Int64
  /// When it ended by the wall clock, in nanoseconds since 1970.
  public var endedAt: Int64
  /// How far the workout was done.
  public var summary: SessionSummary
  /// How many cues were heard, shortened ones included.
  public var cuesPlayed: Int
  /// How many cues were not heard though they should have been.
  public var cuesMissed: Int
  /// How the readings of phases stood to their targets, where the athlete wants that kept; at most 500.
  public var readings: [PhaseReadings] = []
  /// How it was started.
  package var origin = SessionOrigin()
  /// Its phases against the plan; nil where that was not recorded.
  package var course: SessionCourse?

  /// The arguments are taken as they are.
  package init(
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
