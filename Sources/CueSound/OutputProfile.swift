/// Settings for one device that its driver cannot report.
public struct OutputProfile: Hashable, Sendable {
  /// What the device plays while nothing is to be heard.
  public enum KeepAlive: String, CaseIterable, Hashable, Sendable {
    /// The device is closed while the workout is paused, unless it has to warm up.
    case off
    /// It stays open from the start to the end, and plays digital silence.
    case silence
    /// It stays open and plays inaudible noise of one 16-bit step: some speakers fall asleep on digital
    /// silence.
    case dither
  }

  /// Delay behind the device that no driver reports, such as a radio link's: every sound is played that
  /// much earlier.
  public var latency: Duration
  /// What it plays in a pause and between the cues.
  public var keepAlive: KeepAlive
  /// How long the device plays silence before the first cue, so that a sleeping sink is awake.
  public var warmUp: Duration
  /// The highest volume allowed on this device, 0…100.
  public var volumeCeiling: Int

  /// Without arguments: no further delay, closed in a pause, no warm-up, full volume. The arguments are taken
  /// as they are.
  public init(
    latency: Duration = .zero, keepAlive: KeepAlive = .off, warmUp: Duration = .zero,
    volumeCeiling: Int = 100
  ) {
    self.latency = latency
    self.keepAlive = keepAlive
    self.warmUp = warmUp
    self.volumeCeiling = volumeCeiling
  }
}
