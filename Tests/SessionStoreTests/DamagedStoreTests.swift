import Foundation
import Testing

@testable import SessionStore

/// Databases that were damaged, or that another program or a newer version wrote.
struct DamagedStoreTests {
  private let folder = StoreFolder()

  @Test func aDamagedDatabaseIsSetAsideAndItsReadablePartIsKept() throws {
    var entries: [HistoryEntry] = []
    do {
      let store = try folder.open()
      for number in 0..<200 {
        let session = try StoredSession.sample("s\(number)")
        entries.append(try session.ended)
        try store.end(session.ended)
      }
      try store.save(StoredSession.sample("open"))
    }
    // A page in the middle is torn.
    var bytes = try #require(FileManager.default.contents(atPath: folder.database))
    let page = bytes.count / 4096 / 2 * 4096
    bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xa5, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: folder.database))

    let store = try folder.open()
    let notice = try #require(store.notice)
    #expect(notice.contains("sessions-2026-11-21.damaged.db"))
    #expect(folder.files.contains("sessions-2026-11-21.damaged.db"))
    let kept = try store.past.entries().entries
    #expect(kept.count > 100)
    #expect(Set(kept).isSubset(of: entries))
    // The new one is fully usable.
    try store.save(StoredSession.sample("new"))
    let again = try folder.open()
    #expect(again.notice == nil)
    #expect(try again.sessions().contains { $0.id == "new" })
  }

  @Test func aFileThatIsNoDatabaseIsSetAsideToo() throws {
    _ = try folder.open()
    try Data("not a database at all, and long enough to be looked at".utf8)
      .write(to: URL(fileURLWithPath: folder.database))
    let store = try folder.open()
    #expect(store.notice?.hasPrefix("it was damaged and is now ") == true)
    #expect(folder.files.contains("sessions-2026-11-21.damaged.db"))
    #expect(try store.sessions() == [])
  }

  @Test func aNewerDatabaseIsLeftAsItIs() throws {
    try folder.open().save(StoredSession.sample("a"))
    try folder.execute("PRAGMA user_version = 7")
    var kind: StoreError.Kind?
    do throws(StoreError) {
      _ = try SessionStore(folder: folder.path, date: "2026-11-21")
    } catch {
      kind = error.kind
    }
    #expect(kind == .newer)
    #expect(!folder.files.contains { $0.contains("damaged") })
    try folder.execute("PRAGMA user_version = 1")
    #expect(try folder.open().sessions().count == 1)
  }

  @Test func anAlteredSessionIsReportedOnceAndTheOthersAreRead() throws {
    try folder.open().save(StoredSession.sample("a"))
    try folder.open().save(StoredSession.sample("b", lane: "ben"))
    try folder.execute(
      "UPDATE session SET state = replace(state, 'running', 'paused_') WHERE id = 'a'")
    let first = try folder.open()
    #expect(first.notice == "1 session is damaged and cannot be resumed")
    #expect(try first.sessions().map(\.id) == ["b"])
    #expect(try folder.open().notice == nil)
  }

  /// Its checksum is right.
  @Test(arguments: [(40, true), (41, false), (0, false)])
  func aSessionUnderANameThatNoCoachGivesIsNotResumed(length: Int, isRead: Bool) throws {
    let name = String(repeating: "a", count: length)
    try folder.open().save(StoredSession.sample("a", lane: name))
    let store = try folder.open()
    #expect(try store.sessions().map(\.lane) == (isRead ? [name] : []))
    #expect((store.notice == nil) == isRead)
  }

  @Test func anAlteredRowOfTheHistoryIsLeftOutAndCanBeImportedAgain() throws {
    let entry = try StoredSession.sample("a").ended
    try folder.open().end(entry)
    try folder.execute("UPDATE history SET phases_done = 99")
    let store = try folder.open()
    let history = try store.past.entries()
    #expect(history.entries.isEmpty && history.damaged == 1)
    let added = try store.past.add([entry])
    #expect(added == 1)
    #expect(try store.past.entries().entries == [entry])
  }

  @Test func theDatabaseOfAnotherProgramIsSetAside() throws {
    try folder.open().save(StoredSession.sample("a"))
    try folder.execute("PRAGMA application_id = 5")
    let store = try folder.open()
    #expect(store.notice?.hasPrefix("it was damaged and is now ") == true)
    #expect(try store.sessions().count == 1)
  }

  /// One bit of the schema is another one: rows are found by the place of a column.
  @Test(arguments: [
    ("history", "preset"), ("history", "started"), ("session", "state"), ("plan", "data"),
    ("plan", "checksum"),
  ])
  func aColumnOfAnotherNameLosesNoRow(table: String, column: String) throws {
    let entry = try StoredSession.sample("past").ended
    do {
      let store = try folder.open()
      try store.end(entry)
      try store.save(StoredSession.sample("open"))
    }
    try folder.execute("ALTER TABLE \(table) RENAME COLUMN \(column) TO other")
    let store = try folder.open()
    #expect(
      store.notice?.hasSuffix("1 of its past and 1 of its unfinished sessions were kept") == true)
    #expect(try store.past.entries().entries == [entry])
    #expect(try store.sessions().map(\.id) == ["open"])
  }

  @Test func damageToAColumnThatAnEntryDoesNotUseIsNoLoss() throws {
    let entry = try StoredSession.sample("past").ended
    try folder.open().end(entry)
    try folder.execute("UPDATE history SET course = 'x', tags = 'x'; DROP TABLE plan")
    let store = try folder.open()
    #expect(store.notice != nil)
    #expect(try store.past.entries().entries == [entry])
  }

  @Test func anIndexThatDoesNotMatchIsRebuilt() throws {
    let entries = try ["a", "b"].map { try StoredSession.sample($0).ended }
    try folder.open().end(entries[0])
    // A row that the index does not have.
    try folder.execute(
      """
      PRAGMA writable_schema = ON;
      CREATE TABLE held AS SELECT * FROM sqlite_master WHERE name = 'history_started';
      DELETE FROM sqlite_master WHERE name = 'history_started';
      """)
    try HistoryRow.insert(entries[1], into: Database(path: folder.database))
    try folder.execute(
      "PRAGMA writable_schema = ON; INSERT INTO sqlite_master SELECT * FROM held; DROP TABLE held;")
    let store = try folder.open()
    #expect(store.notice == nil)
    #expect(try Set(store.past.entries().entries) == Set(entries))
    #expect(folder.files.allSatisfy { !$0.contains("damaged") })
  }

  @Test func whileAnotherUsesADamagedOneItIsLeftAlone() throws {
    _ = try folder.open()
    let garbage = Data("not a database at all, and long enough to be looked at".utf8)
    try garbage.write(to: URL(fileURLWithPath: folder.database))
    do {
      let other = try FileLock(path: "\(folder.path)/sessions.lock")
      try other.share()
      #expect {
        try folder.open()
      } throws: {
        ($0 as? StoreError)?.detail == "it is damaged, and another cuecoach is using it"
      }
      #expect(FileManager.default.contents(atPath: folder.database) == garbage)
      #expect(folder.files.allSatisfy { !$0.contains("damaged") })
      try other.share()
    }
    #expect(try folder.open().notice?.hasPrefix("it was damaged and is now ") == true)
  }

  @Test func whatWasSetAsideBeforeIsNotReplaced() throws {
    _ = try folder.open()
    let garbage = Data("not a database at all, and long enough to be looked at".utf8)
    for text in ["first", "second"] {
      try (garbage + Data(text.utf8)).write(to: URL(fileURLWithPath: folder.database))
      _ = try folder.open()
    }
    for (name, text) in [("", "first"), ("-2", "second")] {
      let aside = "\(folder.path)/sessions-2026-11-21\(name).damaged.db"
      #expect(FileManager.default.contents(atPath: aside) == garbage + Data(text.utf8))
    }
  }

  @Test func aSessionWhoseWorkoutWasAlteredOrWhoseTimesNeverWereIsNotOffered() throws {
    try folder.open().save(StoredSession.sample("a"))
    var session = try StoredSession.sample("b")
    session.crashes = -1
    try folder.open().save(session)
    try folder.execute("UPDATE plan SET data = replace(data, 'anna', 'anny') WHERE id = 'a'")
    let store = try folder.open()
    #expect(store.notice == "2 sessions are damaged and cannot be resumed")
    #expect(try store.sessions() == [])
  }

  @Test func onlyWhatIsImportedTakesThePlaceOfWhatIsDamaged() throws {
    let entries = try ["a", "b"].map { try StoredSession.sample($0).ended }
    var impossible = try StoredSession.sample("c").ended
    impossible.summary.elapsed = .seconds(-1)
    let store = try folder.open()
    for entry in entries + [impossible] { try store.end(entry) }
    try folder.execute("UPDATE history SET phases_done = 99 WHERE id <> 'c'")
    #expect(try store.past.entries().damaged == 3)
    #expect(try store.past.add([entries[0]]) == 1)
    let history = try store.past.entries()
    #expect(history.entries == [entries[0]] && history.damaged == 2)
  }

  /// The short form of the torture: whatever the file contains, the store opens and returns nothing
  /// that was never stored; a damaged file is set aside.
  @Test(arguments: 1...60) func noBytesMakeItCrash(seed: UInt64) throws {
    var entries: [HistoryEntry] = []
    let session = try StoredSession.sample("open")
    do {
      let store = try folder.open()
      for number in 0..<20 {
        entries.append(try StoredSession.sample("s\(number)").ended)
        try store.end(entries[number])
      }
      try store.save(session)
    }
    var random = seed &* 0x9e37_79b9_7f4a_7c15
    func next(_ limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % limit
    }
    let whole = try #require(FileManager.default.contents(atPath: folder.database))
    var bytes = whole
    switch seed % 3 {
    case 0: bytes = bytes.prefix(next(bytes.count))
    case 1: for _ in 0..<8 { bytes[next(bytes.count)] ^= UInt8(1 << next(8)) }
    default:
      let start = next(bytes.count - 600)
      for offset in 0..<600 { bytes[start + offset] = UInt8(next(256)) }
    }
    try bytes.write(to: URL(fileURLWithPath: folder.database))
    let store: SessionStore
    do {
      store = try folder.open()
    } catch let error as StoreError {
      // A single bit of the version makes it look like a newer version's.
      #expect(error.kind == .newer)
      #expect(bytes[60..<64] != whole[60..<64])
      #expect(FileManager.default.contents(atPath: folder.database) == bytes)
      return
    }
    let history = try store.past.entries()
    #expect(Set(history.entries).isSubset(of: entries))
    #expect(try store.sessions().allSatisfy { $0 == session })
    let isAside = folder.files.contains("sessions-2026-11-21.damaged.db")
    #expect(isAside == (store.notice?.hasPrefix("it was damaged and is now ") == true))
    // Without a notice, data may only be missing if the file is shorter than its first page.
    if store.notice == nil, history.damaged == 0, bytes.count >= 4096 {
      #expect(history.entries.count == 20)
      #expect(try store.sessions() == [session])
    }
    if isAside {
      let aside = "\(folder.path)/sessions-2026-11-21.damaged.db"
      #expect(FileManager.default.contents(atPath: aside)?.count == bytes.count)
    }
    try store.save(StoredSession.sample("new"))
    #expect(try store.sessions().contains { $0.id == "new" })
  }
}
