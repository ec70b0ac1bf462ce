import Glibc
import SystemIO
import Testing

@testable import SessionStore

/// Locks on lane names within a process; `SessionsTests` has those of other processes.
struct LaneLocksTests {
  private let folder: StoreFolder

  init() throws {
    folder = StoreFolder()
    _ = try folder.open()
  }

  private func locks() throws -> LaneLocks { try LaneLocks(folder: folder.path) }

  @Test func aNameIsLockedUntilItIsReleased() throws {
    let (one, other) = (try locks(), try locks())
    #expect(try one.take("anna") == nil)
    #expect(try one.take("anna") == nil, "its own")
    #expect(try one.holder(of: "anna") == nil, "no other's")
    #expect(try other.holder(of: "anna") == getpid())
    #expect(try other.take("anna") == getpid())
    // Releasing a name that it does not hold has no effect.
    other.release("anna")
    #expect(try other.take("anna") == getpid())
    one.release("anna")
    #expect(try other.holder(of: "anna") == nil)
    #expect(try other.take("anna") == nil)
    #expect(try one.take("anna") == getpid())
  }

  @Test func oneNameIsNoOther() throws {
    let (one, other) = (try locks(), try locks())
    for name in ["anna", "ann", "annb", "Anna", ""] {
      #expect(try one.take(name) == nil)
      #expect(try other.take(name + "a") == (name == "ann" ? getpid() : nil))
    }
    one.release("ann")
    #expect(try other.take("Anna") == getpid())
    #expect(try other.take("ann") == nil)
  }

  @Test func aNameIsFreeOnceItsHolderIsGone() throws {
    var one: LaneLocks? = try locks()
    #expect(try one?.take("anna") == nil)
    let other = try locks()
    #expect(try other.take("anna") == getpid())
    one = nil
    #expect(try other.take("anna") == nil)
  }

  @Test func openingTheFileOnceMoreReleasesNothing() throws {
    let one = try locks()
    #expect(try one.take("anna") == nil)
    close(open("\(folder.path)/lanes.lock", O_RDWR))
    _ = try locks().holder(of: "anna")
    #expect(try locks().take("anna") == getpid())
    one.release("anna")
  }

  /// It locks one byte, and the kernel knows the owner.
  @Test func theLockOfAProgramOfVersionOneCountsToo() throws {
    let file = open("\(folder.path)/lanes.lock", O_RDWR | O_CREAT, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_start = Int(Checksum.of("anna".utf8) & (1 << 62 - 1))
    lock.l_len = 1
    try #require(fcntl(file, F_SETLK, &lock) == 0)
    let locks = try locks()
    #expect(try locks.holder(of: "anna") == getpid())
    #expect(try locks.take("anna") == getpid())
    #expect(try locks.take("ben") == nil)
  }

  /// The open of a pipe without a writer waits.
  @Test func aPipeInPlaceOfTheLocksIsAnErrorAndNotWaitedFor() throws {
    let path = "\(folder.path)/lanes.lock"
    unlink(path)
    try #require(mkfifo(path, 0o600) == 0)
    #expect(LaneLocks.holder(of: "anna", in: folder.path) == nil)
    let detail = "\(path) cannot be used: expected a regular file"
    #expect(throws: StoreError(kind: .failed, detail: detail)) {
      try LaneLocks(folder: folder.path)
    }
  }
}
