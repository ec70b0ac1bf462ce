import CueEngine
import IntervalTimeline

/// The state of a host, for a display. It has instants instead of remaining seconds, so a display
/// counts down on its own until the revision grows.
public struct HostSnapshot: Hashable, Codable, Sendable {
  /// Grows with each change.
  public var revision: UInt64
  /// When the snapshot was made, in nanoseconds of CLOCK_BOOTTIME, like every instant here.
  public var at: Int64
  /// In the order in which they were added.
  public var lanes: [Lane]
  public var device: Device
  /// The master volume: a linear gain, 0…1. 1 is the full volume of the output.
  public var volume: Float
  /// The latest comes last. Each is one line of at most 200 characters.
  public var warnings: [String]

  public enum Device: Hashable, Codable, Sendable {
    case working
    /// The kind of failure, as in `SoundOutputError.Kind`.
    case lost(String)
  }

  public struct Lane: Hashable, Codable, Sendable {
    public var name: String
    public var workout: String
    public var state: Transport.State
    /// The index from 0; `phases` once the workout is over.
    public var phase: Int
    public var phases: Int
    public var kind: PhaseKind?
    public var label: String?
    public var set: Int?
    public var sets: Int?
    /// The label of the phase after this one.
    public var next: String?
    /// When the phase ends; nil if it is open, and while paused.
    public var phaseEndsAt: Int64?
    public var workoutEndsAt: Int64?
    /// Nanoseconds, as of `at`.
    public var phaseElapsed: Int64
    public var phaseLeft: Int64?
    public var elapsed: Int64
    public var workoutLeft: Int64?
    public var done: Int
    public var skipped: Int

    init(_ status: LaneStatus) {
      name = status.name
      workout = status.workout.shortened
      state = status.state
      phase = status.phase
      phases = status.phases
      kind = status.kind
      label = status.label?.shortened
      set = status.set
      sets = status.sets
      next = status.next?.shortened
      phaseEndsAt = status.phaseEndsAt?.nanoseconds
      workoutEndsAt = status.workoutEndsAt?.nanoseconds
      phaseElapsed = status.phaseElapsed.wholeNanoseconds
      phaseLeft = status.phaseLeft?.wholeNanoseconds
      elapsed = status.elapsed.wholeNanoseconds
      workoutLeft = status.workoutLeft?.wholeNanoseconds
      done = status.done
      skipped = status.skipped
    }
  }

  init(_ summary: Feed.Summary, at: BootInstant, lanes: [Lane]) {
    revision = summary.revision
    self.at = at.nanoseconds
    self.lanes = lanes
    device = summary.device
    volume = summary.volume
    warnings = summary.warnings.map(\.shortened)
  }
}

extension String {
  /// At most 200 characters, so that a snapshot of one lane stays below 4 KB.
  fileprivate var shortened: String { count > 200 ? prefix(199) + "…" : self }
}
