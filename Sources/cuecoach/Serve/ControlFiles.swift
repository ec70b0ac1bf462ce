import CoachHost
import ControlProtocol
import CueEngine
import CueSound
import IntervalTimeline
import SessionStore

/// What a handler needs of the disk: presets, sessions, the history. Any thread; blocks.
protocol ControlFiles: Sendable {
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
  func history(limit: Int) throws(ControlError) -> [HistoryItem]
}

/// A workout that can be started.
struct WorkoutToStart: Sendable {
  /// Of the session that it will be.
  var id = SessionIdentity.newID()
  /// Its lane's name where the request has none.
  var name: String
  var timeline: Timeline
  var request: RunRequest
  var style: LaneStyle
  /// The host's when nil.
  var sounds: SoundPack?
  /// Remarks for the person who starts it.
  var warnings: [String] = []
}

/// A workout that can be added to the host.
struct OpenedWorkout: Sendable {
  var lane: HostLane
  var style: LaneStyle
  /// The host's when nil.
  var sounds: SoundPack?
  /// Remarks for the person who starts it.
  var notices: [String] = []
}

/// A workout that begins later.
struct ScheduledStart: Sendable {
  let name: String
  let workout: WorkoutToStart
  /// When it begins by the wall clock, in nanoseconds since 1970: this is kept.
  var wall: Int64
  /// The same on this boot's clock.
  var at: BootInstant
  /// It was asked for in an earlier run of the coach, of which the wall clock alone is left: where that is
  /// set, the start moves with it.
  var followsWallClock = false
  /// It is on disk.
  var isKept = false

  /// As surfaces show it.
  var status: WorkoutStatus {
    var status = WorkoutStatus(
      name: name, Session(workout.timeline), workout.style.phrases, at: at, beginning: 0)
    status.startsAt = at
    return status.bounded
  }
}

extension StoredStart {
  init(_ later: ScheduledStart) {
    self.init(
      id: later.workout.id, lane: later.name, workout: later.workout.timeline.workout,
      request: later.workout.request, startsAt: later.wall)
  }
}
