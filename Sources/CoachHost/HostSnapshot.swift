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

  /// The state of a workout.
  public struct Lane: Hashable, Codable, Sendable {
    /// The lane's name.
    public var name: String
    /// The name of its workout, at most 200 characters.
    public var workout: String
    /// What commands are possible.
    public var state: Transport.State
    /// The index of the phase, from 0; `phases` after the last one.
    public var phase: Int
    /// How many phases the timeline has.
    public var phases: Int
    /// The running phase's kind; nil after the last phase.
    public var kind: PhaseKind?
    /// What the coach calls the phase, at most 200 characters; nil after the last phase.
    public var label: String?
    /// The running phase's set, from 1; nil where it is in no numbered set.
    public var set: Int?
    /// How many sets its block has; nil where `set` is.
    public var sets: Int?
    /// The label of the phase after this one.
    public var next: String?
    /// True while the phase is open and it is not decided when it ends: what is left of it is the most.
    public var mayEndEarly: Bool
    /// True while the running phase or a later one is open: what is left of the workout is the most.
    public var workoutMayEndEarly: Bool
    /// When the phase ends unless something ends it earlier; nil for an open phase without a longest length, and
    /// while paused.
    public var phaseEndsAt: Int64?
    /// When the workout ends unless something ends a phase earlier; nil where an open phase without a longest
    /// length leaves that unknown, and while paused.
    public var workoutEndsAt: Int64?
    /// Nanoseconds that the phase has lasted without pauses, as of `at`.
    public var phaseElapsed: Int64
    /// Nanoseconds left of the phase, as of `at`, with `mayEndEarly` at most; nil for an open phase without a
    /// longest length.
    public var phaseLeft: Int64?
    /// Nanoseconds of workout time, as of `at`.
    public var elapsed: Int64
    /// Nanoseconds left of the workout, as of `at`, with `workoutMayEndEarly` at most; nil where an open phase
    /// without a longest length leaves that unknown.
    public var workoutLeft: Int64?
    /// Phases done so far.
    public var done: Int
    /// Phases skipped so far.
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
      mayEndEarly = status.mayEndEarly
      workoutMayEndEarly = status.workoutMayEndEarly
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
