import SystemIO

/// Rescues the readable part of a damaged database.
struct Salvage {
  private let path: String

  /// The most unreadable rows that are skipped between two readable ones.
  private static let maximumGap: Int64 = 100_000
  /// A damaged tree may contain cycles.
  private static let mostSteps = 1_000_000

  init(_ path: String) { self.path = path }

  /// How much of it was rescued.
  struct Saved: Hashable {
    var past: Int64
    var sessions: Int64
    /// False if the file is not a database at all.
    var isReadable = true

    /// - Parameter verb: what happened to the readable rows: "were kept", "can be read".
    func text(_ verb: String) -> String {
      isReadable
        ? "\(past) of its past and \(sessions) of its unfinished sessions \(verb)"
        : "nothing of it can be read"
    }
  }

  /// Writes every intact row to a new database at `new`: all of them or none.
  ///
  /// - Parameter create: makes the tables.
  func copy(
    to new: String, create: (Database) throws(StoreError) -> Void
  ) throws(StoreError) -> Saved {
    // Only damaged rows are left out. A disk error is thrown instead, because the disk may recover.
    let old = try whereReadable { () throws(StoreError) in try Database(path: path) }
    var states: [(id: String, bytes: [UInt8])] = []
    var plans = states
    var starts = states
    var removed: [(row: (id: String, bytes: [UInt8]), at: Int64)] = []
    var entries: [HistoryEntry] = []
    if let old {
      states = try rows(of: "session", first: 3, in: old, read: Self.blob)
      plans = try rows(of: "plan", first: 3, in: old, read: Self.blob)
      starts = try rows(of: "start", first: 3, in: old, read: Self.blob)
      removed = try rows(of: "removed", first: 4, in: old) { row in
        Self.blob(row).map { ($0, row.int(4)) }
      }
      let forms = try whereReadable { () throws(StoreError) in
        try HistoryRow.salvageColumns(in: old)
      }
      for columns in forms ?? [] {
        entries += try rows(of: "history", columns, in: old) { HistoryRow.read($0, from: 1) }
      }
    }
    let database = try Database(path: new)
    // Without a journal, and on the disk when done.
    try database.execute("PRAGMA synchronous = FULL")
    try database.transaction { () throws(StoreError) in
      try create(database)
      for entry in entries { try HistoryRow.insert(entry, into: database) }
      for start in starts {
        try database.run(
          "INSERT OR IGNORE INTO start(id, data, checksum) VALUES(?, ?, ?)", .text(start.id),
          .blob(start.bytes), .int(Checksum.of(start.bytes)))
      }
      if !removed.isEmpty { try database.execute(RemovedRow.table) }
      for (row, at) in removed { try RemovedRow.insert(row.id, row.bytes, at: at, into: database) }
      for state in states {
        guard let plan = plans.first(where: { $0.id == state.id }) else { continue }
        for (table, column, row) in [("plan", "data", plan), ("session", "state", state)] {
          try database.run(
            "INSERT OR IGNORE INTO \(table)(id, \(column), checksum) VALUES(?, ?, ?)",
            .text(row.id), .blob(row.bytes), .int(Checksum.of(row.bytes)))
        }
      }
    }
    let sessions = try database.number("SELECT count(*) FROM session")
    let count = try database.number("SELECT count(*) FROM history")
    return Saved(past: count, sessions: sessions, isReadable: old != nil)
  }

  /// Nil if the requested part is damaged.
  private func whereReadable<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    do throws(StoreError) {
      return try body()
    } catch {
      guard error.kind == .damaged else { throw error }
      return nil
    }
  }

  /// A row of bytes; nil if its checksum does not match.
  private static func blob(_ row: Database.Statement) -> (id: String, bytes: [UInt8])? {
    let bytes = row.blob(2)
    guard let id = row.text(1), Checksum.of(bytes) == row.int(3) else { return nil }
    return (id, bytes)
  }

  /// The first columns of every readable row, whatever they are called.
  private func rows<Row>(
    of table: String, first count: Int, in old: Database, read: (Database.Statement) -> Row?
  ) throws(StoreError) -> [Row] {
    let names = try whereReadable { () throws(StoreError) in try old.columns(of: table) }
    guard let names, names.count >= count else { return [] }
    return try rows(of: table, names.prefix(count).joined(separator: ", "), in: old, read: read)
  }

  /// Every readable row: forwards from the first until one fails, backwards from the last, and one
  /// by one in between. Some come more than once.
  private func rows<Row>(
    of table: String, _ columns: String, in old: Database,
    read: (Database.Statement) -> Row?
  ) throws(StoreError) -> [Row] {
    var rows: [Row] = []
    var known: Set<Int64> = []
    var ends: [Int64] = []
    let query = "SELECT rowid, \(columns) FROM \(table) NOT INDEXED"
    for order in ["ASC", "DESC"] {
      guard
        let statement = try whereReadable({ () throws(StoreError) in
          try old.prepare("\(query) ORDER BY rowid \(order)")
        })
      else { return rows }
      var seen: Set<Int64> = []
      var steps = 0
      var isWhole = false
      _ = try whereReadable { () throws(StoreError) in
        // Far more rows than exist: the tree has a cycle.
        while steps < Self.mostSteps, steps <= 1000 || steps <= 4 * seen.count {
          guard try statement.step() else {
            isWhole = steps == seen.count
            return
          }
          steps += 1
          seen.insert(statement.int(0))
          // Damage may give two rows the same number.
          if let row = read(statement) {
            rows.append(row)
            known.insert(statement.int(0))
          }
        }
      }
      if isWhole { return rows }
      if let end = order == "ASC" ? seen.max() : seen.min() { ends.append(end) }
    }
    if let low = ends.min(), let high = ends.max(),
      let one = try? old.prepare("\(query) WHERE rowid = ?")
    {
      let last = low.addingReportingOverflow(Self.maximumGap)
      for id in low...min(high, last.overflow ? high : last.partialValue)
      where !known.contains(id) {
        one.reset()
        one.bind([.int(id)])
        let isThere = try whereReadable { () throws(StoreError) in try one.step() }
        if isThere == true, let row = read(one) { rows.append(row) }
      }
    }
    return rows
  }
}
