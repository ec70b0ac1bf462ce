import ControlProtocol
import IntervalTimeline

/// A lane of a snapshot, as it stood at the snapshot's instant.
struct SnapshotLane: ShownLane {
  let lane: LaneSnapshot
  let phrases: PhraseCatalogue

  var name: String { lane.name }
  var workout: String { lane.workout }
  var state: Transport.State { lane.state }
  var label: String? { lane.label }
  var intensity: String? { lane.intensity }
  var note: String? { lane.note }
  var link: String? { lane.link }
  var set: Int? { lane.set }
  var sets: Int? { lane.sets }
  var reps: Int? { lane.reps }
  var repetitions: Int? { lane.repsDone }
  var end: OpenEnd? { lane.reps.map { .reps($0) } ?? lane.signal.map { .signal($0) } }
  var mayEndEarly: Bool { lane.mayEndEarly == true }
  var workoutMayEndEarly: Bool { lane.workoutMayEndEarly == true }
  var next: String? { lane.next }
  var phaseElapsed: Duration { .nanoseconds(lane.phaseElapsed) }
  var phaseLeft: Duration? { lane.phaseLeft.map { .nanoseconds($0) } }
  var elapsed: Duration { .nanoseconds(lane.elapsed) }
  var workoutLeft: Duration? { lane.workoutLeft.map { .nanoseconds($0) } }
  var phases: Int { lane.phases }
  var done: Int { lane.done }
  var skipped: Int { lane.skipped }
}
