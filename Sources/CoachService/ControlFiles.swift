import CoachHost
import ControlProtocol
import CueEngine
import IntervalTimeline
import SessionStore

/// What a handler needs of the disk: presets, sessions, the history. Any thread; blocks.
public protocol ControlFiles: Sendable {
  /// Reads and checks what a request wants to start. Its name is the one that it has where the order has none.
  func workout(_ order: StartOrder) throws(ControlError) -> OpenedWorkout
  /// Claims the name of a workout that begins now. An interrupted one of that name ends, and a notice is added that
  /// says so.
  func claim(_ workout: inout OpenedWorkout) throws(ControlError)
  /// What was interrupted under that name; nil if nothing was.
  func interrupted(_ name: String) throws(ControlError) -> OpenedWorkout?
  /// Keeps a workout that begins later, whatever becomes of the coach until then. On disk when it returns.
  func keep(_ later: ScheduledStart) throws(ControlError)
  /// It does not begin, because somebody has withdrawn it. On disk when it returns.
  func withdraw(_ later: ScheduledStart) throws(ControlError)
  /// It has not begun, because its time has passed: the history says so.
  func miss(_ later: ScheduledStart) throws(ControlError)
  /// All presets by folder and name, or one with its outline, and how many more there are than are listed.
  func presets(
    _ name: String?, outline: Bool
  ) throws(ControlError) -> (entries: [PresetEntry], omitted: Int)
  /// The text of a preset, or of an earlier version of one of the surfaces' own.
  func preset(_ name: String, version: Int?) throws(ControlError) -> PresetText
  /// Saves a preset of the surfaces' own; on disk when it returns. By default there are none.
  func save(_ change: PresetChange) throws(ControlError) -> PresetText
  /// Deletes a preset of the surfaces' own, unless it has another text than that of the tag.
  func delete(_ preset: String, tag: String) throws(ControlError)
  /// Whether clients that face a network may save and delete; by default not. Returns at once.
  var isEditable: Bool { get }
  /// The voices that a surface offers for a start; by default none.
  var offeredVoices: [String] { get }
  /// What was interrupted, without the lanes that run here.
  func sessions(besides running: Set<String>) throws(ControlError) -> [SessionEntry]
  /// The latest first.
  func history(limit: Int) throws(ControlError) -> [HistoryItem]
}

extension ControlFiles {
  public var offeredVoices: [String] { [] }
  public var isEditable: Bool { false }
  public func preset(_ name: String, version: Int?) throws(ControlError) -> PresetText {
    throw .noOwnPresets
  }
  public func save(_ change: PresetChange) throws(ControlError) -> PresetText {
    throw .noOwnPresets
  }
  public func delete(_ preset: String, tag: String) throws(ControlError) { throw .noOwnPresets }
}

extension ControlFiles {
  /// Presets and their texts, for an answer.
  func obey(
    _ action: ControlRequest.Action, _ reply: inout ControlAnswer
  ) throws(ControlError) {
    switch action {
    case .presets(let name, let outline):
      reply.list(try presets(name, outline: outline))
      let voices = name == nil ? offeredVoices : []
      reply.voices = voices.isEmpty ? nil : voices
      reply.edit = name != nil || isEditable ? nil : false
    case .desk(let request):
      guard case .presets(let name, let folder) = request.action else { break }
      let (entries, omitted) = try presets(nil, outline: false)
      // By its place: who is behind it has one, also where somebody has deleted it meanwhile.
      reply.list((entries.filter { (folder ?? "", name) < $0.place }, omitted))
      reply.edit = isEditable ? nil : false
    case .preset(let request):
      switch request.kind {
      case .read(let name, let version): reply.preset = try preset(name, version: version)
      case .save(let change): reply.preset = try save(change)
      case .delete(let name, let tag): try delete(name, tag: tag)
      case .check, .hear, .silence, .convert: break
      }
    default: break
    }
  }
}

extension ControlAnswer {
  fileprivate mutating func list(_ found: (entries: [PresetEntry], omitted: Int)) {
    presets = Array(found.entries.prefix(ControlLimits.presets))
    let left = found.omitted + max(0, found.entries.count - ControlLimits.presets)
    omitted = left == 0 ? nil : left
  }
}

/// A workout that begins later.
public struct ScheduledStart: Sendable {
  /// What begins, under its lane's name. Its `identity.startedAt` is when by the wall clock: this is kept.
  public var workout: OpenedWorkout
  /// The same on this boot's clock.
  public var at: BootInstant
  /// It was asked for in an earlier run of the coach, of which the wall clock alone is left: where that is
  /// set, the start moves with it.
  public var followsWallClock = false
  /// It is on disk.
  var isKept = false

  /// - Parameters:
  ///   - workout: with its instant of the wall clock.
  ///   - at: the same on this boot's clock.
  ///   - followsWallClock: whether it moves where the wall clock is set.
  public init(_ workout: OpenedWorkout, at: BootInstant, followsWallClock: Bool = false) {
    self.workout = workout
    self.at = at
    self.followsWallClock = followsWallClock
  }

  /// That of its lane.
  package var name: String { workout.name }

  /// When it begins by the wall clock, in nanoseconds since 1970.
  var wall: Int64 {
    get { workout.identity.startedAt }
    set { workout.identity.startedAt = newValue }
  }

  /// As surfaces show it.
  public var status: WorkoutStatus {
    var status = WorkoutStatus(
      name: name, Session(workout.timeline), workout.style.phrases, at: at)
    status.startsAt = at
    return status.bounded
  }
}
