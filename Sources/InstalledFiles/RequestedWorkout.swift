import CueEngine
import FoundationEssentials
import IntervalTimeline

/// A preset that was requested, read from its file.
package struct RequestedWorkout: Sendable {
  /// The preset's file as it was found. May be relative.
  package let path: String
  /// The workout, laid out.
  package let timeline: Timeline
  /// What the file has and the workout has not, one line for each kind of it; see `WorkoutFile.reports`.
  package let reports: [String]
  /// Stored with the session. Its paths are absolute.
  package let order: StartOrder

  init(path: String, timeline: Timeline, reports: [String], style: AnnouncementStyle, lane: String?)
  {
    self.path = path
    self.timeline = timeline
    self.reports = reports.map { "\(path.singleLine): \($0)" }
    var style = style
    if let sounds = style.sounds, sounds.contains("/") { style.sounds = Self.absolute(sounds) }
    order = StartOrder(preset: Self.absolute(path), lane: lane, style: style)
  }

  /// The default name of its session: the file's name without its extension.
  package var name: String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let stem = file.split(separator: ".").first.map(String.init) ?? file
    // Leaves room for a number in case the name is taken.
    return String(String.UnicodeScalarView(stem.singleLine.unicodeScalars.prefix(32)))
  }

  private static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}

/// A workout that can be run: its timeline, how it is announced, and its sounds.
public struct PreparedWorkout: Sendable {
  /// The preset as it was found and read.
  package let requested: RequestedWorkout
  /// How it is announced, by the request, the preset and the configuration.
  public let style: LaneStyle
  /// Its sounds, at `SampleRate.standard`.
  public let sounds: SoundPack

  /// The workout, laid out.
  public var timeline: Timeline { requested.timeline }
}
