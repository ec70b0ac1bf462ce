import Foundation
import Glibc
import IntervalTimeline
import TestSupport
import Testing

@testable import SessionStore

/// A folder for one test, with a store in it.
final class StoreFolder {
  private let around = TestFolder()
  /// It is not there before the store makes it.
  let path: String

  init(named name: String = "store") { path = around.path(name) }

  func open() throws -> SessionStore { try SessionStore(folder: path, date: "2026-11-21") }

  var database: String { "\(path)/\(SessionStore.fileName)" }

  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// A program that another test starts holds what this process has open, locks too, until it has become that
  /// program.
  func waitUntilUnlocked() {
    let lock = Glibc.open("\(path)/sessions.lock", O_RDWR | O_CLOEXEC)
    flock(lock, LOCK_EX)
    close(lock)
  }

  /// Changes the database behind the store's back.
  func execute(_ sql: String) throws { try Database(path: database).execute(sql) }
}

extension StoredSession {
  static func sample(
    _ id: String, lane: String = "anna", at nanoseconds: Int64 = 5_000_000_000
  ) throws -> StoredSession {
    let workout = Workout(
      name: "Rows, \"quoted\" and ümläute", style: AnnouncementStyle(density: .full, countdown: 5),
      blocks: [
        Block(
          sets: 3,
          steps: [
            .init(Phase(.high, .fixed(.milliseconds(20_500)), name: "All out")),
            .init(
              Phase(
                .low, .open(.reps(12)),
                remarks: [Remark("Breathe, {reps}", at: .fromStart(.seconds(2)))])),
          ], between: Phase(.rest, .open(.untilNext)))
      ])
    var session = Session(try Timeline(workout))
    _ = session.handle(.start, at: BootInstant(nanoseconds: 1_000_000_000))
    _ = session.check(at: BootInstant(nanoseconds: nanoseconds))
    let at = BootInstant(nanoseconds: nanoseconds)
    var record = session.record(at: at)
    record.cues = CueTally(played: 7, missed: 1)
    let style = AnnouncementStyle(
      voice: VoiceSettings(name: "de", rate: 180), sounds: "/home/anna/sounds")
    return StoredSession(
      SessionIdentity(
        id: id, lane: lane, workout: workout,
        order: StartOrder(preset: "/home/anna/rows.yaml", style: style),
        startedAt: 1_790_000_000_000_000_000),
      record: record,
      clocks: ClockReading(
        boot: at, wall: 1_790_000_004_000_000_000, bootID: "boot", isSynchronised: true),
      crashes: 2)
  }

  var ended: HistoryEntry {
    get throws {
      let summary = try #require(
        SessionSummary(record, in: Timeline(workout), at: record.at))
      return HistoryEntry(
        id: id, lane: lane, workout: workout.name, outcome: .stopped,
        startedAt: identity.startedAt, endedAt: identity.startedAt + 1, summary: summary,
        cuesPlayed: 7, cuesMissed: 1)
    }
  }
}
