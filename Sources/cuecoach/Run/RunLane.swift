import CoachHost
import CueEngine
import FoundationEssentials
import IntervalTimeline
import WorkoutFiles

/// One workout of a run, with its announcement style.
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

extension RunLane {
  /// Its announcement style and sounds. A voice or sound pack that a resumed session requested may
  /// be missing now: it is left out with a warning, so that the session can continue.
  func style(warn: (String) -> Void) throws(UserError) -> (LaneStyle, SoundPack) {
    let workout = timeline.workout
    do throws(UserError) {
      return (
        try speech.style(of: workout, warn: warn), try speech.sounds(of: workout, warn: warn)
      )
    } catch {
      guard lane.resumed != nil else { throw error }
      var style = lane.identity.request.style
      style.sounds = nil
      let withoutSounds = SpeechChoice(style, speech.configuration)
      if let style = try? withoutSounds.style(of: workout, warn: { _ in }) {
        warn("\(lane.name): \(error.message); the usual sounds are played")
        return (style, try withoutSounds.sounds(of: workout, warn: warn))
      }
      warn("\(lane.name): \(error.message); it is announced as its preset says")
      let plain = SpeechChoice(AnnouncementStyle(), speech.configuration)
      return (try plain.style(of: workout, warn: warn), try plain.sounds(of: workout, warn: warn))
    }
  }
}

extension RunRequest {
  /// A preset with the options of the command. Paths relative to the current folder are made
  /// absolute.
  init(preset: String, _ options: SpeechOptions) throws(UserError) {
    var style = try options.style()
    if let sounds = style.sounds, sounds.contains("/") { style.sounds = Self.absolute(sounds) }
    self.init(preset: Self.absolute(preset), style: style)
  }

  private static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
