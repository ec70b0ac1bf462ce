import CSQLite

/// Why something was not kept or not found.
public struct StoreError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// What is on disk is no database, or no longer.
    case damaged
    /// A newer program wrote it.
    case newer
    /// The disk is full, read-only or fails, or the folder may not be used: it may work later.
    case failed
  }

  public let kind: Kind
  public let detail: String
  /// SQLite's extended result code, whose low byte is the primary one: 5 for a database that another
  /// program keeps locked, 13 for a full disk, 1555 for a primary key that is there already. Nil
  /// where the failure is not SQLite's. https://sqlite.org/rescode.html lists them.
  public let sqliteCode: Int32?
  /// Nothing may be written: because of the file system, or of what the file says of itself.
  let isReadOnly: Bool

  public init(kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
    sqliteCode = nil
    isReadOnly = false
  }

  /// - Parameter code: what the call returned.
  init(_ code: Int32, _ handle: OpaquePointer?) {
    // Before extended codes are turned on a call returns the primary one.
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    sqliteCode = extended & 0xff == code & 0xff ? extended : code
    let message = handle.map { String(cString: sqlite3_errmsg($0)) }
    switch code & 0xff {
    // A table or a column that is not there, or holds what it never held.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_FORMAT,
      SQLITE_CONSTRAINT, SQLITE_SCHEMA:
      kind = .damaged
    default: kind = .failed
    }
    detail = message ?? String(cString: sqlite3_errstr(code))
    isReadOnly = code & 0xff == SQLITE_READONLY
  }
}
