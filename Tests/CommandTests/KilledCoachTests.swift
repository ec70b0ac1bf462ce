import ControlProtocol
import Foundation
import SessionStore
import TestSupport
import Testing

/// Workouts that begin later, with the program and the store themselves.
@Suite struct KilledCoachTests {
  private let space = Workspace()

  /// With the real store, and without any warning to the first coach.
  @Test func aKilledCoachBeginsItAtItsTime() async throws {
    try space.write(Preset.long, to: "Presets/long.yaml")
    let killed = try await Service(in: space)
    func instants(_ service: Service) throws -> [String: Int64] {
      let snapshot = try service.send(.status(outline: false)).snapshot
      let lanes = (snapshot?.lanes ?? []).map { lane in
        (lane.name, (lane.startsAt?.nanoseconds ?? 0) - (snapshot?.at ?? 0) + (snapshot?.wall ?? 0))
      }
      return Dictionary(uniqueKeysWithValues: lanes)
    }
    let now = try killed.send(.status(outline: false)).snapshot?.at ?? 0
    for (lane, seconds) in [("anna", Int64(3600)), ("ben", 7200), ("cleo", 86_400)] {
      let start = StartOrder(
        preset: "long", lane: lane, at: BootInstant(nanoseconds: now) + .seconds(seconds))
      #expect(try killed.send(.start(start)).ok)
    }
    #expect(try killed.send(.command(.stop, lane: "ben")).ok)
    let before = try instants(killed)
    #expect(Set(before.keys) == ["anna", "cleo"])
    // Not even the preset is needed any more.
    try FileManager.default.removeItem(atPath: space.path("Presets/long.yaml"))
    _ = await killed.run.end(by: SIGKILL)
    let second = try await Service(in: space)
    try await second.run.until("both are there") { second.lanes.count == 2 }
    let after = try instants(second)
    #expect(Set(after.keys) == ["anna", "cleo"])
    for (lane, instant) in after {
      // The clocks were read one after the other, and one may be slewed meanwhile.
      #expect(abs(instant - (before[lane] ?? 0)) < 1_000_000_000)
    }
    let outcome = await second.run.end(by: SIGTERM).expect(0)
    #expect(outcome.errors.contains("\"anna\" begins at "))
    // Of one that was to begin long ago the history says so.
    let store = try SessionStore(folder: space.stateFolder, date: "2026-11-22")
    let anna = try #require(try store.starts().starts.first { $0.lane == "anna" })
    var late = anna
    late.startedAt -= 2 * 3_600_000_000_000
    try store.save(late)
    let third = try await Service(in: space)
    try await third.run.until("it is in the history") {
      (try? third.send(.history(limit: 5)).history?.map(\.outcome)) == ["missed"]
    }
    #expect(third.lanes.map(\.name) == ["cleo"])
    #expect(third.run.errors.contains("\"anna\" did not begin: the coach was not running"))
    #expect(await third.run.end(by: SIGTERM).status == .exited(0))
  }
}
