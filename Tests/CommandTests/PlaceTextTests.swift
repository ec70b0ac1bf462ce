import ControlProtocol
import IntervalTimeline
import SessionStore
import Testing

@testable import CueEngine
@testable import cuecoach

/// Where a workout is, in the words of every message.
@Suite struct PlaceTextTests {
  /// One that has run for `milliseconds` of a first phase of 30 s.
  private func session(after milliseconds: Int) throws -> (Session, BootInstant) {
    let workout = Workout(
      name: "Rows", blocks: [Block(sets: 8, steps: [Block.Step(Phase(.low, .fixed(.seconds(30))))])]
    )
    var session = Session(try Timeline(workout))
    let start = BootInstant(nanoseconds: 5_000_000_000)
    _ = session.handle(.start, at: start)
    return (session, start + .milliseconds(milliseconds))
  }

  @Test(arguments: [(18_000, "0:12"), (18_001, "0:12"), (18_999, "0:12"), (19_000, "0:11")])
  func aSessionRecordIsWhereTheVoiceSaysItIs(milliseconds: Int, left: String) throws {
    let (session, now) = try session(after: milliseconds)
    let stored = StoredSession(
      SessionIdentity(lane: "anna", workout: session.timeline.workout, startedAt: 0),
      record: session.record(at: now),
      clocks: ClockReading(boot: now, wall: 0, bootID: "b", isSynchronised: true))
    #expect(stored.place(in: session.timeline) == "set 1 of 8, Low, \(left) left")
    let seconds = try #require(session.transport.position(at: now).phaseLeft)
    #expect(
      PhraseCatalogue.english.duration(seconds) == "\(left.dropFirst(2)) seconds")
  }

  @Test(arguments: [
    (Duration?.some(.seconds(180)), 50_000, "Rest, open, since 0:50, at most 2:10 more"),
    (.seconds(180), 50_500, "Rest, open, since 0:50, at most 2:10 more"),
    (nil, 50_000, "Rest, open, since 0:50"),
  ])
  func anOpenPhaseHasNoEndThatIsCountedDownTo(atMost: Duration?, milliseconds: Int, place: String)
    throws
  {
    let rest = Phase(.rest, .open(.signal("ready"), OpenBounds(atMost: atMost)))
    let workout = Workout(name: "Rests", blocks: [Block(steps: [Block.Step(rest)])])
    var session = Session(try Timeline(workout))
    let start = BootInstant(nanoseconds: 5_000_000_000)
    _ = session.handle(.start, at: start)
    let now = start + .milliseconds(milliseconds)
    let stored = StoredSession(
      SessionIdentity(lane: "anna", workout: workout, startedAt: 0),
      record: session.record(at: now),
      clocks: ClockReading(boot: now, wall: 0, bootID: "b", isSynchronised: true))
    #expect(stored.place(in: session.timeline) == place)
    let lane = LaneStatus(
      Lane(
        id: LaneTable().nextID, name: "anna", style: LaneStyle(), sounds: SoundPack(),
        session: session), at: now)
    #expect(ShownLane(lane).placeText == place)
    let shown = ShownLane(status: lane.workoutStatus, phrases: .english)
    #expect(shown.placeText == place)
    #expect(ShownSnapshot.line(shown) == "anna: Rests, \(place), until ready")
  }

  @Test func aRestByHeartRateSaysWhatItWaitsFor() throws {
    let rest = Phase(.rest, .open(.heartRate(below: 120)))
    let workout = Workout(name: "Rests", blocks: [Block(steps: [Block.Step(rest)])])
    var session = Session(try Timeline(workout))
    let start = BootInstant(nanoseconds: 5_000_000_000)
    _ = session.handle(.start, at: start)
    let lane = LaneStatus(
      Lane(
        id: LaneTable().nextID, name: "anna", style: LaneStyle(), sounds: SoundPack(),
        session: session), at: start + .seconds(5))
    #expect(ShownLane(lane).lengthText == "until heart rate below 120")
    let shown = ShownLane(status: lane.workoutStatus, phrases: .english)
    #expect(
      ShownSnapshot.line(shown)
        == "anna: Rests, Rest, open, since 0:05, until heart rate below 120")
  }

  @Test func beforeASurpriseNothingTellsHowLongIsLeft() throws {
    var sprint = Phase(.high, .fixed(.seconds(30)))
    sprint.isSurprise = true
    let low = Phase(.low, .fixed(.seconds(100)))
    let blocks = [Block(steps: [Block.Step(low), Block.Step(sprint)])]
    var session = Session(try Timeline(Workout(name: "Fartlek", blocks: blocks)))
    let start = BootInstant(nanoseconds: 5_000_000_000)
    _ = session.handle(.start, at: start)
    let lane = LaneStatus(
      Lane(
        id: LaneTable().nextID, name: "anna", style: LaneStyle(), sounds: SoundPack(),
        session: session), at: start + .seconds(5))
    #expect(ShownLane(lane).lengthText == nil)
    #expect(ShownLane(lane).placeText == "Low")
  }

  @Test func aPhaseWhoseEndIsDecidedIsCountedDown() throws {
    let rest = Phase(
      .rest, .open(.signal("ready"), OpenBounds(atLeast: .seconds(60), atMost: .seconds(180))))
    let workout = Workout(name: "Rests", blocks: [Block(steps: [Block.Step(rest)])])
    var session = Session(try Timeline(workout))
    let start = BootInstant(nanoseconds: 5_000_000_000)
    _ = session.handle(.start, at: start)
    _ = session.signal("ready", at: start + .seconds(20))
    let lane = LaneStatus(
      Lane(
        id: LaneTable().nextID, name: "anna", style: LaneStyle(), sounds: SoundPack(),
        session: session), at: start + .seconds(20))
    #expect(ShownLane(lane).placeText == "Rest, 0:40 left")
    #expect(!lane.workoutMayEndEarly)
    #expect(!lane.mayEndEarly)
  }
}
