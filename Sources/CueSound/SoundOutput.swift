/// What is wrong with a device, by what the person can do about it.
public struct SoundOutputError: Error, Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// Another program holds it.
    case busy
    /// It is not there, or no longer.
    case gone
    /// This user may not use it.
    case denied
    /// It does not take the format.
    case unsupported
    /// It takes sound and never plays it.
    case stuck
    case failed
  }

  public let kind: Kind
  /// The device as it was asked for.
  public let device: String
  /// The call that failed and what it returned, for a report.
  public let detail: String

  public init(kind: Kind, device: String, detail: String) {
    self.kind = kind
    self.device = device
    self.detail = detail
  }
}

/// What happens to an output while it runs; the workout goes on in every case. That it plays again
/// comes as `MixerReport.back`.
public enum OutputEvent: Hashable, Sendable {
  /// The device could not be opened or vanished; it is tried again by itself.
  case lost(SoundOutputError, nanoseconds: Int64)
  /// It is about to play. What is handed over `reach` nanoseconds before it is due is heard on its frame; nil
  /// where that is not known so soon, as with a sound server.
  case plays(reach: Int64?)
  /// The sound thread has no real-time priority here: a busy machine may make it stumble.
  case notRealtime(nanoseconds: Int64)
}

/// What an output is needed for.
public enum OutputActivity: Int, Hashable, Sendable {
  /// No workout runs: the device can be let go of.
  case idle
  /// Some are paused and none runs.
  case paused
  case running
}

/// Something that plays what the mixer renders.
public protocol SoundOutput: AnyObject, Sendable {
  /// Starts the output's own thread, which owns the mixer from then on. Returns at once; a device
  /// that cannot be opened is an event, not an error. Once only.
  ///
  /// `events` is called on the output's thread, never while a device is playing.
  func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void)

  /// How much the output is needed from now on; what is sent is played in any case. Idle at first.
  /// Any thread; never blocks.
  func setActivity(_ activity: OutputActivity)

  /// Makes the output look at its commands now. Any thread; never blocks.
  func wake()

  /// Stops and closes. Blocks until the thread has ended; nothing is reported afterwards.
  func stop()
}
