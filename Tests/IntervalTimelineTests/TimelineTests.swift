import TestSupport
import Testing

@testable import IntervalTimeline

struct TimelineTests {
  @Test func peakRushEndsAtExactlyTwelveMinutes() throws {
    let timeline = try Timeline(.peakRush)
    #expect(timeline.count == 24)
    #expect(timeline.length == .seconds(720))
    #expect(timeline.start(of: 23) == .seconds(690))
    #expect(timeline.start(of: 24) == .seconds(720))
    #expect(timeline.entries.map(\.set) == (1...12).flatMap { [$0, $0] })
    #expect(timeline.entries.map(\.endsSet) == (1...12).flatMap { _ in [false, true] })
  }

  @Test func aStepSkippedInTheLastSetLeavesTheSetsEndOnTheOneBefore() throws {
    var workout = Workout.sets(3, [(.high, 240), (.recovery, 180)])
    workout.blocks[0].steps[1].skippedInLastSet = true
    let timeline = try Timeline(workout)
    #expect(timeline.count == 5)
    #expect(timeline.length == .seconds(3 * 240 + 2 * 180))
    #expect(timeline.entries.map(\.endsSet) == [false, true, false, true, true])
  }

  @Test func aPhaseBetweenSetsFollowsTheEndOfEachSetButTheLast() throws {
    let rest = Phase(.rest, .fixed(.seconds(15)))
    let timeline = try Timeline(.sets(3, [(.low, 10), (.high, 10)], between: rest))
    #expect(
      timeline.entries.map(\.phase.kind) == [.low, .high, .rest, .low, .high, .rest, .low, .high])
    #expect(timeline.entries.map(\.set) == [1, 1, 1, 2, 2, 2, 3, 3])
    #expect(timeline.entries.filter(\.endsSet).count == 3)
    #expect(timeline.length == .seconds(90))
  }

  @Test func anEntryKnowsItsStepAndThePhaseBetweenSetsHasNone() throws {
    let rest = Phase(.rest, .fixed(.seconds(15)))
    var workout = Workout.sets(2, [(.work, 10), (.low, 10), (.high, 10)], between: rest)
    workout.blocks[0].steps[1].skippedInLastSet = true
    #expect(try Timeline(workout).entries.map(\.step) == [0, 1, 2, nil, 0, 2])
  }

  /// 30-60-30 with a low phase before the first effort.
  private static let pyramid: Workout = {
    var workout = Workout.sets(
      nil, [(.low, 20), (.high, 30), (.rest, 10), (.work, 60), (.low, 10), (.high, 30)])
    workout.blocks[0].numbering = .each
    return workout
  }()

  @Test func eachEffortCanBeASetToWhichWhatFollowsBelongs() throws {
    let timeline = try Timeline(Self.pyramid)
    #expect(timeline.entries.map(\.set) == [nil, 1, 1, 2, 2, 3])
    #expect(timeline.entries.map(\.sets) == [nil, 3, 3, 3, 3, 3])
    #expect(timeline.entries.map(\.endsSet) == [false, true, false, true, false, true])
    #expect(timeline.entries.map(\.step) == [0, 1, 2, 3, 4, 5])
    #expect(timeline.length == .seconds(160))
    #expect(timeline.nextSetEnd(from: 2) == 3)
  }

  @Test func aBlockThatNumbersItsEffortsHasSome() throws {
    var workout = Self.pyramid
    workout.blocks[0].steps.removeAll { $0.phase.kind.isEffort }
    #expect(throws: WorkoutError(.emptySet, block: 0)) { try Timeline(workout) }
  }

  @Test func numberedEffortsAreCountedInSummariesAndKept() throws {
    var session = Session(try Timeline(Self.pyramid), plan: .plain)
    let begin = BootInstant(nanoseconds: 0)
    _ = session.handle(.start, at: begin)
    for second in 1...100 { _ = session.check(at: begin + .seconds(second)) }
    let now = begin + .seconds(100)
    let record = session.record(at: now)
    let summary = try #require(SessionSummary(record, in: session.timeline, at: now))
    #expect((summary.sets, summary.setsDone, summary.phases) == (3, 1, 6))
    let restored = try #require(
      Session(try Timeline(Self.pyramid), plan: .plain).restoring(record))
    #expect(restored.timeline.entries[restored.transport.position(at: now).phase].set == 2)
  }

  @Test func nothingBehindAnOpenPhaseHasAStart() throws {
    let timeline = try Timeline(.strength)
    #expect(timeline.length == nil)
    #expect(timeline.fixedLength == .seconds(100))
    #expect(timeline.start(of: 0) == .zero)
    #expect(timeline.start(of: 1) == nil)
    // From the rest on, the next exercise's start is known again.
    #expect(timeline.distance(from: 1, to: 2) == .seconds(20))
    #expect(timeline.distance(from: 1, to: 3) == nil)
    #expect(timeline.distance(from: 5, to: 6) == .seconds(60))
  }

  @Test func anOpenPhaseHoldsEverythingBehindIt() throws {
    let timeline = try Timeline(.strength)
    #expect(timeline.entry(at: .seconds(10_000), from: 0) == 0)
    #expect(timeline.entry(at: .seconds(19), from: 1) == 1)
    #expect(timeline.entry(at: .seconds(20), from: 1) == 2)
    #expect(timeline.entry(at: .seconds(10_000), from: 1) == 2)
    #expect(timeline.entry(at: .seconds(60), from: 5) == 6)
  }

  @Test func aDistanceIsKnownWhereNoPhaseBetweenIsOpen() throws {
    let workout = Workout(
      name: "Mixed",
      blocks: [
        .init(
          sets: 3,
          steps: [
            .init(Phase(.low, .fixed(.seconds(10)))), .init(Phase(.work, .open(.reps(5)))),
            .init(Phase(.rest, .fixed(.seconds(20)))),
            .init(Phase(.work, .open(.untilNext, OpenBounds(atMost: .seconds(40))))),
          ], between: Phase(.rest, .open(.untilNext)))
      ])
    let timeline = try Timeline(workout)
    let lengths = timeline.entries.map(\.phase.length.duration)
    for first in 0...timeline.count {
      for index in first...timeline.count {
        let between = lengths[first..<index]
        let distance =
          between.contains(nil) ? nil : between.compactMap { $0 }.reduce(.zero, +)
        #expect(timeline.distance(from: first, to: index) == distance)
      }
    }
    #expect(timeline.length == nil)
  }

  @Test func timelinesOfOneWorkoutAreEqual() throws {
    let timeline = try Timeline(.peakRush)
    #expect(try timeline == Timeline(.peakRush))
    #expect(try timeline.entries == Timeline(.peakRush).entries)
    #expect(try Set([timeline, Timeline(.peakRush), Timeline(.strength)]).count == 2)
    #expect(try timeline.entries[0] != Timeline(.strength).entries[0])
  }

  /// A thousand workouts have a thousand timelines, and each several copies.
  @Test func timelinesAreSmall() {
    #expect(MemoryLayout<Timeline>.size <= 8)
    #expect(MemoryLayout<Timeline.Entry>.stride <= 40)
  }

  @Test func aBoundaryBelongsToThePhaseThatBegins() throws {
    let timeline = try Timeline(.peakRush)
    #expect(timeline.entry(at: .milliseconds(29_999), from: 0) == 0)
    #expect(timeline.entry(at: .seconds(30), from: 0) == 1)
    #expect(timeline.entry(at: .seconds(720), from: 0) == 24)
    #expect(timeline.entry(at: .seconds(30), from: 23) == 24)
  }

  @Test(arguments: [
    (Workout(name: "", blocks: []), WorkoutError.Fault.emptySet),
    (.sets(3, []), .emptySet),
    (.sets(0, [(.low, 1)]), .setCount(0)),
    (.sets(-1, [(.low, 1)]), .setCount(-1)),
    (.marked([1, 3]), .setNumbers),
    (.marked([2]), .setNumbers),
    (.marked([1, nil, 1]), .setNumbers),
    (.marked([nil]), .setNumbers),
    (.marked([2, 1]), .setNumbers),
    (.marked([]), .emptySet),
    (.sets(1, [(.low, 0)]), .length(.zero)),
    (.sets(1, [(.low, -5)]), .length(.seconds(-5))),
    (.sets(2, [(.low, 43_200), (.high, 1)]), .tooLong),
    (.sets(100_001, [(.low, 1)]), .tooLong),
    (
      Workout(
        name: "", blocks: [Block(steps: [.init(Phase(.low, .fixed(.microseconds(1500))))])]),
      .length(.microseconds(1500))
    ),
    (
      Workout(name: "", blocks: [Block(steps: [.init(Phase(.work, .open(.reps(0))))])]),
      .reps(0)
    ),
    (
      Workout(
        name: "", blocks: [Block(sets: 100_001, steps: [.init(Phase(.work, .open(.untilNext)))])]),
      .tooManyPhases
    ),
  ])
  func whatCannotBeRunIsRefused(_ workout: Workout, _ fault: WorkoutError.Fault) {
    let error = #expect(throws: WorkoutError.self) { try Timeline(workout) }
    #expect(error?.fault == fault)
  }

  @Test func markedSetsMayDiffer() throws {
    let timeline = try Timeline(.marked([nil, 1, 1, nil, 2, 3, 3]))
    #expect(timeline.entries.map(\.set) == [nil, 1, 1, 1, 2, 3, 3])
    #expect(timeline.entries.map(\.sets) == [nil, 3, 3, 3, 3, 3, 3])
    #expect(timeline.entries.map(\.endsSet) == [false, false, true, false, true, false, true])
  }

  @Test func aDayIsTheLongestWorkout() throws {
    #expect(try Timeline(.sets(24, [(.low, 3600)])).length == .seconds(86_400))
  }
}
