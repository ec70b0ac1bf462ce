import CueEngine
import IntervalTimeline
import SessionStore
import Testing

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
}
