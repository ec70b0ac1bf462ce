import SystemIO

/// A workout that is to begin later, as a row. When it begins it becomes a session with its id.
enum StartRow {
  /// Made with the first start, so that opening a database needs no room on the disk.
  static let table = """
    CREATE TABLE IF NOT EXISTS start(
      id TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL, checksum INTEGER NOT NULL);
    """

  static func hasTable(_ database: Database) throws(StoreError) -> Bool {
    try database.number(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'start'")
      > 0
  }

  static func insert(_ start: SessionIdentity, into database: Database) throws(StoreError) {
    let bytes = PlanRow.encode(start)
    try database.run(
      """
      INSERT INTO start(id, data, checksum) VALUES(?1, ?2, ?3)
      ON CONFLICT(id) DO UPDATE SET data = ?2, checksum = ?3
      """, .text(start.id), .blob(bytes), .int(Checksum.of(bytes)))
  }

  static func delete(_ id: String, from database: Database) throws(StoreError) {
    guard try hasTable(database) else { return }
    try database.run("DELETE FROM start WHERE id = ?", .text(id))
  }

  static let query = "SELECT id, data, checksum FROM start"

  /// False for a row that is not what was written.
  static func isIntact(_ row: Database.Statement) -> Bool {
    row.text(0)?.isEmpty == false && Checksum.of(row.blob(1)) == row.int(2)
  }

  /// Nil for a row that is damaged, or was written by another version.
  static func read(_ row: Database.Statement) -> SessionIdentity? {
    guard isIntact(row), let id = row.text(0), let start = PlanRow.read(row.blob(1), id: id),
      start.isSane,
      // Up to the year 2096.
      (0...4_000_000_000_000_000_000).contains(start.startedAt)
    else { return nil }
    return start
  }
}
