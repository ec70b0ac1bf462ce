import SystemIO

/// A session that was deleted from the history and can be restored: its line of an exported history, as a row.
enum RemovedRow {
  /// Made with the first, so that opening a database needs no room on the disk.
  static let table = """
    CREATE TABLE IF NOT EXISTS removed(
      id TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL, checksum INTEGER NOT NULL,
      at INTEGER NOT NULL DEFAULT 0);
    """

  static func hasTable(_ database: Database) throws(StoreError) -> Bool {
    try database.number(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'removed'") > 0
  }

  /// - Parameter bytes: an exported history of one entry.
  static func insert(
    _ id: String, _ bytes: [UInt8], at now: Int64, into database: Database
  ) throws(StoreError) {
    try database.run(
      "INSERT OR REPLACE INTO removed(id, data, checksum, at) VALUES(?, ?, ?, ?)", .text(id),
      .blob(bytes), .int(Checksum.of(bytes)), .int(now))
  }

  /// Nil where there is none, and where it is damaged.
  static func read(
    _ id: String, since instant: Int64, in database: Database
  ) throws(StoreError) -> HistoryEntry? {
    let rows = try database.rows(
      "SELECT data, checksum FROM removed WHERE id = ? AND at > ?", [.text(id), .int(instant)])
    guard try rows.step(), Checksum.of(rows.blob(0)) == rows.int(1) else { return nil }
    return (try? HistoryFile.entries(in: rows.blob(0)))?.first
  }

  static func purge(upTo instant: Int64, in database: Database) throws(StoreError) {
    try database.run("DELETE FROM removed WHERE at <= ?", .int(instant))
  }
}
