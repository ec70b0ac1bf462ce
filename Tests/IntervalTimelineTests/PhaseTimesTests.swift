import Foundation
import TestSupport
import Testing

@testable import IntervalTimeline

/// How long each phase of a session has taken, as it is recorded.
@Suite struct PhaseTimesTests {
  private static func session(_ phases: [Phase]) throws -> Session {
    var session = Session(try Timeline(Workout("Test", phases)))
    _ = session.handle(.start, at: begin)
    return session
  }

  private static let phases = [
    Phase(.work, .fixed(.seconds(20))), Phase(.rest, .fixed(.seconds(10))),
    Phase(.work, .open(.untilNext)),
  ]

  /// Seconds of each phase, as a record says it that was on the disk meanwhile.
  private static func times(_ session: Session, at instant: BootInstant) throws -> [Double] {
    let record = try encodedAndDecoded(session.record(at: instant))
    let times = try #require(PhaseTimes(record, in: session.timeline))
    return session.timeline.entries.indices.map { times[$0] / .seconds(1) }
  }

  private static func encodedAndDecoded(_ record: SessionRecord) throws -> SessionRecord {
    let decoder = JSONDecoder()
    return try decoder.decode(SessionRecord.self, from: JSONEncoder().encode(record))
  }

  @Test func aPhaseTakesItsLengthAndTheRunningOneWhatHasPassed() throws {
    var session = try Self.session(Self.phases)
    // A check that is late.
    _ = session.check(at: at(33))
    #expect(try Self.times(session, at: at(33)) == [20, 10, 3])
    _ = session.handle(.next, at: at(45))
    #expect(session.state == .finished)
    #expect(try Self.times(session, at: at(60)) == [20, 10, 15])
  }

  @Test func pausesAreNoTimeAndASkippedPhaseHasWhatWasDoneOfIt() throws {
    var session = try Self.session(Self.phases)
    _ = session.check(at: at(5))
    _ = session.handle(.pause, at: at(5))
    _ = session.handle(.resume, at: at(65))
    #expect(try Self.times(session, at: at(67)) == [7, 0, 0])
    _ = session.handle(.next, at: at(68))
    #expect(try Self.times(session, at: at(72)) == [8, 4, 0])
    _ = session.handle(.stop, at: at(74))
    #expect(try Self.times(session, at: at(99)) == [8, 6, 0])
  }

  @Test func whatIsDoneAgainCountsAgain() throws {
    var session = try Self.session(Self.phases)
    _ = session.check(at: at(18))
    // To its own start.
    _ = session.handle(.back, at: at(18))
    _ = session.check(at: at(39))
    #expect(try Self.times(session, at: at(39)) == [38, 1, 0])
    // To the phase before.
    _ = session.handle(.back, at: at(40))
    #expect(try Self.times(session, at: at(43)) == [41, 2, 0])
  }

  @Test func theyGoOnFromARecord() throws {
    var session = try Self.session(Self.phases)
    _ = session.check(at: at(25))
    let record = try Self.encodedAndDecoded(session.record(at: at(25)))
    var restored = try #require(Session(session.timeline).restoring(record))
    _ = restored.restore(at: at(28), from: record.at, .running)
    _ = restored.check(at: at(31))
    #expect(try Self.times(restored, at: at(31)) == [20, 10, 1])
  }

  @Test func aRecordOfAnEarlierVersionHasNone() throws {
    var session = try Self.session(Self.phases)
    _ = session.check(at: at(25))
    var record = session.record(at: at(25))
    record.times = nil
    let old = try Self.encodedAndDecoded(record)
    #expect(PhaseTimes(old, in: session.timeline) == nil)
    var restored = try #require(Session(session.timeline).restoring(old))
    _ = restored.check(at: at(31))
    #expect(restored.record(at: at(31)).times == nil)
    record.times = PhaseTimes([-1])
    #expect(!record.isSane)
  }
}
