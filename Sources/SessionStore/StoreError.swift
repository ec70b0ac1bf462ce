import CSQLite

/// Why the store could not write or read.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure, by what can be done about them.
  public enum Kind: Hashable, Sendable {
    /// The file is damaged, or is not a database.
    case damaged
    /// A newer version wrote it.
    case newer
    /// The disk is full, read-only or failing, or access is denied. It may work later.
    case failed
  }

  /// What can be done about it.
  package let kind: Kind
  /// What is wrong, in English, in most cases SQLite's own text.
  package let detail: String
  /// SQLite's extended result code, whose low byte is the primary one: 5 for a locked database, 13
  /// for a full disk, 1555 for a duplicate primary key. Nil if the failure is not SQLite's. See
  /// https://sqlite.org/rescode.html.
  package let sqliteCode: Int32?
  /// Writing is not possible, because of the file system or the file's header.
  let isReadOnly: Bool

  /// The detail.
  public var description: String { detail }

  package init(kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
    sqliteCode = nil
    isReadOnly = false
  }

  /// - Parameter code: the result of the call.
  init(_ code: Int32, _ handle: OpaquePointer?) {
    // Before extended codes are enabled a call returns the primary code.
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    sqliteCode = extended & 0xff == code & 0xff ? extended : code
    let message = handle.map { String(cString: sqlite3_errmsg($0)) }
    switch code & 0xff {
    // A table or column is missing, or has a value of the wrong type.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_FORMAT,
      SQLITE_CONSTRAINT, SQLITE_SCHEMA:
      kind = .damaged
    default: kind = .failed
    }
    detail = message ?? String(cString: sqlite3_errstr(code))
    isReadOnly = code & 0xff == SQLITE_READONLY
  }
}
