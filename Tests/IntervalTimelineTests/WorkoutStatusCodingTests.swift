import Foundation
import Testing

@testable import IntervalTimeline

/// The status as JSON: what a surface reads of a workout.
struct WorkoutStatusCodingTests {
  private static let least: Set = [
    "name", "workout", "state", "language", "phase", "phases", "phaseElapsed", "elapsed", "done",
    "skipped", "setsDone", "workElapsed", "restElapsed",
  ]

  private static func keys(_ status: WorkoutStatus) throws -> Set<String> {
    let data = try JSONEncoder().encode(status)
    #expect(try JSONDecoder().decode(WorkoutStatus.self, from: data) == status)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return Set(object.keys)
  }

  @Test func whatIsNotThereIsLeftOut() throws {
    let status = WorkoutStatus(name: "anna", workout: "Rows", state: .ready, language: "en")
    #expect(try Self.keys(status) == Self.least)
  }

  /// Every property differs from its default, so one that is not written or not read is noticed.
  @Test func everythingIsThereAndComesBack() throws {
    var status = WorkoutStatus(name: "anna", workout: "Rows", state: .running, language: "de")
    (status.phase, status.phases, status.done, status.skipped) = (3, 9, 2, 1)
    (status.kind, status.label, status.intensity) = (.high, "Hard", "95 %")
    (status.note, status.link) = ("Shoulders down", "https://example.org")
    (status.set, status.sets, status.reps, status.repetitions) = (2, 8, 12, 7)
    (status.signal, status.heartRateBelow) = ("ready", 120)
    (status.mayEndEarly, status.workoutMayEndEarly, status.isBeforeSurprise) = (true, true, true)
    status.next = "Rest"
    status.following = OutlineSegment(kind: .rest, label: "Rest", seconds: 5, set: 2, sets: 8)
    status.startsAt = BootInstant(nanoseconds: 1)
    status.phaseEndsAt = BootInstant(nanoseconds: 2)
    status.workoutEndsAt = BootInstant(nanoseconds: 3)
    (status.phaseElapsed, status.phaseLeft) = (.nanoseconds(4), .nanoseconds(5))
    (status.elapsed, status.workoutLeft) = (.nanoseconds(6), .nanoseconds(7))
    status.target = try JSONDecoder().decode(
      TargetStatus.self,
      from: Data(
        #"{"kind":"watts","value":187,"low":190,"high":210,"position":"below","words":"187"}"#.utf8)
    )
    (status.preset, status.countdown, status.setsDone) = ("rows", 3, 4)
    status.times = EffortTimes(work: .nanoseconds(8), rest: .nanoseconds(9))
    let keys = try Self.keys(status)
    #expect(
      keys
        == Self.least.union([
          "kind", "label", "intensity", "note", "link", "set", "sets", "reps", "repsDone", "signal",
          "heartRateBelow",
          "mayEndEarly", "workoutMayEndEarly", "beforeSurprise", "next", "following", "startsAt",
          "phaseEndsAt", "workoutEndsAt", "phaseLeft", "workoutLeft", "target",
          "preset", "countdown",
        ]))
    // `times` is written as two lengths.
    #expect(keys.count - 1 == Mirror(reflecting: status).children.count)
  }
}
