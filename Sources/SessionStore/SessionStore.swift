import FoundationEssentials
import Glibc
import SystemIO

/// The running sessions, and the history of those that are over, in one SQLite database.
///
/// Used by one thread at a time; every call may block on the disk. When a call returns, its changes
/// survive a power cut (WAL, `synchronous` FULL).
package final class SessionStore {
  package static let fileName = "sessions.db"
  /// Every file of a store, including its locks.
  package static let fileNames = [
    fileName, "\(fileName)-wal", "\(fileName)-shm", "sessions.lock", "lanes.lock",
  ]
  /// The version of the format. A database with a newer version is left alone.
  static let version: Int64 = 1
  /// SQLite's application_id: "cuec".
  static let application: Int64 = 0x6375_6563

  /// What was found damaged while opening, and where it is now, in one line.
  package private(set) var notice: String?
  /// How much was rescued of a damaged database; nil if it was intact.
  let saved: Salvage.Saved?
  private let database: Database
  /// Shared while the database is in use, exclusive while it is replaced.
  private let useLock: FileLock
  /// The sessions whose plan this object has written.
  private var planned: Set<String> = []

  /// Opens the database in `folder`, which is created if it is missing.
  ///
  /// A damaged database is set aside with `date` in its name, and its readable part is copied to a
  /// new one. Throws `newer` for the database of a newer version, which is left alone, and `failed`
  /// if the disk fails.
  package init(folder: String, date: @autoclosure () -> String) throws(StoreError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(kind: .failed, detail: "\(folder) cannot be made")
    }
    let path = "\(folder)/\(Self.fileName)"
    useLock = try FileLock(path: "\(folder)/sessions.lock")
    try useLock.share()
    do throws(StoreError) {
      (database, saved) = (try Self.open(path), nil)
    } catch {
      let isDamaged =
        error.kind == .damaged
        // A damaged header may forbid writing that the file system allows.
        || error.isReadOnly && access(path, W_OK) == 0 && access(folder, W_OK) == 0
      guard isDamaged else { throw error }
      let (new, aside, saved) = try Self.replace(path, date: date(), useLock)
      (database, self.saved) = (new, saved)
      notice = "it was damaged and is now \(aside); \(saved.text("were kept"))"
    }
    let damaged = try markDamagedRows()
    if damaged > 0, notice == nil { notice = Self.notice(ofDamaged: damaged) }
  }

  // MARK: Opening

  private static func open(_ path: String) throws(StoreError) -> Database {
    let database = try Database(path: path)
    // The order matters: nothing is written before it is known what the file is.
    if try isEmpty(database) {
      try configure(database)
      try database.transaction { () throws(StoreError) in try create(database) }
      return database
    }
    try checkKind(database)
    // Indexes that do not match are rebuilt.
    if try fault(of: database) != nil { try database.execute("REINDEX") }
    try checkWhole(database)
    try configure(database)
    return database
  }

  /// True for a database without any table.
  static func isEmpty(_ database: Database) throws(StoreError) -> Bool {
    let version = try database.number("PRAGMA user_version")
    let application = try database.number("PRAGMA application_id")
    let tables = try database.number("SELECT count(*) FROM sqlite_master")
    return version == 0 && application == 0 && tables == 0
  }

  /// Throws `damaged` for the database of another program, `newer` for that of a newer version.
  static func checkKind(_ database: Database) throws(StoreError) {
    let version = try database.number("PRAGMA user_version")
    let application = try database.number("PRAGMA application_id")
    guard application == Self.application, version > 0 else {
      throw StoreError(kind: .damaged, detail: "it is no database of cuecoach")
    }
    guard version <= Self.version else {
      throw StoreError(kind: .newer, detail: "it was written by a newer cuecoach")
    }
  }

  private static func configure(_ database: Database) throws(StoreError) {
    _ = try database.text("PRAGMA journal_mode = WAL")
    // With NORMAL a power cut would lose commits.
    try database.execute("PRAGMA synchronous = FULL")
    try database.execute("PRAGMA cache_size = -256")
  }

  private static let schema = """
    CREATE TABLE session(
      id TEXT PRIMARY KEY NOT NULL, state BLOB NOT NULL, checksum INTEGER NOT NULL, damage TEXT);
    CREATE TABLE plan(
      id TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE history(\(HistoryRow.definition));
    CREATE INDEX history_started ON history(started);
    """

  /// What SQLite finds wrong; nil for a sound database.
  private static func fault(of database: Database) throws(StoreError) -> String? {
    // Not quick_check, which skips the indexes that rows are found by.
    let fault = try database.text("PRAGMA integrity_check(1)")
    return fault == "ok" ? nil : fault
  }

  /// Throws `damaged` if not everything can be read.
  static func checkWhole(_ database: Database) throws(StoreError) {
    if let fault = try fault(of: database) { throw StoreError(kind: .damaged, detail: fault) }
    // Every column that is used exists.
    _ = try database.prepare("SELECT id, state, checksum, damage FROM session")
    _ = try database.prepare("SELECT id, data, checksum FROM plan")
    _ = try database.prepare("SELECT \(HistoryRow.columns(in: database)) FROM history")
    if try StartRow.hasTable(database) { _ = try database.prepare(StartRow.query) }
  }

  /// Replaces a damaged database by a new one.
  ///
  /// Wherever the program is killed, the next opening finds either the damaged database with all it
  /// had, or the new one with everything readable.
  private static func replace(
    _ path: String, date: String, _ useLock: borrowing FileLock
  ) throws(StoreError) -> (Database, aside: String, Salvage.Saved) {
    guard try useLock.takeAlone() else {
      throw StoreError(kind: .failed, detail: "it is damaged, and another cuecoach is using it")
    }
    // Moves the readable part of the journal into the file.
    if let damaged = try? Database(path: path) {
      _ = try? damaged.text("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    let stem = "\(path.dropLast(3))-\(date)"
    let aside = try FileLock.link(path, stem, ".damaged.db")
    let new = path + ".new"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(new + suffix) }
    let saved = try Salvage(aside).copy(to: new) { database throws(StoreError) in
      try create(database)
    }
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    try FileLock.put(new, inPlaceOf: path)
    let database = try open(path)
    try useLock.share()
    return (database, aside, saved)
  }

  private static func create(_ database: Database) throws(StoreError) {
    try database.execute(schema)
    try database.execute(StartRow.table)
    try database.execute("PRAGMA application_id = \(Self.application)")
    try database.execute("PRAGMA user_version = \(Self.version)")
  }

  static func notice(ofDamaged count: Int) -> String {
    "\(count) \(count == 1 ? "session is" : "sessions are") damaged and cannot be resumed"
  }

  /// Marks sessions that are not fully readable. They stay stored and are not offered.
  private func markDamagedRows() throws(StoreError) -> Int {
    var damaged: [(id: String, why: String)] = []
    let rows = try database.prepare(SessionRow.query)
    while try rows.step() {
      if case .damaged(let why) = SessionRow.read(rows) {
        damaged.append((rows.text(0) ?? "", why))
      }
    }
    for (id, why) in damaged { try setAside(id, why) }
    return damaged.count
  }

  /// Marks a session that cannot be resumed: it stays stored and is not offered.
  package func setAside(_ id: String, _ why: String) throws(StoreError) {
    try database.run("UPDATE session SET damage = ? WHERE id IS ?", .text(why), .text(id))
  }

  // MARK: Sessions

  /// Stores a session as it is now. The first call of this object writes the plan too, since a
  /// resumed session may have another request.
  package func save(_ session: StoredSession) throws(StoreError) {
    let state = SessionRow.state(of: session)
    try database.transaction { () throws(StoreError) in
      if !planned.contains(session.id) {
        let plan = SessionRow.plan(of: session)
        try database.run(
          """
          INSERT INTO plan(id, data, checksum) VALUES(?1, ?2, ?3)
          ON CONFLICT(id) DO UPDATE SET data = ?2, checksum = ?3
          """, .text(session.id), .blob(plan), .int(Checksum.of(plan)))
        // What was to begin has begun.
        try StartRow.delete(session.id, from: database)
      }
      try database.run(
        """
        INSERT INTO session(id, state, checksum) VALUES(?1, ?2, ?3)
        ON CONFLICT(id) DO UPDATE SET state = ?2, checksum = ?3
        """, .text(session.id), .blob(state), .int(Checksum.of(state)))
    }
    planned.insert(session.id)
  }

  /// The sessions that have not ended, in the order of their start.
  package func sessions() throws(StoreError) -> [StoredSession] {
    try Self.sessions(in: database).whole
  }

  static func sessions(
    in database: Database
  ) throws(StoreError) -> (whole: [StoredSession], damaged: Int) {
    var sessions: [StoredSession] = []
    var damaged = 0
    let rows = try database.prepare(SessionRow.query)
    while try rows.step() {
      switch SessionRow.read(rows) {
      case .whole(let session): sessions.append(session)
      case .damaged: damaged += 1
      }
    }
    let sorted = sessions.sorted {
      ($0.identity.startedAt, $0.id) < ($1.identity.startedAt, $1.id)
    }
    return (sorted, damaged)
  }

  /// Ends a session, or a start that was missed: its row in the history replaces it. Further calls change
  /// nothing.
  package func end(_ entry: HistoryEntry) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      try HistoryRow.insert(entry, into: database)
      try database.run("DELETE FROM session WHERE id = ?", .text(entry.id))
      try database.run("DELETE FROM plan WHERE id = ?", .text(entry.id))
      try StartRow.delete(entry.id, from: database)
      try past.purge(at: entry.endedAt)
    }
  }

  // MARK: Starts

  /// Stores a workout that is to begin later (`startedAt`), until a session of its id is saved or ended.
  package func save(_ start: SessionIdentity) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      try database.execute(StartRow.table)
      try StartRow.insert(start, into: database)
    }
  }

  /// A start is not wanted any more. Does nothing where it has begun.
  package func withdrawStart(_ id: String) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      try StartRow.delete(id, from: database)
    }
  }

  /// What is to begin, the earliest first, and the number of damaged rows left out.
  package func starts() throws(StoreError) -> (starts: [SessionIdentity], damaged: Int) {
    var starts: [SessionIdentity] = []
    var damaged = 0
    guard try StartRow.hasTable(database) else { return ([], 0) }
    let rows = try database.prepare(StartRow.query)
    while try rows.step() {
      if let start = StartRow.read(rows) { starts.append(start) } else { damaged += 1 }
    }
    return (starts.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }, damaged)
  }

  /// Deletes the starts of which nothing can be read. Those of a newer version stay.
  package func removeDamagedStarts() throws(StoreError) {
    guard try StartRow.hasTable(database) else { return }
    try database.transaction { () throws(StoreError) in
      var damaged: [Int64] = []
      let rows = try database.prepare("SELECT id, data, checksum, rowid FROM start")
      while try rows.step() { if !StartRow.isIntact(rows) { damaged.append(rows.int(3)) } }
      for row in damaged { try database.run("DELETE FROM start WHERE rowid = ?", .int(row)) }
    }
  }

  // MARK: History

  /// The sessions that have ended.
  package var past: EndedSessions { EndedSessions(database) }

  /// The value of a pragma, for tests.
  func pragma(_ name: String) throws(StoreError) -> String {
    try database.text("PRAGMA \(name)")
  }
}
