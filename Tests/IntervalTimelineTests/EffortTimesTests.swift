import Foundation
import TestSupport
import Testing

@testable import IntervalTimeline

/// The time that was spent in efforts and in rests, whatever somebody does meanwhile.
@Suite struct EffortTimesTests {
  private static let phases = [
    Phase(.prepare, .fixed(.seconds(5))), Phase(.work, .fixed(.seconds(20))),
    Phase(.rest, .open(.untilNext)), Phase(.low, .fixed(.seconds(8))),
    Phase(.high, .open(.reps(3), OpenBounds(atLeast: .seconds(4)))),
    Phase(.recovery, .open(.signal("go"), OpenBounds(atLeast: .seconds(6), atMost: .seconds(15)))),
    Phase(.work, .fixed(.seconds(30))), Phase(.rest, .open(.sendOff(.seconds(40)))),
    Phase(.cooldown, .fixed(.seconds(10))),
  ]

  /// A tenth of a second at a time, each is counted to the phase that runs in it.
  @Test(arguments: 0..<30) func eachMomentCountsForItsPhase(_ seed: UInt64) throws {
    let timeline = try Timeline(Workout("Test", Self.phases))
    var generator = SeededGenerator(seed: seed)
    var session = Session(timeline, plan: .plain)
    _ = session.handle(.start, at: begin)
    var expected = EffortTimes()
    for step in 0..<2_000 {
      let now = begin + .milliseconds(100 * step)
      _ = session.check(at: now)
      switch Int.random(in: 0..<120, using: &generator) {
      case 0: _ = session.handle(.next, at: now)
      case 1: _ = session.handle(.back, at: now)
      case 2...3: _ = session.handle(session.state == .paused ? .resume : .pause, at: now)
      case 4...7: _ = session.handle(.rep, at: now)
      case 8...9: _ = session.signal("go", at: now)
      case 10:
        // The program ends, and another one goes on where it was.
        let stored = try JSONEncoder().encode(session.record(at: now))
        let record = try JSONDecoder().decode(SessionRecord.self, from: stored)
        session = try #require(Session(timeline, plan: .plain).restoring(record))
        _ = session.restore(at: now, from: now, .running)
      default: break
      }
      let here = session.transport.position(at: now)
      #expect(session.progress.times(until: here) == expected)
      if session.state == .running, let entry = timeline.entry(here.phase) {
        expected.add(.milliseconds(100), in: entry.phase.kind)
      }
    }
    #expect(expected.work > .zero)
  }

  @Test func aDamagedRecordIsNotTaken() throws {
    let timeline = try Timeline(Workout("Test", Self.phases))
    var session = Session(timeline, plan: .plain)
    _ = session.handle(.start, at: begin)
    var record = session.record(at: at(1))
    #expect(Session(timeline, plan: .plain).restoring(record) != nil)
    for damaged in [-1, 1 << 40] {
      record.times = PhaseTimes([Int64(damaged)])
      #expect(Session(timeline, plan: .plain).restoring(record) == nil)
    }
  }
}
