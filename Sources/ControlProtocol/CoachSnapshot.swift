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
  /// Whether sound comes out.
  public var device: DeviceSnapshot
  /// Per cent of the loudest that the device's profile allows.
  public var volume: Int
  /// The latest last, one line each; at most `ControlLimits.warnings`.
  public var warnings: [String]

  /// The arguments are taken as they are.
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
  public init(_ state: State, reason: String? = nil) {
    self.state = state
    self.reason = reason
  }
}

/// The state of a lane.
public struct LaneSnapshot: Hashable, Codable, Sendable {
  /// The lane's name, for requests.
  public var name: String
  /// The name of the workout, at most 200 characters.
  public var workout: String
  /// What commands are possible.
  public var state: Transport.State
  /// The language of its announcements, such as "en".
  public var language: String
  /// The index of the phase, from 0; `phases` after the last one.
  public var phase: Int
  /// How many phases the workout has.
  public var phases: Int
  /// The phase's kind; nil after the last one.
  public var kind: PhaseKind?
  /// What the coach calls the phase; nil after the last one.
  public var label: String?
  /// The phase's intensity as the workout has it, at most 60 characters; nil where it has none.
  public var intensity: String?
  /// A note to be shown, at most 200 characters; nil where the phase has none.
  public var note: String?
  /// An address to be shown; nil where the phase has none, and where it takes more than 400 bytes.
  public var link: String?
  /// The phase's set, from 1; nil where it is in no numbered set.
  public var set: Int?
  /// How many sets its block has; nil where `set` is.
  public var sets: Int?
  /// How many repetitions the phase has; nil unless it lasts until they are done.
  public var reps: Int?
  /// How many of them have been counted, from 0.
  public var repsDone: Int?
  /// The signal that ends the phase; nil unless it waits for one, and where its end is decided.
  public var signal: String?
  /// True while the phase is open and it is not decided when it ends: it may end before `phaseEndsAt`, and
  /// `phaseLeft` is the most. Nil otherwise.
  public var mayEndEarly: Bool?
  /// True while this phase or a later one is open in that way: the workout may end before `workoutEndsAt`, and
  /// `workoutLeft` is the most. Nil otherwise.
  public var workoutMayEndEarly: Bool?
  /// True where a surprise follows: `next`, `following`, `phaseEndsAt` and `phaseLeft` are nil then. Nil otherwise.
  public var beforeSurprise: Bool?
  /// The label of the next phase.
  public var next: String?
  /// The next phase, for a display that has no outline: it begins when this one ends, and the event comes
  /// later.
  public var following: OutlineSegment?
  /// When the workout begins, nanoseconds of CLOCK_BOOTTIME; nil once it has begun.
  public var startsAt: Int64?
  /// When the phase ends unless something ends it earlier, nanoseconds of CLOCK_BOOTTIME; nil for an open
  /// phase without a longest length, and while paused.
  public var phaseEndsAt: Int64?
  /// When the workout ends, nanoseconds of CLOCK_BOOTTIME; nil where an open phase leaves that unknown, and
  /// while paused.
  public var workoutEndsAt: Int64?
  /// How long the phase has lasted without pauses. This and the next three are nanoseconds, as of the `at` of
  /// the snapshot or event.
  public var phaseElapsed: Int64
  /// Nanoseconds left of the phase, with `mayEndEarly` at most; nil for an open phase without a longest length.
  public var phaseLeft: Int64?
  /// Nanoseconds of workout time, which excludes pauses.
  public var elapsed: Int64
  /// Nanoseconds left of the workout, with `workoutMayEndEarly` at most; nil where an open phase without a
  /// longest length leaves that unknown.
  public var workoutLeft: Int64?
  /// Phases done so far.
  public var done: Int
  /// Phases skipped so far.
  public var skipped: Int

  /// A workout of no phases, at its beginning: the other properties are set afterwards.
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
  /// The phase's kind; where the segment is a whole set, that of its effort.
  public var kind: PhaseKind
  /// What the coach calls the phase, at most 60 characters; where the segment is a whole set, its first.
  public var label: String
  /// Seconds, at most; nil for an open phase without a longest length.
  public var seconds: Double?
  /// The set's number, from 1; nil where the phase is in no numbered set.
  public var set: Int?
  /// How many sets its block has.
  public var sets: Int?
  /// True where `seconds` is the most, because something may end the phase, or one of the set, before its time.
  /// Nil otherwise, and at first.
  public var mayEndEarly: Bool?

  /// The arguments are taken as they are.
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
  /// By which `start` finds it.
  public var name: String
  /// The folder by use in which it lies, such as "running"; nil outside of those, and where one preset was
  /// asked for.
  public var folder: String?
  /// The workout's name; nil where the preset cannot be read.
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
  public var error: String?
  /// The phases; nil unless they were asked for, and where they are too many.
  public var outline: [OutlineSegment]?

  /// An entry with a name alone: the other properties are set afterwards.
  public init(name: String) { self.name = name }

  private enum CodingKeys: String, CodingKey {
    case name, folder, workout, seconds, aboutSeconds, sets, description
    case audience = "for"
    case author, source, tags, error, outline
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
