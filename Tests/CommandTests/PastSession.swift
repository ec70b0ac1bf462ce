import Foundation
import IntervalTimeline
import Presets
import SessionStore
import TestSupport

/// Sessions that are over, for a test's history.
enum PastSession {
  static let day: Int64 = 86_400_000_000_000

  static func entry(
    _ id: String, at started: Int64, minutes: Int64 = 30,
    outcome: HistoryEntry.Outcome = .finished, lane: String = "anna", workout: String = "Rows"
  ) -> HistoryEntry {
    HistoryEntry(
      id: id, lane: lane, workout: workout, outcome: outcome, startedAt: started,
      endedAt: started + (minutes + 1) * 60_000_000_000,
      summary: SessionSummary(
        phases: 17, phasesDone: 14, phasesSkipped: 2, sets: 8, setsDone: 6, setsSkipped: 1,
        elapsed: .seconds(minutes * 60), pauses: .seconds(60), pauseCount: 2),
      cuesPlayed: 61, cuesMissed: 3)
  }

  /// A session whose program was killed in its second set, 34 s before its end.
  ///
  /// - Parameter killed: the clocks at that time; nil for those of an unknown boot.
  static func interrupted(
    _ id: String, lane: String, killed: ClockReading? = nil
  ) throws -> StoredSession {
    let workout = Workout("Rows", sets: 3, [Phase(.high, .fixed(.seconds(20)))])
    let clocks =
      killed
      ?? ClockReading(
        boot: BootInstant(nanoseconds: 26_000_000_000), wall: day, bootID: "earlier",
        isSynchronised: true)
    var session = Session(try Timeline(workout))
    _ = session.handle(.start, at: clocks.boot - .seconds(26))
    _ = session.check(at: clocks.boot)
    return StoredSession(
      SessionIdentity(
        id: id, lane: lane, workout: workout, startedAt: clocks.wall - 26_000_000_000),
      record: session.record(at: clocks.boot), clocks: clocks)
  }
}

extension Workspace {
  /// The state folder in the workspace's home.
  var stateFolder: String { path(".local/state/cuecoach") }

  /// Leaves a session behind, as a program does that ended a second ago, two seconds after its start.
  ///
  /// - Parameter file: its preset, which is in this folder.
  func interrupt(_ lane: String, _ file: String, isPaused: Bool = false) async throws {
    // As by a program: what the test starts next does not wait for all other tests.
    await Program.turnstile.enter(folder, .playing)
    defer { Program.turnstile.leave(folder) }
    let workout = try PresetFile.read(path: path(file))
    let clocks = MachineClocks.reading(at: MachineClocks.now().boot - .seconds(1))
    let start = clocks.boot - .seconds(2)
    var session = Session(try Timeline(workout))
    _ = session.handle(.start, at: start)
    _ = session.check(at: clocks.boot)
    if isPaused { _ = session.handle(.pause, at: clocks.boot) }
    let identity = SessionIdentity(
      lane: lane, workout: workout, order: StartOrder(preset: path(file)),
      startedAt: MachineClocks.reading(at: start).wall)
    try SessionStore(folder: stateFolder, date: "2026-11-21").save(
      StoredSession(
        identity, record: session.record(at: clocks.boot), clocks: clocks, isSuspended: true))
  }

  /// Adds entries to the history.
  func keep(_ entries: [HistoryEntry]) throws {
    let store = try SessionStore(folder: stateFolder, date: "2026-11-21")
    _ = try store.past.add(entries)
  }

  /// The lanes of stored sessions that are not over; empty before the program has created the
  /// database.
  var unfinished: [String] {
    guard FileManager.default.fileExists(atPath: stateFolder + "/sessions.db"),
      let store = try? SessionStore(folder: stateFolder, date: "2026-11-21")
    else { return [] }
    return (try? store.sessions().map(\.lane)) ?? []
  }

  /// The entries of the history.
  func kept() throws -> [HistoryEntry] {
    try SessionStore(folder: stateFolder, date: "2026-11-21").past.entries().entries
  }
}
