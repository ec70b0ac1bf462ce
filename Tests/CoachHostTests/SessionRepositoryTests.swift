import Foundation
import IntervalTimeline
import Testing

@testable import CoachHost
@testable import SessionStore

/// What one process does with a state folder. Shelves of one process exclude each other as those of
/// two do.
struct SessionRepositoryTests {
  private let folder = StateFolder()
  private let itself = getpid()

  /// A file where the folder should be.
  private func block() throws {
    try? FileManager.default.removeItem(atPath: folder.path)
    try Data().write(to: URL(fileURLWithPath: folder.path))
  }

  private func unblock() throws { try FileManager.default.removeItem(atPath: folder.path) }

  // MARK: Names

  @Test func aNameIsHeldUntilItIsReleased() throws {
    let (one, other) = (try folder.repository(), try folder.repository())
    #expect(try one.take("anna") == nil)
    #expect(try one.take("ben") == nil)
    #expect(try other.take("anna") == itself)
    #expect(try other.holder(of: "anna") == itself)
    #expect(try other.holder(of: "cleo") == nil)
    one.release("anna")
    #expect(try other.take("anna") == nil)
    #expect(try other.take("ben") == itself)
    one.releaseAll()
    #expect(try other.take("ben") == nil)
  }

  @Test func aNameInUseIsRefused() throws {
    let (one, other) = (try folder.repository(), try folder.repository())
    try one.claim("anna")
    do {
      try other.claim("anna")
      Issue.record("claimed twice")
    } catch {
      #expect(error.kind == .nameInUse(by: itself))
    }
  }

  /// A folder that is created again has other locks: those of the names that are held, and no others.
  @Test func whatIsHeldStaysHeldWhenTheFolderIsCreatedAgain() throws {
    let (one, other) = (try folder.repository(), try folder.repository())
    for name in ["anna", "ben", "cleo"] { try one.claim(name) }
    try other.claim("dora")
    #expect(try one.take("dora") == itself)
    one.release("ben")
    try FileManager.default.removeItem(atPath: folder.path)
    try one.save(.interrupted())
    let third = try folder.repository()
    #expect(try third.take("anna") == itself)
    #expect(try third.take("cleo") == itself)
    #expect(try third.take("ben") == nil)
    #expect(try third.take("dora") == nil)
    #expect(
      one.takeNotice()?.hasSuffix("it was removed while workouts ran, and has been created again")
        == true)
    #expect(one.takeNotice() == nil)
    // After all have been released, none is.
    one.releaseAll()
    try FileManager.default.removeItem(atPath: folder.path)
    try one.save(.interrupted())
    let fourth = try folder.repository()
    #expect(try fourth.take("anna") == nil)
  }

  /// Something stood in the way of the folder for a while.
  @Test func whatIsCreatedAgainLaterIsReportedToo() throws {
    let repository = try folder.repository()
    try block()
    #expect(throws: StoreError.self) { try repository.save(.interrupted()) }
    #expect(repository.takeNotice() == nil)
    try unblock()
    try repository.save(.interrupted())
    #expect(
      repository.takeNotice()?.hasSuffix(
        "it was removed while workouts ran, and has been created again")
        == true)
    #expect(repository.takeNotice() == nil)
  }

  @Test func aNameThatWasTakenBeforeTheStoreCouldBeOpenedIsHeldAfterwards() throws {
    try block()
    #expect(throws: HostError.self) { try folder.repository() }
    let one = try SessionRepository(folder: folder.path, runtimeFolder: nil, isOptional: true)
    #expect(one.openingFailure != nil)
    #expect(!one.isOpen)
    #expect(try one.take("anna") == nil)
    try unblock()
    try one.save(.interrupted())
    #expect(one.isOpen)
    let other = try folder.repository()
    #expect(try other.take("anna") == itself)
  }

  // MARK: Damage

  @Test func aStoreThatIsFoundDamagedIsReplacedByTheNextSave() throws {
    let repository = try folder.repository()
    try repository.claim("anna")
    let session = try StoredSession.interrupted()
    try repository.save(session)
    try Database(path: "\(folder.path)/\(SessionStore.fileName)").execute("DROP TABLE plan")
    let other = try StoredSession.interrupted("ben")
    #expect(throws: StoreError.self) { try repository.save(other) }
    #expect(repository.takeNotice() == nil)
    try repository.save(other)
    #expect(try repository.sessions().map(\.lane).contains("ben"))
    #expect(repository.takeNotice()?.contains("it was damaged and is now ") == true)
    #expect(repository.takeNotice() == nil)
    // The names are held throughout.
    let second = try folder.repository()
    #expect(try second.take("anna") == itself)
  }

  // MARK: Heartbeats

  @Test func theHeartbeatEndsWithTheSession() throws {
    let repository = try folder.repository()
    let session = try StoredSession.interrupted()
    try repository.save(session)
    let heartbeat = try #require(repository.heartbeat(of: session.id))
    heartbeat.beat(at: BootInstant(nanoseconds: 7))
    #expect(repository.lastAlive(session.id) == BootInstant(nanoseconds: 7))
    try Resumption(repository, .init()) { _ in }.discard(session)
    #expect(repository.lastAlive(session.id) == nil)
    #expect(try repository.history().map(\.id) == [session.id])
  }
}
