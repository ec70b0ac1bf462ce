import ControlProtocol
import IntervalTimeline

/// The coach as a media player (MPRIS 2.2): a phase is a track. Workouts in, properties and signals out.
package struct MediaPlayer: Sendable {
  package static let name = "org.mpris.MediaPlayer2.cuecoach"
  package static let path = "/org/mpris/MediaPlayer2"
  static let root = "org.mpris.MediaPlayer2"
  package static let player = "org.mpris.MediaPlayer2.Player"

  package var workouts = RunningWorkouts()
  /// The address of the picture of the phase; nil where there is none.
  package var picture: String?

  /// What others on the bus know; nil before the first signal.
  private var told: [String: BusValue]?
  private var toldPosition: Position?

  private struct Position {
    var track: BusValue?
    var microseconds: Int64
    /// Nanoseconds of CLOCK_BOOTTIME.
    var at: Int64
    var isMoving: Bool
    var length: Int64?

    /// Where others believe that it is.
    func expected(_ now: Position) -> Int64 {
      guard track == now.track else { return 0 }
      let moved = microseconds + (isMoving ? max(0, now.at - at) / 1000 : 0)
      return min(moved, length ?? moved)
    }
  }

  /// A jump that is shorter is none that anybody sees.
  private static let jump: Int64 = 500_000

  package init() {}

  // MARK: Properties

  private enum Playback: String {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  private var playback: Playback {
    switch workouts.chosen?.state {
    case .running: .playing
    case .paused: .paused
    default: .stopped
    }
  }

  static let rootProperties: [String: BusValue] = [
    "CanQuit": .bool(false), "CanRaise": .bool(false), "HasTrackList": .bool(false),
    "Identity": .text("cuecoach"), "SupportedUriSchemes": .texts([]),
    "SupportedMimeTypes": .texts([]),
  ]

  /// The properties whose changes are signalled: all but the position.
  private var properties: [String: BusValue] {
    let isActive = playback != .stopped
    var volume = Double(workouts.snapshot?.volume ?? 100) / 100
    if workouts.snapshot?.muted == true { volume = 0 }
    return [
      "PlaybackStatus": .text(playback.rawValue), "Rate": .double(1), "MinimumRate": .double(1),
      "MaximumRate": .double(1), "Metadata": .map(metadata), "Volume": .double(volume),
      "CanGoNext": .bool(isActive && canGoNext), "CanGoPrevious": .bool(isActive),
      "CanPlay": .bool(isActive),
      "CanPause": .bool(isActive), "CanSeek": .bool(false), "CanControl": .bool(true),
    ]
  }

  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME, as everywhere.
  func properties(of interface: String, at now: Int64) -> [String: BusValue]? {
    switch interface {
    case Self.root: return Self.rootProperties
    case Self.player:
      var all = properties
      all["Position"] = .int64(position(at: now))
      return all
    default: return nil
    }
  }

  /// False in a last phase that has its own end: the next command would end the workout.
  var canGoNext: Bool {
    workouts.chosen.map { $0.mayEndEarly || $0.phase + 1 < $0.phases } ?? false
  }

  private var metadata: [String: BusValue] {
    guard let lane = workouts.chosen else { return [:] }
    let set = lane.set.map { set in lane.sets.map { " \(set)/\($0)" } ?? " \(set)" } ?? ""
    var fields: [String: BusValue] = [
      "mpris:trackid": .path("/cuecoach/\(workouts.serial(of: lane.name))/phase/\(lane.phase + 1)"),
      "xesam:title": .text(((lane.label ?? "") + set).forBus),
      "xesam:album": .text(lane.workout.forBus),
      "xesam:trackNumber": .int32(Int32(clamping: lane.phase + 1)),
    ]
    // Whose it is, where its name says more than the workout's.
    if lane.name != lane.workout { fields["xesam:artist"] = .texts([lane.name.forBus]) }
    if let length = Self.length(lane) { fields["mpris:length"] = .int64(length) }
    if let picture { fields["mpris:artUrl"] = .text(picture) }
    return fields
  }

  /// Microseconds; nil for a phase whose end is unknown.
  private static func length(_ lane: WorkoutStatus) -> Int64? {
    lane.phaseLeft.map { (lane.phaseElapsed + $0).wholeNanoseconds / 1000 }
  }

  /// Microseconds.
  private func position(at now: Int64) -> Int64 {
    guard var snapshot = workouts.snapshot, let name = workouts.chosen?.name else { return 0 }
    snapshot.advance(to: now)
    let elapsed = snapshot.lanes.first { $0.name == name }?.phaseElapsed ?? .zero
    return max(.zero, elapsed).wholeNanoseconds / 1000
  }

  // MARK: Signals

  /// What others are to be told.
  package struct Changes: Hashable, Sendable {
    /// Of the interface of the player; empty: no property has changed.
    package var properties: [String: BusValue] = [:]
    /// Microseconds, where the position has jumped.
    package var seeked: Int64?
  }

  /// What has changed since the last time.
  package mutating func changes(at now: Int64) -> Changes {
    let properties = properties
    var changes = Changes()
    if let told { changes.properties = properties.filter { told[$0.key] != $0.value } }
    let lane = workouts.chosen
    let position = Position(
      track: metadata["mpris:trackid"], microseconds: position(at: now), at: now,
      isMoving: lane?.state == .running, length: lane.flatMap(Self.length))
    if let toldPosition, position.track != nil {
      let expected = toldPosition.expected(position)
      if abs(expected - position.microseconds) > Self.jump {
        changes.seeked = position.microseconds
      }
    }
    (told, toldPosition) = (properties, position)
    return changes
  }

  /// Nobody knows anything: there is another bus.
  package mutating func forget() { (told, toldPosition) = (nil, nil) }
}
