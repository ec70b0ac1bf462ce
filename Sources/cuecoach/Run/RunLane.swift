import CoachHost
import FoundationEssentials
import IntervalTimeline
import WorkoutFiles

/// One workout of a run, and how it is announced.
struct RunLane {
  let lane: HostLane
  let speech: SpeechChoice

  var name: String { lane.name }
  var timeline: Timeline { lane.timeline }

  init(_ lane: HostLane, _ configuration: Configuration) {
    self.lane = lane
    speech = SpeechChoice(lane.identity.request.style, configuration)
  }
}

extension RunRequest {
  /// A preset with the options of the command; relative paths are those of the current folder, and
  /// are made absolute.
  init(preset: String, _ options: SpeechOptions) throws(UserError) {
    var style = try options.style()
    if let sounds = style.sounds, sounds.contains("/") { style.sounds = Self.absolute(sounds) }
    self.init(preset: Self.absolute(preset), style: style)
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}
