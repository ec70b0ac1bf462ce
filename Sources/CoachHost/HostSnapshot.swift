import CueEngine
import IntervalTimeline

/// The state of a host, for a display. It has instants instead of remaining seconds, so a display
/// counts down on its own until the revision grows.
public struct HostSnapshot: Hashable, Codable, Sendable {
  /// Grows with each change.
  public var revision: UInt64
  /// When the snapshot was made.
  public var at: BootInstant
  /// In the order in which they were added.
  public var lanes: [WorkoutStatus]
  /// Whether sound comes out.
  public var device: Device
  /// The master volume: a linear gain, 0…1. 1 is the full volume of the output.
  public var volume: Float
  /// The latest comes last. Each is one line of at most 200 characters.
  public var warnings: [String]

  /// The state of the output's device.
  public enum Device: Hashable, Codable, Sendable {
    /// It plays, or nothing is to be played.
    case working
    /// The kind of failure, as in `SoundOutputError.Kind`.
    case lost(String)
  }

  init(_ summary: Feed.Summary, at: BootInstant, lanes: [WorkoutStatus]) {
    revision = summary.revision
    self.at = at
    self.lanes = lanes.map(\.bounded)
    device = summary.device
    volume = summary.volume
    warnings = summary.warnings.map(\.shownShort)
  }
}
