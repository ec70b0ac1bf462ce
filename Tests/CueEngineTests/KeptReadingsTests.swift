import CueTesting
import Foundation
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// What is kept of readings, for those who want it.
@Suite struct KeptReadingsTests {
  /// A minute at 200 W but for its last 20 s at 250 W, then a rest without a target.
  private func record(keeps: Bool) throws -> SessionRecord {
    var work = Phase(.work, .fixed(.seconds(60)), intensity: "190 to 210 W")
    work.isCoached = true
    let workout = Workout("Ride", [work, Phase(.rest, .fixed(.seconds(30)))])
    var style = LaneStyle()
    style.keepsReadings = keeps
    let bench = TestBench()
    let engine = bench.makeEngine()
    defer { engine.shutDown() }
    let lane = try engine.addLane("anna", timeline: Timeline(workout), style: style)
    engine.send(.start, to: lane)
    for second in 0..<80 {
      engine.setValue(
        "watts", to: LiveValue(.number(second < 40 ? 200 : 250)), in: lane)
      bench.advance(engine, by: .seconds(1))
    }
    return try #require(engine.record(of: lane))
  }

  @Test func theMeanAndTheTimeOnTargetOfEachPhase() throws {
    let kept = try #require(try record(keeps: true).readings)
    #expect(kept.map(\.phase) == [0] && kept.map(\.kind) == [.watts])
    let phase = try #require(kept.first)
    // The mean of 5 s is above the range a second after the step.
    #expect((56_000...60_000).contains(phase.milliseconds))
    #expect((0.62...0.74).contains(phase.share) && (213...219).contains(phase.mean))
  }

  /// A ride at 200 W, which is on target, in sets of a phase each.
  private final class Ride {
    let bench = TestBench()
    let engine: CueEngine
    let lane: LaneID

    init(sets: Int, of length: Duration) throws {
      var work = Phase(.work, .fixed(length), intensity: "190 to 210 W")
      work.isCoached = true
      var style = LaneStyle()
      style.keepsReadings = true
      engine = bench.makeEngine()
      let workout = Workout("Ride", sets: sets, [work])
      lane = try engine.addLane("anna", timeline: Timeline(workout), style: style)
      engine.send(.start, to: lane)
    }

    /// - Parameter command: what is done in each second; nil: nothing.
    func ride(_ seconds: Int, _ command: (Int) -> Command? = { _ in nil }) {
      for second in 0..<seconds {
        engine.setValue("watts", to: LiveValue(.number(200)), in: lane)
        if let command = command(second) { engine.send(command, to: lane) }
        bench.advance(engine, by: .seconds(1))
      }
    }

    func kept() throws -> [PhaseReadings] { try #require(engine.record(of: lane)?.readings) }
  }

  @Test func aPauseIsNoTimeOnTarget() throws {
    let ride = try Ride(sets: 1, of: .seconds(60))
    ride.ride(40) { $0.isMultiple(of: 2) ? .resume : .pause }
    let phase = try #require(try ride.kept().first)
    // Of 20 s that ran.
    #expect((5_000...20_000).contains(phase.milliseconds))
    ride.engine.shutDown()
  }

  @Test func aPhaseThatIsDoneAgainIsKeptOnce() throws {
    let ride = try Ride(sets: 3, of: .seconds(30))
    ride.ride(40)
    let before = try ride.kept()
    ride.engine.send(.back, to: ride.lane)
    ride.engine.send(.back, to: ride.lane)
    ride.ride(40)
    let after = try ride.kept()
    #expect(before.map(\.phase) == [0, 1] && after.map(\.phase) == [0, 1])
    #expect(after[0].milliseconds > before[0].milliseconds)
    #expect(after[1].milliseconds > before[1].milliseconds)
    ride.engine.shutDown()
  }

  @Test func nothingIsKeptOfThoseWhoDoNotWantIt() throws {
    let record = try record(keeps: false)
    #expect(record.readings == nil)
    #expect(!String(decoding: try JSONEncoder().encode(record), as: UTF8.self).contains("readings"))
  }

  @Test func whatWasKeptIsStillThereAfterAnInterruption() throws {
    let record = try record(keeps: true)
    let again = try JSONDecoder().decode(
      SessionRecord.self, from: JSONEncoder().encode(record))
    #expect(again == record)
    var tally = ReadingsTally()
    tally.restore(try #require(again.readings))
    #expect(tally.phases == record.readings)
  }
}

extension Duration {
  fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
