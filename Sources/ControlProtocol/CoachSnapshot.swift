import IntervalTimeline

/// Everything that a surface shows, at one instant. Surfaces count down by themselves from the
/// instants until the next event.
public struct CoachSnapshot: Hashable, Codable, Sendable {
  /// Grows with each change of the coach.
  public var revision: UInt64
  /// When the snapshot was made, nanoseconds of CLOCK_BOOTTIME; every instant is on this clock.
  public var at: Int64
  /// The wall clock at that instant, nanoseconds since 1970.
  public var wall: Int64
  /// In the order in which they were added.
  public var lanes: [LaneSnapshot]
  public var device: DeviceSnapshot
  /// Per cent of the loudest that the device's profile allows.
  public var volume: Int
  /// The latest last, one line each.
  public var warnings: [String]

  public init(
    revision: UInt64, at: Int64, wall: Int64, lanes: [LaneSnapshot], device: DeviceSnapshot,
    volume: Int, warnings: [String]
  ) {
    self.revision = revision
    self.at = at
    self.wall = wall
    self.lanes = lanes
    self.device = device
    self.volume = volume
    self.warnings = warnings
  }
}

/// The sound device.
public struct DeviceSnapshot: Hashable, Codable, Sendable {
  public enum State: String, Hashable, Codable, Sendable {
    /// Nothing runs: the device is closed.
    case idle
    case working
    /// No sound comes out; `reason` says why.
    case lost
  }

  public var state: State
  public var reason: String?

  public init(_ state: State, reason: String? = nil) {
    self.state = state
    self.reason = reason
  }
}

/// The state of a lane.
public struct LaneSnapshot: Hashable, Codable, Sendable {
  public var name: String
  public var workout: String
  public var state: Transport.State
  /// The language of its announcements, such as "en".
  public var language: String
  /// From 0; `phases` once the workout is over.
  public var phase: Int
  public var phases: Int
  public var kind: PhaseKind?
  /// What the coach calls the phase.
  public var label: String?
  public var set: Int?
  public var sets: Int?
  /// How many repetitions the phase has; nil unless it lasts until they are done.
  public var reps: Int?
  /// How many of them have been counted, from 0.
  public var repsDone: Int?
  /// The signal that ends the phase; nil unless it waits for one, and where its end is decided.
  public var signal: String?
  /// The label of the next phase.
  public var next: String?
  /// The next phase, for a display that has no outline: it begins when this one ends, and the event comes
  /// later.
  public var following: OutlineSegment?
  /// When the workout begins; nil once it has begun.
  public var startsAt: Int64?
  /// When the phase ends unless something ends it earlier; nil for an open phase without a longest length,
  /// and while paused.
  public var phaseEndsAt: Int64?
  public var workoutEndsAt: Int64?
  /// These times are nanoseconds at the `at` of the snapshot or event.
  public var phaseElapsed: Int64
  public var phaseLeft: Int64?
  public var elapsed: Int64
  public var workoutLeft: Int64?
  /// Phases done and skipped.
  public var done: Int
  public var skipped: Int

  public init(name: String, workout: String, state: Transport.State, language: String) {
    self.name = name
    self.workout = workout
    self.state = state
    self.language = language
    phase = 0
    phases = 0
    phaseElapsed = 0
    elapsed = 0
    done = 0
    skipped = 0
  }
}

/// One piece of a workout's outline, to be drawn to scale.
public struct OutlineSegment: Hashable, Codable, Sendable {
  public var kind: PhaseKind
  public var label: String
  /// Seconds, at most; nil for an open phase without a longest length.
  public var seconds: Double?
  public var set: Int?
  /// How many sets its block has.
  public var sets: Int?

  public init(kind: PhaseKind, label: String, seconds: Double?, set: Int?, sets: Int?) {
    self.kind = kind
    self.label = label
    self.seconds = seconds
    self.set = set
    self.sets = sets
  }
}

/// A preset that can be started by name.
public struct PresetEntry: Hashable, Codable, Sendable {
  public var name: String
  public var workout: String?
  /// Seconds, at most; nil where a phase has no longest length.
  public var seconds: Double?
  public var sets: Int?
  /// Why it cannot be started.
  public var error: String?
  public var outline: [OutlineSegment]?

  public init(name: String) { self.name = name }
}

/// A session that was interrupted and can be resumed.
public struct SessionEntry: Hashable, Codable, Sendable {
  public var lane: String
  public var workout: String
  /// In words, such as "set 3 of 8, 0:12 left".
  public var place: String
  /// Seconds since it was last saved.
  public var age: Double

  public init(lane: String, workout: String, place: String, age: Double) {
    self.lane = lane
    self.workout = workout
    self.place = place
    self.age = age
  }
}

/// A session that has ended.
public struct HistoryItem: Hashable, Codable, Sendable {
  public var id: String
  public var lane: String
  public var workout: String
  /// As in `cuecoach history`, such as "finished".
  public var outcome: String
  /// ISO 8601, with the offset that held there.
  public var startedAt: String
  /// Seconds of the workout that were done, without pauses.
  public var seconds: Double

  public init(
    id: String, lane: String, workout: String, outcome: String, startedAt: String, seconds: Double
  ) {
    self.id = id
    self.lane = lane
    self.workout = workout
    self.outcome = outcome
    self.startedAt = startedAt
    self.seconds = seconds
  }
}
