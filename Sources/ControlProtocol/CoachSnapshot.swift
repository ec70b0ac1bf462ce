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
  public var lanes: [WorkoutStatus]
  /// Whether sound comes out.
  public var device: DeviceSnapshot
  /// Per cent of the loudest that the device's profile allows.
  public var volume: Int
  /// Whether there is silence instead; nil where a coach of an earlier version does not say so.
  package var muted: Bool?
  /// The latest last, one line each; at most 4.
  public var warnings: [String]

  /// The arguments are taken as they are.
  package init(
    revision: UInt64, at: Int64, wall: Int64, lanes: [WorkoutStatus], device: DeviceSnapshot,
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
  /// What the device does.
  public enum State: String, Hashable, Codable, Sendable {
    /// Nothing runs: the device is closed.
    case idle
    /// It plays, or is being opened for a workout.
    case working
    /// No sound comes out; `reason` says why.
    case lost
  }

  /// What the device does.
  public var state: State
  /// Which failure, as in `SoundOutputError.Kind`, such as "gone"; nil unless it is lost.
  public var reason: String?

  /// The arguments are taken as they are.
  package init(_ state: State, reason: String? = nil) {
    self.state = state
    self.reason = reason
  }
}

/// A preset that can be started by name.
public struct PresetEntry: Hashable, Codable, Sendable {
  /// By which `start` finds it.
  public var name: String
  /// The folder by use in which it lies, such as "running"; nil outside of those, and where one preset was
  /// asked for.
  public var folder: String?
  /// The workout's name; nil where it cannot be read.
  public var workout: String?
  /// Seconds, at most; nil where a phase has no longest length.
  public var seconds: Double?
  /// About how many seconds, where the workout says that of an open phase; nil where it does not.
  public var aboutSeconds: Double?
  /// The most sets that a block has; nil where no block has any.
  public var sets: Int?
  /// What is done in it; nil where it does not say so.
  public var description: String?
  /// For whom it is, `for` in the answer; nil where it does not say so, and in the list of all presets.
  public var audience: String?
  /// Who has written it; nil where it does not say so, and in the list of all presets.
  public var author: String?
  /// Where its protocol comes from; nil where it does not say so, and in the list of all presets.
  public var source: String?
  /// Words to find it by; nil where it has none.
  public var tags: [String]?
  /// Why it cannot be started.
  public var error: String? { problem?.text }
  /// `error` as a sentence.
  package var problem: Sentence?
  /// The phases; nil unless they were asked for, and where they are too many.
  public var outline: [OutlineSegment]?

  /// An entry with a name alone: the other properties are set afterwards.
  public init(name: String) { self.name = name }

  /// Where it stands in a list: those in no folder are first.
  package var place: (folder: String, name: String) { (folder ?? "", name) }

  private enum CodingKeys: String, CodingKey {
    case name, folder, workout, seconds, aboutSeconds, sets, description
    case audience = "for"
    case author, source, tags, outline
    case problem = "error"
  }
}

/// A session that was interrupted and can be resumed.
public struct SessionEntry: Hashable, Codable, Sendable {
  /// The name of its lane, with which `resume` takes it up.
  public var lane: String
  /// The name of its workout.
  public var workout: String
  /// In words, such as "set 3 of 8, 0:12 left".
  public var place: String
  /// Seconds since it was last saved.
  public var age: Double
  /// The language of `place`; nil where a coach of an earlier version does not say so.
  package var language: String?

  /// The arguments are taken as they are.
  public init(lane: String, workout: String, place: String, age: Double) {
    self.lane = lane
    self.workout = workout
    self.place = place
    self.age = age
  }
}

/// A session that has ended.
public struct HistoryItem: Hashable, Codable, Sendable {
  /// The session's, as in `cuecoach history`.
  public var id: String
  /// The name of its lane.
  public var lane: String
  /// The name of its workout.
  public var workout: String
  /// As in `cuecoach history`, such as "finished".
  public var outcome: String
  /// ISO 8601, with the offset that held there.
  public var startedAt: String
  /// Seconds of the workout that were done, without pauses.
  public var seconds: Double
  /// True where the lane's name was given to it, and so is somebody's; nil where it has that of its preset or workout.
  package var person: Bool?
  /// By which its preset was started; nil where it was started without one, and in a session of an earlier version.
  package var preset: String?
  /// Those of its workout; nil where it has none.
  package var tags: [String]?
  /// Which part of its phases was done, 0…1.
  package var complete: Double?
  /// Seconds in phases of effort and of rest; nil where that was not recorded.
  package var work: Double?
  package var rest: Double?
  /// How many sets it has; nil for none.
  package var sets: Int?
  package var setsDone: Int?

  /// The arguments are taken as they are.
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
