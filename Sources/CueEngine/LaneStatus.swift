import IntervalTimeline
import Phrases

/// The state of a lane's workout, whose properties are read as if they were the lane's: `status.phaseEndsAt`.
@dynamicMemberLookup
public struct LaneStatus: Hashable, Sendable, CustomStringConvertible {
  /// As `addLane` returned it.
  public let id: LaneID
  /// Of which instant it is. For one that begins a phase: when that began.
  public let at: BootInstant
  /// The state, as every display has it.
  public internal(set) var workoutStatus: WorkoutStatus
  /// The running phase's length as the workout has it; nil after the last phase.
  public let length: PhaseLength?
  /// What the lane's display is written in.
  public var phrases: PhraseCatalogue { sharedPhrases.value }
  private let sharedPhrases: Shared<PhraseCatalogue>

  /// A property of the workout's state.
  public subscript<Value>(dynamicMember property: KeyPath<WorkoutStatus, Value>) -> Value {
    workoutStatus[keyPath: property]
  }

  public var description: String { workoutStatus.description }

  /// As of `instant`; with `beginning` that is when this phase began, which may have passed together with others.
  init(_ lane: Lane, at instant: BootInstant, beginning phase: Int? = nil) {
    id = lane.id
    at = instant
    sharedPhrases = lane.style.sharedPhrases
    workoutStatus = WorkoutStatus(
      name: lane.name, lane.session, lane.style.phrases, at: instant, beginning: phase)
    if lane.session.state == .running, var target = lane.coaching.status(at: instant) {
      target.words = lane.style.phrases.words(of: target)
      workoutStatus.target = target
    }
    let entries = lane.session.timeline.entries
    let phase = workoutStatus.phase
    length = entries.indices.contains(phase) ? entries[phase].phase.length : nil
  }
}
