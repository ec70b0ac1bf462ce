import CSQLite
import Glibc

/// One SQLite database. Used by one thread at a time; each call may block on the disk.
final class Database {
  private let handle: OpaquePointer

  enum Access {
    case readWrite
    /// Changes no file. A leftover journal is read if its index exists too.
    case readOnly
    /// Takes no lock and reads no journal: only for a file that no program is writing.
    case immutable
  }

  init(path: String, _ access: Access = .readWrite) throws(StoreError) {
    try Self.checkFiles(path)
    var handle: OpaquePointer?
    let flags =
      switch access {
      case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    let name = access == .immutable ? Self.immutableURI(path) : path
    let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      let error = StoreError(code, handle)
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    // Another program may be writing for a moment.
    sqlite3_busy_timeout(handle, 5000)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Throws for a pipe, a socket or a device: opening one may block for ever. SQLite reports everything else.
  ///
  /// - Parameter path: the database's; its journals are checked too.
  static func checkFiles(_ path: String) throws(StoreError) {
    for file in ["", "-wal", "-shm", "-journal"].map({ path + $0 }) {
      var status = stat()
      guard stat(file, &status) == 0 else { continue }
      guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
        throw StoreError(
          kind: .failed, detail: "\(file.split(separator: "/").last ?? "") is not a regular file")
      }
    }
  }

  private static func immutableURI(_ path: String) -> String {
    // Characters that end a path in a URI, or begin an escape.
    let escaped = path.map { character in
      switch character {
      case "%": "%25"
      case "?": "%3f"
      case "#": "%23"
      default: String(character)
      }
    }
    return "file:\(escaped.joined())?immutable=1"
  }

  func execute(_ sql: String) throws(StoreError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error }
  }

  func prepare(_ sql: String) throws(StoreError) -> Statement {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw error
    }
    return Statement(statement, of: self)
  }

  /// Runs a statement that gives no rows.
  func run(_ sql: String, _ values: Statement.Value...) throws(StoreError) {
    let statement = try rows(sql, values)
    while try statement.step() {}
  }

  /// A statement with its values, to be stepped through.
  func rows(_ sql: String, _ values: [Statement.Value]) throws(StoreError) -> Statement {
    let statement = try prepare(sql)
    statement.bind(values)
    return statement
  }

  /// The first column of the first row.
  func number(_ sql: String) throws(StoreError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.int(0) : 0
  }

  func text(_ sql: String) throws(StoreError) -> String {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) ?? "" : ""
  }

  /// The names of a table's columns in their order, quoted: a damaged database may have other ones.
  func columns(of table: String) throws(StoreError) -> [String] {
    let rows = try prepare("SELECT format('\"%w\"', name) FROM pragma_table_info('\(table)')")
    var names: [String] = []
    while try rows.step() { names.append(rows.text(0) ?? "") }
    return names
  }

  /// Commits everything that `body` writes, or nothing.
  func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      try body()
      try execute("COMMIT")
    } catch {
      // SQLite rolls back by itself after some errors.
      if sqlite3_get_autocommit(handle) == 0 { _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  fileprivate var error: StoreError { StoreError(sqlite3_errcode(handle), handle) }

  /// A prepared statement and its current row. Finalised with its last reference.
  final class Statement {
    enum Value {
      case int(Int64)
      case text(String)
      case blob([UInt8])
      case null
    }

    private let statement: OpaquePointer
    private let database: Database

    fileprivate init(_ statement: OpaquePointer, of database: Database) {
      self.statement = statement
      self.database = database
    }

    deinit { sqlite3_finalize(statement) }

    func bind(_ values: [Value]) {
      for (index, value) in values.enumerated() {
        let place = Int32(index + 1)
        switch value {
        case .null: sqlite3_bind_null(statement, place)
        case .int(let number): sqlite3_bind_int64(statement, place, number)
        case .text(let text):
          var text = text
          _ = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
              cuecoach_bind_text(statement, place, $0.baseAddress, Int32($0.count))
            }
          }
        case .blob(let bytes):
          _ = bytes.withUnsafeBytes {
            cuecoach_bind_blob(statement, place, $0.baseAddress, Int32($0.count))
          }
        }
      }
    }

    /// Prepares it to run again with other values.
    func reset() { sqlite3_reset(statement) }

    /// True when there is a row.
    func step() throws(StoreError) -> Bool {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      default: throw database.error
      }
    }

    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    func text(_ column: Int32) -> String? {
      guard let bytes = sqlite3_column_text(statement, column) else { return nil }
      let count = Int(sqlite3_column_bytes(statement, column))
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func blob(_ column: Int32) -> [UInt8] {
      guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
      return Array(
        UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
    }
  }
}
