/// What is wrong with a device, by what the person can do about it.
public struct SoundOutputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problem, one for each remedy. The raw value is the word in the ledger.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Another program holds it.
    case busy
    /// It is not there, or no longer.
    case gone
    /// This user may not use it.
    case denied
    /// It does not take the format.
    case unsupported
    /// It takes sound and never plays it; or the output has taken no command for 5 s.
    case stuck
    /// Anything else; `detail` says what.
    case failed
  }

  /// What a person can do about it.
  public let kind: Kind
  /// The device as it was asked for; empty where the engine itself has found that the output is stuck.
  public let device: String
  /// The call that failed and what it returned, for a report.
  public let detail: String

  /// The arguments are taken as they are.
  public init(kind: Kind, device: String, detail: String) {
    self.kind = kind
    self.device = device
    self.detail = detail
  }

  /// The device, the kind and the detail, on one line.
  public var description: String {
    [device, "\(kind.rawValue) (\(detail))"].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

/// What happens to an output while it runs; the workout continues in every case. That a lost device
/// plays again is not among these: `Mixer.reportBack` reports it.
public enum OutputEvent: Hashable, Sendable {
  /// The device could not be opened, or vanished; the output tries it again by itself.
  case lost(SoundOutputError, at: BootInstant)
  /// It is about to play. A sound that is handed over `minimumLeadTime` before it is due is heard on its frame; nil
  /// where that is not known yet, as with a sound server.
  case plays(minimumLeadTime: Duration?)
  /// The device was closed, because no workout runs. The next one opens it again.
  case closed
  /// The sound thread has no real-time priority here: a busy machine may make it stumble.
  case notRealtime(at: BootInstant)
}

/// What an output is needed for.
public enum OutputActivity: Int, Hashable, Sendable {
  /// No workout runs: the device may be closed.
  case idle
  /// Some are paused and none runs.
  case paused
  /// At least one workout runs, or is about to: the device plays.
  case running
}

/// Something that plays what the mixer renders, such as a sound card.
///
/// An implementation has one thread of its own. That thread makes the `Mixer` from the link and is the
/// only one to use it. While it plays, it does this again and again, and neither allocates, locks, logs
/// nor counts references meanwhile:
/// - `takeCommands`, each time it wakes up. If that returns true and the device can take frames back,
///   it does, then calls `stepBack(to:)`.
/// - `render` the frames that the device has room for, in order. `map` says when which frame is heard.
/// - `heard(upTo:)` with the frames that have been played: that sends the reports.
///
/// Without a device it still renders, at the pace of the clock, so that the sound comes back in place;
/// a lost device is reported with `OutputEvent.lost`, `breakOff()` and later `reportBack`. At the end it
/// calls `abandon()`, which reports what will not be heard as withdrawn. Commands that come later are
/// never read.
///
/// Where commands wait for 5 s while a workout runs and the thread takes none, the engine reports the output
/// as lost, as `SoundOutputError.Kind.stuck`, and as back when it takes one.
///
/// The thread must own the link until it ends: the link keeps every clip alive that the thread may
/// still read. It owns everything else that it touches, too, for `stop` may leave it behind.
///
/// No method throws: a device's failure is an event, and the output continues.
public protocol SoundOutput: AnyObject, Sendable {
  /// How much earlier than it is due a sound must be handed over, beyond what the device reports,
  /// because of what follows the device, such as a radio link. Never changes.
  ///
  /// Any thread; never blocks. Zero where the sound needs no such allowance; at most 60 s.
  var latency: Duration { get }

  /// Starts the output's thread. A device that cannot be opened is an event and tried again.
  ///
  /// Any thread, once only: a second call traps. Never blocks. The thread calls `events`, never while a
  /// device plays, and never after `stop` has returned.
  func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void)

  /// What the output is needed for from now on; `.idle` at first. What is sent is played in any case.
  ///
  /// Any thread, also before `start` and after `stop`, when it has no effect; never blocks.
  func setActivity(_ activity: OutputActivity)

  /// Makes the thread take its commands now instead of at its next turn.
  ///
  /// Any thread, also before `start` and after `stop`, when it has no effect; never blocks.
  func wake()

  /// Stops the thread and closes the device. Afterwards there are no more events.
  ///
  /// Any thread but the output's own. Blocks until the thread has ended; then every voice sent has its
  /// `.ended` report. A thread that hangs in a driver is left behind after a few seconds: its last reports
  /// may come later or never, and it may still read clips, which the link keeps alive for it. Calls
  /// before `start` and further calls do nothing.
  func stop()
}
