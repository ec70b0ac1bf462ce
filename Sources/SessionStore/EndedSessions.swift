import IntervalTimeline

/// The history in a store's database: the sessions that have ended, and those that were deleted and can be restored.
///
/// Used by one thread at a time, the store's; every call may block on the disk.
package struct EndedSessions {
  private let database: Database

  init(_ database: Database) { self.database = database }

  /// How long a session that was deleted can be restored, nanoseconds: 30 days.
  package static let keeping: Int64 = 30 * 86_400_000_000_000

  // MARK: Reading

  /// The latest first, and the number of damaged rows left out.
  package func entries() throws(StoreError) -> (entries: [HistoryEntry], damaged: Int) {
    try read("1")
  }

  /// Which sessions are meant.
  package struct Filter: Hashable, Sendable {
    /// Of this lane; nil: of all.
    package var lane: String?
    /// With this tag; nil: whatever their tags.
    package var tag: String?

    package init(lane: String? = nil, tag: String? = nil) { (self.lane, self.tag) = (lane, tag) }
  }

  /// What stands behind WHERE, and its values.
  private func condition(
    _ filter: Filter
  ) throws(StoreError) -> (text: String, values: [Database.Statement.Value]) {
    var (text, values) = ("1", [Database.Statement.Value]())
    if let lane = filter.lane {
      text += " AND lane = ?"
      values.append(.text(lane))
    }
    if let tag = filter.tag {
      text += " AND instr(\(try HistoryRow.has("tags", in: database) ? "tags" : "''"), ?)"
      values.append(.text(" \(tag) "))
    }
    return (text, values)
  }

  /// At most so many, the latest first; damaged ones are left out. Nil where there is no session `before`.
  ///
  /// - Parameter before: the id of one; only older ones follow.
  package func entries(
    _ filter: Filter, before: String?, limit: Int
  ) throws(StoreError) -> [HistoryEntry]? {
    var (condition, values) = try condition(filter)
    if let before {
      guard let place = try entry(before)?.startedAt else { return nil }
      condition += " AND started <= ? AND (started < ? OR id > ?)"
      values += [.int(place), .int(place), .text(before)]
    }
    return try read(condition, values, limit: limit).entries
  }

  /// Nil where there is none of that id, and where it is damaged.
  package func entry(_ id: String) throws(StoreError) -> HistoryEntry? {
    try read("id = ?", [.text(id)], limit: 1).entries.first
  }

  private func read(
    _ condition: String, _ values: [Database.Statement.Value] = [], limit: Int = .max
  ) throws(StoreError) -> (entries: [HistoryEntry], damaged: Int) {
    var entries: [HistoryEntry] = []
    var damaged = 0
    let rows = try database.rows(
      "SELECT \(HistoryRow.columns(in: database)) FROM history WHERE \(condition) ORDER BY started DESC, id",
      values)
    while entries.count < limit, try rows.step() {
      if let entry = HistoryRow.read(rows) { entries.append(entry) } else { damaged += 1 }
    }
    return (entries, damaged)
  }

  /// The figures of a session that sums are made of.
  package struct Figures: Hashable, Sendable {
    package var id: String
    package var preset: String
    package var outcome: HistoryEntry.Outcome
    /// Nanoseconds since 1970.
    package var startedAt: Int64
    package var elapsed: Duration
    /// Nil where it was not recorded.
    package var work: Duration?
    /// Which part of its phases was done, 0…1.
    package var complete: Double
  }

  /// The figures of many, the latest first, without a look at their checksums: thousands take little time.
  package func figures(_ filter: Filter) throws(StoreError) -> [Figures] {
    let (condition, values) = try condition(filter)
    let isNew = try HistoryRow.has("course", in: database)
    let rows = try database.rows(
      """
      SELECT id, \(isNew ? "preset, work" : "'', NULL"), outcome, started, elapsed, phases, phases_done \
      FROM history WHERE \(condition) ORDER BY started DESC, id
      """, values)
    var figures: [Figures] = []
    while try rows.step() {
      guard let id = rows.text(0), let outcome = HistoryEntry.Outcome(rawValue: rows.text(3) ?? "")
      else { continue }
      let (all, done) = (Double(rows.int(6)), Double(rows.int(7)))
      figures.append(
        Figures(
          id: id, preset: rows.text(1) ?? "", outcome: outcome, startedAt: rows.int(4),
          elapsed: Self.length(rows.int(5)), work: rows.isNull(2) ? nil : Self.length(rows.int(2)),
          complete: all > 0 ? min(1, max(0, done / all)) : 0))
    }
    return figures
  }

  /// Other programs may have written anything.
  private static func length(_ nanoseconds: Int64) -> Duration {
    .nanoseconds(min(max(0, nanoseconds), 8_640_000_000_000_000))
  }

  /// A person under whose name workouts were run, or with "" all who gave none, and a preset of theirs.
  package struct Use: Hashable, Sendable {
    package var person: String
    package var preset: String
  }

  /// Who has run which preset, the latest first, each pair once. A preset is empty where none was started.
  package func uses(limit: Int) throws(StoreError) -> [Use] {
    guard try HistoryRow.has("course", in: database) else { return [] }
    let rows = try database.rows(
      """
      SELECT CASE persons WHEN 1 THEN lane ELSE '' END AS person, preset, max(started) AS last \
      FROM history WHERE outcome <> 'missed' GROUP BY person, preset ORDER BY last DESC LIMIT ?
      """, [.int(Int64(limit))])
    var uses: [Use] = []
    while try rows.step() {
      uses.append(Use(person: rows.text(0) ?? "", preset: rows.text(1) ?? ""))
    }
    return uses
  }

  // MARK: Writing

  /// Adds entries that are missing or unreadable. Returns how many were new.
  package func add(_ entries: [HistoryEntry]) throws(StoreError) -> Int {
    var new = 0
    let ids = Set(entries.map(\.id))
    try database.transaction { () throws(StoreError) in
      for id in try damagedEntries() where ids.contains(id) {
        try database.run("DELETE FROM history WHERE id IS ?", .text(id))
      }
      for entry in entries where try HistoryRow.insert(entry, into: database) { new += 1 }
    }
    return new
  }

  /// Deletes entries from the history, all or none.
  package func delete(_ ids: [String]) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      for id in ids { try database.run("DELETE FROM history WHERE id IS ?", .text(id)) }
    }
  }

  private func damagedEntries() throws(StoreError) -> [String] {
    var ids: [String] = []
    let rows = try database.prepare("SELECT \(HistoryRow.columns(in: database)) FROM history")
    while try rows.step() {
      if HistoryRow.read(rows) == nil, let id = rows.text(0) { ids.append(id) }
    }
    return ids
  }

  // MARK: Deleting what can be restored

  /// Takes a session out of the history and keeps it for a while; what was taken out long ago goes. False where there is
  /// none of that id.
  ///
  /// - Parameter now: nanoseconds since 1970.
  package func remove(_ id: String, at now: Int64) throws(StoreError) -> Bool {
    guard let entry = try entry(id) else { return false }
    try database.transaction { () throws(StoreError) in
      try database.execute(RemovedRow.table)
      try RemovedRow.insert(id, HistoryFile.bytes(of: [entry]), at: now, into: database)
      try database.run("DELETE FROM history WHERE id = ?", .text(id))
      try RemovedRow.purge(upTo: now - Self.keeping, in: database)
    }
    return true
  }

  /// Puts a session back. False where none of that id was deleted within the time in which they are kept.
  ///
  /// - Parameter now: nanoseconds since 1970.
  package func restore(_ id: String, at now: Int64) throws(StoreError) -> Bool {
    guard try RemovedRow.hasTable(database),
      let entry = try RemovedRow.read(id, since: now - Self.keeping, in: database)
    else { return false }
    try database.transaction { () throws(StoreError) in
      try HistoryRow.insert(entry, into: database)
      try database.run("DELETE FROM removed WHERE id = ?", .text(id))
    }
    return true
  }

  /// Sessions whose time to be restored has passed are gone.
  package func purge(at now: Int64) throws(StoreError) {
    guard try RemovedRow.hasTable(database) else { return }
    try RemovedRow.purge(upTo: now - Self.keeping, in: database)
  }
}
