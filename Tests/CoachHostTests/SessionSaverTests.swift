import Dispatch
import Foundation
import IntervalTimeline
import Synchronization
import TestSupport
import Testing

@testable import CoachHost
@testable import SessionStore

/// What the saver stores, when, and what it says where it cannot.
struct SessionSaverTests {
  private let folder = StateFolder()
  private let anna = LaneID(serial: 1, slot: 0)
  private let ben = LaneID(serial: 2, slot: 1)
  private let lines = Collected<String>()

  private var warnings: [String] { lines.all }

  private func saver(_ repository: SessionRepository) -> SessionSaver {
    SessionSaver(repository) { [lines] line in lines.append(line.text) }
  }

  /// Retries that wait until the test runs them.
  private final class Retries: Sendable {
    /// Protects the list.
    private let list = Mutex<[(work: @Sendable () -> Void, queue: DispatchQueue)]>([])

    var count: Int { list.withLock { $0.count } }

    func add(_ work: @escaping @Sendable () -> Void, on queue: DispatchQueue) {
      list.withLock { $0.append((work, queue)) }
    }

    /// Their time has come.
    func run() {
      let due = list.withLock { list in
        defer { list = [] }
        return list
      }
      for (work, queue) in due { queue.sync(execute: work) }
    }
  }

  private func lane(_ name: String = "anna") throws -> OpenedWorkout {
    OpenedWorkout(name, try Timeline(.phases("Rows", 30, 30)))
  }

  /// A resumed lane, with the session it was stored as.
  private func resumed(crashes: Int) throws -> (OpenedWorkout, StoredSession) {
    let session = try StoredSession.interrupted()
    let lane = OpenedWorkout(
      session.identity, try Timeline(session.workout), crashes: crashes,
      resumed: .init(record: session.record, mode: .running, alive: nil))
    return (lane, session)
  }

  private func record(
    elapsed: Duration = .seconds(10), _ commands: Command...
  ) throws -> SessionRecord {
    let at = MachineClocks.now().boot
    var session = Session(try Timeline(.phases("Rows", 30, 30)))
    _ = session.handle(.start, at: at - elapsed)
    _ = session.check(at: at)
    for command in commands { _ = session.handle(command, at: at) }
    return session.record(at: at)
  }

  private func block() throws {
    try FileManager.default.removeItem(atPath: folder.path)
    try Data().write(to: URL(fileURLWithPath: folder.path))
  }

  private func unblock() throws { try FileManager.default.removeItem(atPath: folder.path) }

  // MARK: Retries

  /// However many sessions wait, and however often somebody asks for the disk meanwhile.
  @Test func oneRetryIsScheduledAtATime() throws {
    let repository = try folder.repository()
    try block()
    let retries = Retries()
    let saver = SessionSaver(
      repository, retry: { retries.add($0, on: $1) },
      warn: { [lines] line in lines.append(line.text) })
    saver.add(anna, try lane())
    saver.add(ben, try lane("ben"))
    for _ in 0..<4 {
      saver.keep(anna, try record())
      saver.keep(ben, try record())
      #expect(!saver.finish())
      #expect(retries.count == 1)
      retries.run()
      #expect(retries.count == 1)
    }
    try unblock()
    retries.run()
    #expect(retries.count == 0)
    #expect(saver.finish())
    #expect(try repository.sessions().map(\.lane).sorted() == ["anna", "ben"])
    #expect(warnings.last == "the session is saved again")
    // A later failure is tried again, too.
    try block()
    saver.keep(anna, try record())
    #expect(!saver.finish())
    #expect(retries.count == 1)
  }

  // MARK: Stored sessions

  @Test func theLatestRecordIsStoredWithTheCrashesSoFar() throws {
    let repository = try folder.repository()
    let saver = saver(repository)
    let (lane, session) = try resumed(crashes: 2)
    saver.add(anna, lane)
    saver.keep(anna, session.record)
    let latest = try record()
    saver.keep(anna, latest)
    saver.keep(ben, latest)
    #expect(saver.finish())
    let stored = try repository.sessions()
    #expect(stored.map(\.identity) == [lane.identity])
    #expect(stored.first?.record == latest)
    #expect(stored.first?.clocks.boot == latest.at)
    #expect(stored.first?.crashes == 2)
    #expect(stored.first?.isSuspended == false)
    #expect(warnings == [])
  }

  @Test func whatIsSuspendedStaysAsItIs() throws {
    let repository = try folder.repository()
    let saver = saver(repository)
    let (lane, _) = try resumed(crashes: 2)
    saver.add(anna, lane)
    saver.add(ben, try self.lane("ben"))
    let latest = try record()
    saver.suspend([(anna, latest), (ben, latest)])
    saver.keep(anna, try record(elapsed: .seconds(50)))
    saver.end(ben, try record(.stop))
    saver.suspend([(anna, try record(elapsed: .seconds(40)))])
    #expect(saver.finish())
    let stored = try repository.sessions()
    #expect(stored.map(\.lane).sorted() == ["anna", "ben"])
    for session in stored {
      #expect(session.record == latest)
      #expect(session.crashes == 0)
      #expect(session.isSuspended)
    }
    #expect(try repository.history().isEmpty)
  }

  @Test func whatIsOverWhenItsHolderEndsIsInTheHistory() throws {
    let repository = try folder.repository()
    let saver = saver(repository)
    saver.add(anna, try lane("anna"))
    // Its last words are still heard.
    saver.suspend([(anna, try record(.stop))])
    #expect(saver.finish())
    #expect(try repository.sessions().isEmpty)
    #expect(try repository.history().map(\.outcome) == [.stopped])
  }

  @Test func whatNeverBeganIsNotStored() throws {
    let repository = try folder.repository()
    try block()
    let saver = saver(repository)
    saver.add(anna, try lane())
    saver.keep(anna, try record())
    #expect(!saver.finish())
    saver.forget(anna)
    #expect(saver.finish())
    try unblock()
    #expect(saver.finish())
    #expect(try repository.sessions().isEmpty)
  }

  @Test func eachCheckIsAHeartbeat() throws {
    let repository = try folder.repository()
    let saver = saver(repository)
    let lane = try lane()
    saver.add(anna, lane)
    saver.beat(at: BootInstant(nanoseconds: 5))
    #expect(repository.lastAlive(lane.identity.id) == BootInstant(nanoseconds: 5))
  }

  // MARK: Ends

  @Test func anEndIsARowOfTheHistoryAndFreesTheName() throws {
    let repository = try folder.repository()
    let other = try folder.repository()
    try repository.claim("anna")
    try repository.claim("ben")
    let saver = saver(repository)
    saver.add(anna, try lane())
    saver.keep(anna, try record())
    saver.end(anna, try record(.stop))
    saver.add(ben, try lane("ben"))
    saver.end(ben, try record(.next, .next))
    #expect(saver.finish())
    let history = try repository.history()
    #expect(
      Dictionary(uniqueKeysWithValues: history.map { ($0.lane, $0.outcome) })
        == ["anna": .stopped, "ben": .finished])
    #expect(try repository.sessions().isEmpty)
    #expect(try other.take("anna") == nil)
    #expect(try other.take("ben") == nil)
    // Ten seconds before the end, though it was added just now.
    let entry = try #require(history.first { $0.lane == "anna" })
    #expect((5...15).contains((entry.endedAt - entry.startedAt) / 1_000_000_000))
  }

  /// It has run long enough: a crash now is the first again.
  /// The disk is full when a workout finishes, and its program ends: the next one does not take it for interrupted.
  @Test func anEndThatTheDiskDoesNotTakeIsNotForgotten() throws {
    let database = "\(folder.path)/\(SessionStore.fileName)"
    func store(_ sql: String) throws { try Database(path: database).execute(sql) }
    do {
      let repository = try folder.repository()
      let saver = saver(repository)
      saver.add(anna, try lane())
      saver.keep(anna, try record())
      #expect(saver.finish())
      try store(
        "CREATE TRIGGER full BEFORE INSERT ON history BEGIN SELECT RAISE(ABORT, 'no room'); END")
      saver.end(anna, try record(.next, .next))
      #expect(!saver.finish())
      #expect(warnings.count == 1)
      repository.releaseAll()
    }
    // There is no room yet, and then there is.
    #expect(try folder.repository().sessions().isEmpty)
    let contents = try StoreContents(
      folder: folder.path, runtimeFolder: "\(folder.path)/run", date: "now")
    #expect(contents.sessions.isEmpty)
    #expect(contents.history.map(\.outcome) == [.finished])
    let elsewhere = "\(folder.path)/other"
    #expect(
      try SessionRepository(folder: elsewhere, runtimeFolder: "\(folder.path)/run").history()
        .isEmpty)
    try store("DROP TRIGGER full")
    let repository = try folder.repository()
    #expect(try repository.sessions().isEmpty)
    #expect(try repository.history().map(\.outcome) == [.finished])
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/run").isEmpty)
  }

  @Test func crashesAreForgottenAfterAWhile() throws {
    let repository = try folder.repository()
    let saver = SessionSaver(repository, healthyTime: .zero) { _ in }
    let (lane, session) = try resumed(crashes: 2)
    saver.add(anna, lane)
    saver.keep(anna, session.record)
    #expect(saver.finish())
    #expect(try repository.sessions().map(\.crashes) == [0])
  }

  @Test func aResumedWorkoutKeepsItsStart() throws {
    let repository = try folder.repository()
    let saver = saver(repository)
    let (lane, session) = try resumed(crashes: 0)
    saver.add(anna, lane)
    saver.end(anna, try record(elapsed: .seconds(40), .stop))
    #expect(saver.finish())
    #expect(try repository.history().map(\.startedAt) == [session.identity.startedAt])
  }

  /// The end of the first could not be written until the second had begun.
  @Test func aNameThatAnotherWorkoutHasTakenStaysTaken() throws {
    let repository = try folder.repository()
    try repository.claim("anna", isForLane: true)
    let saver = saver(repository)
    saver.add(anna, try lane())
    try block()
    saver.end(anna, try record(.stop))
    #expect(!saver.finish())
    try repository.claim("anna", isForLane: true)
    saver.add(ben, try lane())
    try unblock()
    #expect(saver.finish())
    #expect(try repository.history().count == 1)
    let other = try folder.repository()
    #expect(try other.take("anna") == getpid())
  }

  // MARK: Failures

  @Test func aFailureIsReportedOnceUntilASaveSucceeds() throws {
    let repository = try folder.repository()
    let saver = saver(repository)
    saver.add(anna, try lane())
    for round in 1...2 {
      try block()
      for _ in 1...3 {
        saver.keep(anna, try record())
        #expect(!saver.finish())
      }
      try unblock()
      saver.keep(anna, try record())
      #expect(saver.finish())
      saver.keep(anna, try record())
      #expect(saver.finish())
      #expect(warnings.count == round * 3)
      #expect(warnings.count { $0.hasSuffix("and has been created again") } == round)
      #expect(warnings.count { $0.hasPrefix("the session cannot be saved: ") } == round)
      #expect(warnings.count { $0 == "the session is saved again" } == round)
    }
    #expect(try repository.sessions().count == 1)
  }

  /// That the store could not be opened has been reported before.
  @Test func aStoreThatCouldNotBeOpenedIsNotReportedAgain() throws {
    try Data().write(to: URL(fileURLWithPath: folder.path))
    let repository = try SessionRepository(
      folder: folder.path, runtimeFolder: nil, isOptional: true)
    let saver = saver(repository)
    saver.add(anna, try lane())
    saver.keep(anna, try record())
    #expect(!saver.finish())
    #expect(warnings == [])
    try unblock()
    #expect(saver.finish())
    #expect(warnings == ["the session is saved again"])
  }
}
