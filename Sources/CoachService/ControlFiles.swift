import CoachHost
import ControlProtocol
import CueEngine
import CueSound
import IntervalTimeline
import SessionStore

/// What a handler needs of the disk: presets, sessions, the history. Any thread; blocks.
public protocol ControlFiles: Sendable {
  /// Reads and checks what a request wants to start.
  func workout(_ start: StartRequest) throws(ControlError) -> WorkoutToStart
  /// The session of a workout that begins now. An interrupted one of that name ends, and a notice says so.
  func session(_ name: String, _ workout: WorkoutToStart) throws(ControlError) -> OpenedWorkout
  /// What was interrupted under that name; nil if nothing was.
  func interrupted(_ name: String) throws(ControlError) -> OpenedWorkout?
  /// Keeps a workout that begins later, whatever becomes of the coach until then. On disk when it returns.
  func keep(_ later: ScheduledStart) throws(ControlError)
  /// It does not begin, because somebody has withdrawn it. On disk when it returns.
  func withdraw(_ later: ScheduledStart) throws(ControlError)
  /// It has not begun, because its time has passed: the history says so.
  func miss(_ later: ScheduledStart) throws(ControlError)
  /// All presets, or one with its outline, and how many more there are than are listed.
  func presets(
    _ name: String?, outline: Bool
  ) throws(ControlError) -> (entries: [PresetEntry], omitted: Int)
  /// What was interrupted, without the lanes that run here.
  func sessions(besides running: Set<String>) throws(ControlError) -> [SessionEntry]
  /// The latest first.
  func history(limit: Int) throws(ControlError) -> [HistoryItem]
}

/// A workout that can be started.
public struct WorkoutToStart: Sendable {
  /// Of the session that it will be.
  public var id = SessionIdentity.newID()
  /// Its lane's name where the request has none.
  public var name: String
  /// The workout, laid out.
  public var timeline: Timeline
  /// As it was asked for: it is stored with the session.
  public var request: RunRequest
  /// How it is announced.
  public var style: LaneStyle
  /// The host's when nil.
  public var sounds: SoundPack?
  /// Remarks for the person who starts it.
  public var warnings: [String] = []

  /// With a new identity and the host's sounds; the other properties are set afterwards.
  public init(
    name: String, timeline: Timeline, request: RunRequest = RunRequest(),
    style: LaneStyle = LaneStyle()
  ) {
    self.name = name
    self.timeline = timeline
    self.request = request
    self.style = style
  }
}

/// A workout that can be added to the host.
public struct OpenedWorkout: Sendable {
  /// New, or what `Resumption` has found.
  public var lane: HostLane
  /// How it is announced.
  public var style: LaneStyle
  /// The host's when nil.
  public var sounds: SoundPack?
  /// Remarks for the person who starts it.
  public var notices: [String] = []

  /// With the host's sounds; the other properties are set afterwards.
  public init(lane: HostLane, style: LaneStyle = LaneStyle()) {
    self.lane = lane
    self.style = style
  }
}

/// A workout that begins later.
public struct ScheduledStart: Sendable {
  /// That of its lane.
  public let name: String
  /// What begins.
  public let workout: WorkoutToStart
  /// When it begins by the wall clock, in nanoseconds since 1970: this is kept.
  public var wall: Int64
  /// The same on this boot's clock.
  public var at: BootInstant
  /// It was asked for in an earlier run of the coach, of which the wall clock alone is left: where that is
  /// set, the start moves with it.
  public var followsWallClock = false
  /// It is on disk.
  public internal(set) var isKept = false

  /// - Parameters:
  ///   - wall: when it begins by the wall clock, in nanoseconds since 1970.
  ///   - at: the same on this boot's clock.
  ///   - followsWallClock: whether it moves where the wall clock is set.
  public init(
    name: String, workout: WorkoutToStart, wall: Int64, at: BootInstant,
    followsWallClock: Bool = false
  ) {
    self.name = name
    self.workout = workout
    self.wall = wall
    self.at = at
    self.followsWallClock = followsWallClock
  }

  /// As surfaces show it.
  public var status: WorkoutStatus {
    var status = WorkoutStatus(
      name: name, Session(workout.timeline), workout.style.phrases, at: at)
    status.startsAt = at
    return status.bounded
  }
}

extension StoredStart {
  /// What is stored of it.
  public init(_ later: ScheduledStart) {
    self.init(
      id: later.workout.id, lane: later.name, workout: later.workout.timeline.workout,
      request: later.workout.request, startsAt: later.wall)
  }
}
