import IntervalTimeline
import SessionStore
import TestSupport
import Testing

@testable import CueEngine
@testable import cuecoach

/// Where a workout is, in the words of every message.
@Suite struct PlaceTextTests {
  private let start = BootInstant(nanoseconds: 5_000_000_000)

  @Test(arguments: [(18_000, "0:12"), (18_001, "0:12"), (18_999, "0:12"), (19_000, "0:11")])
  func aSessionRecordIsWhereTheVoiceSaysItIs(milliseconds: Int, left: String) throws {
    let rows = Workout("Rows", sets: 8, [Phase(.low, .fixed(.seconds(30)))])
    let session = try Session.begun(rows, at: start)
    let now = start + .milliseconds(milliseconds)
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
    let workout = Workout("Rests", [rest])
    let session = try Session.begun(workout, at: start)
    let now = start + .milliseconds(milliseconds)
    let stored = StoredSession(
      SessionIdentity(lane: "anna", workout: workout, startedAt: 0),
      record: session.record(at: now),
      clocks: ClockReading(boot: now, wall: 0, bootID: "b", isSynchronised: true))
    #expect(stored.place(in: session.timeline) == place)
    let lane = session.status(at: now)
    #expect(ShownLane(lane).placeText == place)
    let shown = ShownLane(status: lane.workoutStatus, phrases: .english)
    #expect(shown.placeText == place)
    #expect(ShownSnapshot.line(shown) == "anna: Rests, \(place), until ready")
  }

  @Test func aRestByHeartRateSaysWhatItWaitsFor() throws {
    let rest = Phase(.rest, .open(.heartRate(below: 120)))
    let session = try Session.begun(Workout("Rests", [rest]), at: start)
    let lane = session.status(at: start + .seconds(5))
    #expect(ShownLane(lane).lengthText == "until the heart rate is below 120")
    let shown = ShownLane(status: lane.workoutStatus, phrases: .english)
    #expect(
      ShownSnapshot.line(shown)
        == "anna: Rests, Rest, open, since 0:05, until the heart rate is below 120")
  }

  @Test func beforeASurpriseNothingTellsHowLongIsLeft() throws {
    var sprint = Phase(.high, .fixed(.seconds(30)))
    sprint.isSurprise = true
    let low = Phase(.low, .fixed(.seconds(100)))
    let session = try Session.begun(Workout("Fartlek", [low, sprint]), at: start)
    let lane = session.status(at: start + .seconds(5))
    #expect(ShownLane(lane).lengthText == nil)
    #expect(ShownLane(lane).placeText == "Low")
  }

  @Test func aPhaseWhoseEndIsDecidedIsCountedDown() throws {
    let rest = Phase(
      .rest, .open(.signal("ready"), OpenBounds(atLeast: .seconds(60), atMost: .seconds(180))))
    var session = try Session.begun(Workout("Rests", [rest]), at: start)
    _ = session.signal("ready", at: start + .seconds(20))
    let lane = session.status(at: start + .seconds(20))
    #expect(ShownLane(lane).placeText == "Rest, 0:40 left")
    #expect(!lane.workoutMayEndEarly)
    #expect(!lane.mayEndEarly)
  }
}
