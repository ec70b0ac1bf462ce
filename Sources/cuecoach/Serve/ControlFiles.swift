import CoachHost
import ControlProtocol
import CueEngine
import CueSound
import IntervalTimeline

/// What a handler needs of the disk: presets, sessions, the history. Any thread; blocks.
protocol ControlFiles: Sendable {
  /// Reads and checks what a request wants to start.
  func workout(_ start: StartRequest) throws(ControlError) -> WorkoutToStart
  /// The session of a workout that begins now. An interrupted one of that name ends.
  func session(_ name: String, _ workout: WorkoutToStart) throws(ControlError) -> HostLane
  /// All presets, or one with its outline.
  func presets(_ name: String?, outline: Bool) throws(ControlError) -> [PresetEntry]
  /// What was interrupted, without the lanes that run here.
  func sessions(besides running: Set<String>) throws(ControlError) -> [SessionEntry]
  func history(limit: Int) throws(ControlError) -> [HistoryItem]
}

/// A workout that can be started.
struct WorkoutToStart: Sendable {
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
