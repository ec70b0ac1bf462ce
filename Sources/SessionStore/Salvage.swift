/// What can still be read of a damaged database.
struct Salvage {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Copies every whole row. Returns what was kept, in words.
  func copy(to database: Database) -> String {
    guard let old = try? Database(path: path) else { return "nothing of it can be read" }
    var sessions = 0
    var entries = 0
    for (id, state, checksum) in rows(
      of: "session", "id, state, checksum", in: old,
      read: {
        ($0.text(1) ?? "", $0.blob(2), $0.int(3))
      }) where Checksum.of(state) == checksum
    {
      guard let plan = plan(of: id, in: old) else { continue }
      let isKept: Void? = try? database.transaction { () throws(StoreError) in
        try database.run(
          "INSERT INTO plan(id, data, checksum) VALUES(?, ?, ?)", .text(id), .blob(plan),
          .int(Checksum.of(plan)))
        try database.run(
          "INSERT INTO session(id, state, checksum) VALUES(?, ?, ?)", .text(id), .blob(state),
          .int(checksum))
      }
      if isKept != nil { sessions += 1 }
    }
    let history = rows(of: "history", HistoryRow.columns, in: old) { HistoryRow.read($0, from: 1) }
    for entry in history.compactMap({ $0 }) {
      if (try? HistoryRow.insert(entry, into: database)) == true { entries += 1 }
    }
    return "\(entries) of its past and \(sessions) of its unfinished sessions were kept"
  }

  private func plan(of id: String, in old: Database) -> [UInt8]? {
    rows(of: "plan", "id, data, checksum", in: old) {
      ($0.text(1) ?? "", $0.blob(2), $0.int(3))
    }.first { $0.0 == id && Checksum.of($0.1) == $0.2 }?.1
  }

  /// Every row that can be read: from the first up to one that cannot, and from the last down.
  private func rows<Row>(
    of table: String, _ columns: String, in old: Database, read: (Database.Statement) -> Row
  ) -> [Row] {
    var rows: [Int64: Row] = [:]
    for order in ["ASC", "DESC"] {
      guard
        let statement = try? old.prepare(
          "SELECT rowid, \(columns) FROM \(table) NOT INDEXED ORDER BY rowid \(order)")
      else { break }
      var isWhole = true
      while true {
        do throws(StoreError) {
          guard try statement.step() else { break }
        } catch {
          isWhole = false
          break
        }
        // A damaged tree may lead in circles.
        guard rows.updateValue(read(statement), forKey: statement.int(0)) == nil else { break }
      }
      if isWhole { break }
    }
    return rows.sorted { $0.key < $1.key }.map(\.value)
  }
}
