import ControlProtocol
import IntervalTimeline
import Testing

/// A snapshot that a surface keeps true by itself.
@Suite struct SnapshotChangesTests {
  private static let second = 1_000_000_000 as Int64

  /// Half a minute into a phase of a minute, in a workout of ten.
  private static func lane(_ name: String = "anna", _ state: Transport.State = .running)
    -> WorkoutStatus
  {
    var lane = WorkoutStatus(name: name, workout: "Rows", state: state, language: "en")
    lane.phases = 10
    (lane.phaseElapsed, lane.phaseLeft) = (.seconds(30), .seconds(30))
    (lane.elapsed, lane.workoutLeft) = (.seconds(90), .seconds(510))
    return lane
  }

  private static func snapshot(_ lanes: WorkoutStatus...) -> CoachSnapshot {
    CoachSnapshot(
      revision: 7, at: 1000 * second, wall: 5000 * second, lanes: lanes,
      device: DeviceSnapshot(.working), volume: 100, warnings: [])
  }

  @Test func whatRunsCountsAndWhatIsPausedDoesNot() {
    var snapshot = Self.snapshot(Self.lane(), Self.lane("ben", .paused))
    snapshot.advance(to: 1012 * Self.second)
    #expect(snapshot.at == 1012 * Self.second)
    #expect(snapshot.wall == 5012 * Self.second)
    let anna = snapshot.lanes[0]
    #expect([anna.phaseElapsed, anna.elapsed] == [.seconds(42), .seconds(102)])
    #expect([anna.phaseLeft, anna.workoutLeft] == [.seconds(18), .seconds(498)])
    #expect(snapshot.lanes[1] == Self.lane("ben", .paused))
    // An instant before it changes nothing.
    let before = snapshot
    snapshot.advance(to: 0)
    #expect(snapshot == before)
  }

  @Test func aPhaseStandsAtItsEndUntilTheNextBegins() {
    var snapshot = Self.snapshot(Self.lane())
    snapshot.advance(to: 1100 * Self.second)
    #expect(snapshot.lanes[0].phaseLeft == .zero)
    #expect(snapshot.lanes[0].phaseElapsed == .seconds(60))
    #expect(snapshot.lanes[0].workoutLeft == .seconds(480))
  }

  @Test func anOpenPhaseCountsUp() {
    var lane = Self.lane()
    (lane.phaseLeft, lane.workoutLeft) = (nil, nil)
    var snapshot = Self.snapshot(lane)
    snapshot.advance(to: 1100 * Self.second)
    #expect(snapshot.lanes[0].phaseElapsed == .seconds(130))
    #expect(snapshot.lanes[0].phaseLeft == nil && snapshot.lanes[0].workoutLeft == nil)
  }

  @Test func aWorkoutThatIsToBeginStandsStillUntilThen() {
    var lane = Self.lane()
    lane.startsAt = BootInstant(nanoseconds: 1005 * Self.second)
    var snapshot = Self.snapshot(lane)
    snapshot.advance(to: 1004 * Self.second)
    #expect(snapshot.lanes[0] == lane)
    snapshot.advance(to: 1007 * Self.second)
    #expect(snapshot.lanes[0].phaseElapsed == .seconds(32))
    #expect(snapshot.lanes[0].startsAt == nil)
  }

  @Test func manySmallStepsAreOneGreatOne() {
    var (small, great) = (Self.snapshot(Self.lane()), Self.snapshot(Self.lane()))
    for step in stride(from: 1000 * Self.second, through: 1040 * Self.second, by: 123_456_789) {
      small.advance(to: step)
    }
    small.advance(to: 1040 * Self.second)
    great.advance(to: 1040 * Self.second)
    #expect(small == great)
  }

  private static func event(
    _ kind: ControlEvent.Kind, revision: UInt64 = 8, at seconds: Int64 = 1010,
    _ fill: (inout ControlEvent) -> Void = { _ in }
  ) -> ControlEvent {
    var event = ControlEvent(kind, revision: revision, at: seconds * second)
    fill(&event)
    return event
  }

  @Test func lanesComeChangeAndGo() {
    var snapshot = Self.snapshot(Self.lane())
    var changed = Self.lane()
    changed.phase = 1
    snapshot.apply(Self.event(.lane) { $0.lane = changed })
    #expect(snapshot.lanes == [changed])
    #expect(snapshot.revision == 8 && snapshot.at == 1010 * Self.second)
    snapshot.apply(Self.event(.lane, revision: 9) { $0.lane = Self.lane("ben") })
    #expect(snapshot.lanes.map(\.name) == ["anna", "ben"])
    snapshot.apply(Self.event(.ended, revision: 10) { $0.lane = changed })
    #expect(snapshot.lanes.map(\.name) == ["ben"])
  }

  @Test func anEventThatIsOlderThanTheClockIsBroughtUpToDate() {
    var snapshot = Self.snapshot(Self.lane())
    snapshot.advance(to: 1012 * Self.second)
    snapshot.apply(Self.event(.lane, at: 1010) { $0.lane = Self.lane() })
    #expect(snapshot.at == 1012 * Self.second)
    #expect(snapshot.lanes[0].phaseElapsed == .seconds(32))
  }

  @Test func anEventThatTheSnapshotHasIsPassedOver() {
    var snapshot = Self.snapshot(Self.lane())
    snapshot.apply(Self.event(.ended, revision: 7) { $0.lane = Self.lane() })
    #expect(snapshot == Self.snapshot(Self.lane()))
  }

  @Test func deviceVolumeAndWarningsAreKept() {
    var snapshot = Self.snapshot()
    snapshot.apply(Self.event(.device) { $0.device = DeviceSnapshot(.lost, reason: "gone") })
    snapshot.apply(Self.event(.volume, revision: 9) { $0.volume = 40 })
    for number in 10...19 as ClosedRange<UInt64> {
      snapshot.apply(Self.event(.warning, revision: number) { $0.message = "\(number)" })
    }
    #expect(snapshot.device == DeviceSnapshot(.lost, reason: "gone"))
    #expect(snapshot.volume == 40)
    #expect(snapshot.warnings == ["16", "17", "18", "19"])
  }
}
