import Foundation
import Testing

@testable import SessionStore

/// What is replaced when a store is opened, and what keeps it from being replaced.
struct ReplacementTests {
  private let folder: StoreFolder

  init() throws {
    folder = StoreFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  @Test func aStoreInUseIsNotReplaced() throws {
    let store = try folder.open()
    let other = try FileLock(path: "\(folder.path)/sessions.lock")
    #expect(try !other.takeAlone())
    #expect(try store.sessions().isEmpty)
  }

  @Test func anEmptyDatabaseOfAnotherProgramIsSetAside() throws {
    try folder.execute("PRAGMA application_id = 7")
    let store = try folder.open()
    #expect(store.notice?.hasPrefix("it was damaged and is now ") == true)
    #expect(folder.files.contains { $0.hasSuffix(".damaged.db") })
    #expect(try store.sessions().isEmpty)
  }

  @Test func aDatabaseOfNoVersionIsSetAside() throws {
    try folder.open().save(StoredSession.sample("a"))
    try folder.execute("PRAGMA user_version = 0")
    let store = try folder.open()
    #expect(store.notice?.hasPrefix("it was damaged and is now ") == true)
    #expect(try store.sessions().map(\.id) == ["a"])
  }

  /// The program was killed while it replaced a damaged database.
  @Test func whatIsLeftOfAnInterruptedReplacementIsRemoved() throws {
    try write("no database at all", to: folder.database)
    for end in ["", "-journal", "-wal", "-shm"] {
      try write("half a database", to: folder.database + ".new" + end)
    }
    let store = try folder.open()
    #expect(store.notice?.hasPrefix("it was damaged and is now ") == true)
    #expect(!folder.files.contains { $0.contains(".new") })
    let session = try StoredSession.sample("a")
    try store.save(session)
    #expect(try store.sessions() == [session])
  }

  @Test func aFileThatIsSetAsideTwiceHasOneNameAndAnotherFileTheNext() throws {
    let (one, other) = ("\(folder.path)/one", "\(folder.path)/other")
    try write("one", to: one)
    try write("other", to: other)
    let stem = "\(folder.path)/stem"
    #expect(try FileLock.link(one, stem, ".db") == stem + ".db")
    #expect(try FileLock.link(one, stem, ".db") == stem + ".db")
    #expect(try FileLock.link(other, stem, ".db") == stem + "-2.db")
  }
}
