import CSQLite
import Foundation
import IntervalTimeline
import TestSupport
import Testing

@testable import SessionStore

struct SessionStoreTests {
  private let folder = StoreFolder()

  @Test func whatIsSavedComesBackAsItWas() throws {
    let session = try StoredSession.sample("a")
    try folder.open().save(session)
    #expect(try folder.open().sessions() == [session])
  }

  @Test func aProgramThatResumesASessionMayWriteAnotherPlan() throws {
    let session = try StoredSession.sample("a")
    try folder.open().save(session)
    var workout = session.workout
    workout.style.countdown = 7
    var identity = session.identity
    identity.workout = workout
    identity.order.style.voice.rate = 200
    let taken = StoredSession(
      identity, record: session.record, clocks: session.clocks, crashes: session.crashes)
    let store = try folder.open()
    try store.save(taken)
    try store.save(taken)
    #expect(try folder.open().sessions() == [taken])
  }

  @Test func everySaveReplacesTheOneBefore() throws {
    let store = try folder.open()
    for second in 2...20 {
      try store.save(StoredSession.sample("a", at: Int64(second) * 1_000_000_000))
    }
    let last = try StoredSession.sample("a", at: 20_000_000_000)
    #expect(try store.sessions() == [last])
  }

  @Test func aCommitIsOnTheDiskWhenItReturns() throws {
    let store = try folder.open()
    // 2 is FULL; with less, a power cut loses acknowledged commits.
    let pragmas = (try store.pragma("synchronous"), try store.pragma("journal_mode"))
    #expect(pragmas == ("2", "wal"))
  }

  /// Another program may be writing for a moment.
  @Test func aWriteWaitsForThatOfAnother() throws {
    #expect(try folder.open().pragma("busy_timeout") == "5000")
  }

  @Test func aStartIsKeptUntilItsSessionIs() throws {
    let session = try StoredSession.sample("a")
    let start = SessionIdentity(
      id: "a", lane: "anna", workout: session.workout, order: session.identity.order,
      startedAt: 1_790_000_000_000_000_000)
    let ben = SessionIdentity(
      id: "b", lane: "ben", workout: session.workout, startedAt: 1_780_000_000_000_000_000)
    try folder.open().save(start)
    try folder.open().save(ben)
    #expect(try folder.open().starts().starts == [ben, start])
    // It has begun.
    try folder.open().save(session)
    #expect(try folder.open().starts().starts == [ben])
    #expect(try folder.open().sessions() == [session])
    try folder.open().withdrawStart("b")
    #expect(try folder.open().starts().starts == [])
    // It was missed.
    try folder.open().save(start)
    try folder.open().end(session.ended)
    #expect(try folder.open().starts().starts == [])
    #expect(try folder.open().past.entries().entries.map(\.id) == ["a"])
  }

  /// One written before there were starts.
  @Test func aDatabaseWithoutStartsGetsThem() throws {
    try folder.open().save(StoredSession.sample("a"))
    try folder.execute("DROP TABLE start")
    // Opening it and ending a session write nothing that the disk may have no room for.
    let old = try folder.open()
    #expect(try old.starts().starts == [])
    try old.withdrawStart("a")
    #expect(try !StartRow.hasTable(Database(path: folder.database)))
    let workout = try #require(try old.sessions().first).workout
    try old.save(SessionIdentity(id: "b", lane: "ben", workout: workout, startedAt: 7))
    #expect(try folder.open().starts().starts.map(\.id) == ["b"])
    try folder.open().end(StoredSession.sample("a").ended)
    #expect(try folder.open().sessions().isEmpty)
  }

  /// A table of that name with other columns.
  @Test func startsThatCannotBeReadAreDamage() throws {
    try folder.open().save(StoredSession.sample("a"))
    try folder.execute("DROP TABLE start")
    try folder.execute("CREATE TABLE start(name TEXT)")
    let store = try folder.open()
    #expect(store.notice?.contains("damaged") == true)
    #expect(try store.sessions().count == 1)
    #expect(try store.starts().starts == [])
  }

  @Test func aDamagedStartIsLeftOut() throws {
    let workout = try StoredSession.sample("a").workout
    for id in ["a", "b"] {
      try folder.open().save(
        SessionIdentity(id: id, lane: id, workout: workout, startedAt: 1_790_000_000_000_000_000))
    }
    try folder.execute("UPDATE start SET checksum = 7 WHERE id = 'a'")
    let found = try folder.open().starts()
    #expect(found.starts.map(\.id) == ["b"] && found.damaged == 1)
    try folder.open().removeDamagedStarts()
    let left = try folder.open().starts()
    #expect(left.starts.map(\.id) == ["b"] && left.damaged == 0)
  }

  @Test func startsAreRescuedFromADamagedDatabase() throws {
    let session = try StoredSession.sample("a")
    let start = SessionIdentity(
      id: "b", lane: "ben", workout: session.workout, startedAt: 1_790_000_000_000_000_000)
    try folder.open().save(session)
    try folder.open().save(start)
    try folder.execute("DROP TABLE history")
    let store = try folder.open()
    #expect(store.notice?.contains("damaged") == true)
    #expect(try store.starts().starts == [start])
    #expect(try store.sessions().count == 1)
  }

  @Test func endingASessionAgainChangesNothing() throws {
    let store = try folder.open()
    let session = try StoredSession.sample("a")
    try store.save(session)
    let entry = try session.ended
    try store.end(entry)
    try store.end(entry)
    let history = try folder.open().past.entries()
    #expect(history.entries == [entry])
    #expect(try store.sessions() == [])
  }

  @Test func severalLanesLieBesideEachOther() throws {
    let store = try folder.open()
    let sessions = try ["anna", "ben", "cleo"].map { try StoredSession.sample($0, lane: $0) }
    for session in sessions { try store.save(session) }
    try store.end(sessions[1].ended)
    #expect(try store.sessions().map(\.lane) == ["anna", "cleo"])
  }

  @Test func whatHasEndedLeavesNothingOfTheSession() throws {
    let store = try folder.open()
    let session = try StoredSession.sample("a")
    try store.save(session)
    try store.end(session.ended)
    let database = try Database(path: folder.database)
    #expect(try database.number("SELECT count(*) FROM session") == 0)
    #expect(try database.number("SELECT count(*) FROM plan") == 0)
  }

  @Test func aPlanIsWrittenOnce() throws {
    let store = try folder.open()
    try store.save(StoredSession.sample("a"))
    try folder.execute("UPDATE plan SET checksum = 1")
    try store.save(StoredSession.sample("a", at: 6_000_000_000))
    let database = try Database(path: folder.database)
    #expect(try database.number("SELECT checksum FROM plan") == 1)
  }

  @Test func sessionsComeInTheOrderInWhichTheyWereStarted() throws {
    let store = try folder.open()
    for (number, id) in ["c", "a", "b"].enumerated() {
      let session = try StoredSession.sample(id, lane: id)
      try store.save(
        StoredSession(
          SessionIdentity(id: id, lane: id, workout: session.workout, startedAt: Int64(number)),
          record: session.record, clocks: session.clocks))
    }
    #expect(try store.sessions().map(\.id) == ["c", "a", "b"])
  }

  // MARK: Errors

  @Test func whatFailsHalfwayLeavesNothing() throws {
    _ = try folder.open()
    let database = try Database(path: folder.database)
    let error = failure(StoreError.self) {
      try database.transaction { () throws(StoreError) in
        try database.execute("INSERT INTO plan VALUES('a', x'00', 1)")
        throw StoreError(kind: .failed, detail: "the disk is full")
      }
    }
    #expect(error?.detail == "the disk is full")
    #expect(try database.number("SELECT count(*) FROM plan") == 0)
    try database.transaction { () throws(StoreError) in }
  }

  @Test func anErrorHasSQLitesOwnCode() throws {
    try folder.open().save(StoredSession.sample("a"))
    func code(_ body: () throws -> Void) -> Int32? { failure(StoreError.self, body)?.sqliteCode }
    let database = try Database(path: folder.database)
    let again = code {
      try database.run("INSERT INTO plan(id, data, checksum) SELECT id, data, 1 FROM plan")
    }
    #expect(again == SQLITE_CONSTRAINT | 6 << 8, "SQLITE_CONSTRAINT_PRIMARYKEY")
    let nowhere = code {
      _ = try Database(path: "\(folder.path)/no/sessions.db")
    }
    #expect(nowhere.map { $0 & 0xff } == SQLITE_CANTOPEN)
    let readOnly = code {
      try Database(path: folder.database, .immutable).execute("DELETE FROM plan")
    }
    #expect(readOnly.map { $0 & 0xff } == SQLITE_READONLY)
    #expect(StoreError(kind: .failed, detail: "no lock").sqliteCode == nil)
  }
}
