import Foundation
import Testing

@testable import SessionStore

/// Reading a folder without writing to it; `ReadOnlyTests` has folders that are really read-only.
struct StoreContentsTests {
  private let folder = StoreFolder()

  /// The exact contents of the folder.
  private func bytes(of folder: StoreFolder) -> [String: Data] {
    Dictionary(
      uniqueKeysWithValues: folder.files.compactMap { name in
        FileManager.default.contents(atPath: "\(folder.path)/\(name)").map { (name, $0) }
      })
  }

  /// A folder as a killed program leaves it, or only some of its files: `a` is over and `b` runs,
  /// all in the journal.
  private func killed(_ suffixes: [String]) throws -> StoreFolder {
    let (source, folder) = (StoreFolder(), StoreFolder())
    let store = try source.open()
    try store.end(StoredSession.sample("a").ended)
    try store.save(StoredSession.sample("b", lane: "ben"))
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    for suffix in suffixes {
      try FileManager.default.copyItem(
        atPath: source.database + suffix, toPath: folder.database + suffix)
    }
    try withExtendedLifetime(store) {
      // Everything is in the journal.
      try #require(FileManager.default.contents(atPath: source.database + "-wal")?.isEmpty == false)
    }
    return folder
  }

  @Test func whatWasClosedIsReadWithoutACopy() throws {
    try folder.open().end(StoredSession.sample("a").ended)
    try folder.open().save(StoredSession.sample("b"))
    let before = bytes(of: folder)
    #expect(before.keys.contains { $0.hasSuffix("-wal") } == false)
    let contents = try StoreContents.untouched(folder.path, places: [])
    #expect(try contents.history == [StoredSession.sample("a").ended])
    #expect(try contents.sessions == [StoredSession.sample("b")])
    #expect(contents.notice == nil && contents.isWhole && contents.damaged == 0)
    #expect(bytes(of: folder) == before)
  }

  @Test(arguments: [["", "-wal"], ["", "-wal", "-shm"]])
  func theJournalOfAKilledProgramIsRead(suffixes: [String]) throws {
    let folder = try killed(suffixes)
    let before = bytes(of: folder)
    let contents = try StoreContents.untouched(folder.path)
    #expect(contents.history.map(\.id) == ["a"])
    #expect(contents.sessions.map(\.lane) == ["ben"])
    #expect(contents.notice == nil && contents.isWhole)
    #expect(bytes(of: folder)["sessions.db"] == before["sessions.db"])
    #expect(bytes(of: folder)["sessions.db-wal"] == before["sessions.db-wal"])
  }

  @Test func whileAProgramWritesItIsReadAsItIs() throws {
    let store = try folder.open()
    for number in 1...3 {
      try store.end(StoredSession.sample("s\(number)").ended)
      let contents = try StoreContents.untouched(folder.path, places: [])
      #expect(contents.history.count == number)
    }
    try store.save(StoredSession.sample("b"))
    #expect(try StoreContents.untouched(folder.path, places: []).sessions.count == 1)
  }

  @Test func aJournalThatCannotBeReadIsReported() throws {
    let folder = try killed(["", "-wal"])
    try folder.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    // Stored later, in a journal that remains.
    let other = try killed(["", "-wal"])
    try FileManager.default.copyItem(
      atPath: other.database + "-wal", toPath: folder.database + "-wal")
    for place in ["/nosuch", "/proc"] {
      let contents = try StoreContents.untouched(folder.path, places: [place])
      #expect(contents.notice?.hasPrefix("what was kept last is not shown: ") == true)
      #expect(contents.notice?.contains(place) == true)
      #expect(!contents.isWhole)
      #expect(contents.history.map(\.id) == ["a"])
    }
  }

  @Test func theReadablePartOfADamagedOneIsShownAndItStaysAsItIs() throws {
    do {
      let store = try folder.open()
      for number in 0..<200 { try store.end(StoredSession.sample("s\(number)").ended) }
    }
    var bytes = try #require(FileManager.default.contents(atPath: folder.database))
    let page = bytes.count / 4096 / 2 * 4096
    bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xa5, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: folder.database))
    let before = self.bytes(of: folder)
    let contents = try StoreContents.untouched(folder.path)
    #expect((100...200).contains(contents.history.count))
    #expect(
      contents.notice
        == "it is damaged and cannot be mended there; \(contents.history.count) of its past and 0 of its unfinished sessions can be read"
    )
    #expect(self.bytes(of: folder) == before)
    #expect(throws: StoreError.self) { try StoreContents.untouched(folder.path, places: []) }
  }

  @Test func anAlteredSessionIsReportedEachTime() throws {
    try folder.open().save(StoredSession.sample("a"))
    try folder.execute("UPDATE session SET checksum = 1")
    for _ in 1...2 {
      let contents = try StoreContents.untouched(folder.path)
      #expect(contents.sessions == [])
      #expect(contents.notice == "1 session is damaged and cannot be resumed")
    }
  }

  @Test func aNewerOneIsRefusedHereToo() throws {
    _ = try folder.open()
    try folder.execute("PRAGMA user_version = 7")
    #expect {
      try StoreContents.untouched(folder.path)
    } throws: {
      ($0 as? StoreError)?.kind == .newer
    }
  }

  @Test func whatIsNotThereIsAnErrorAndNotEmpty() throws {
    #expect(throws: StoreError.self) { try StoreContents.untouched(folder.path) }
    try Data().write(to: URL(fileURLWithPath: folder.path))
    #expect(throws: StoreError.self) { try StoreContents(folder: folder.path, date: "now") }
  }

  @Test func aPathWithCharactersOfAURIIsRead() throws {
    let folder = StoreFolder(named: "100% #1?x=y ü")
    try folder.open().end(StoredSession.sample("a").ended)
    #expect(try StoreContents.untouched(folder.path, places: []).history.count == 1)
  }

  @Test func aWritableFolderIsRepairedAsByARun() throws {
    _ = try folder.open()
    folder.waitUntilUnlocked()
    try Data("not a database at all, and long enough to be looked at".utf8)
      .write(to: URL(fileURLWithPath: folder.database))
    let contents = try StoreContents(folder: folder.path, date: "now")
    #expect(contents.notice?.hasPrefix("it was damaged and is now ") == true)
    #expect(folder.files.contains("sessions-now.damaged.db"))
    #expect(try StoreContents(folder: folder.path, date: "now").notice == nil)
  }

  /// Opening a pipe waits until somebody writes to it.
  @Test(arguments: ["", "-wal", "-shm"]) func aPipeInPlaceOfAFileIsAnError(suffix: String) throws {
    try folder.open().save(StoredSession.sample("a"))
    let path = folder.database + suffix
    try? FileManager.default.removeItem(atPath: path)
    try #require(mkfifo(path, 0o600) == 0)
    let expected = "sessions.db\(suffix) is not a regular file"
    #expect {
      try folder.open()
    } throws: {
      ($0 as? StoreError)?.detail == expected
    }
    #expect {
      try StoreContents(folder: folder.path, date: "2026-11-21")
    } throws: {
      ($0 as? StoreError)?.detail == expected
    }
  }
}
