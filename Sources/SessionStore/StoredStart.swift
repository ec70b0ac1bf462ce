import FoundationEssentials
import IntervalTimeline
import SystemIO

/// A workout that is to begin later, as stored on disk. When it begins it becomes a session with its id.
public struct StoredStart: Hashable, Sendable {
  /// The later session's id.
  public let id: String
  /// The name of its lane.
  public var lane: String
  /// The workout as it was requested; its preset may have changed since.
  public var workout: Workout
  /// How it was requested.
  public var request: RunRequest
  /// When it begins by the wall clock, in nanoseconds since 1970.
  public var startsAt: Int64

  /// The arguments are taken as they are.
  public init(
    id: String, lane: String, workout: Workout, request: RunRequest = RunRequest(), startsAt: Int64
  ) {
    self.id = id
    self.lane = lane
    self.workout = workout
    self.request = request
    self.startsAt = startsAt
  }
}

/// A start as a row.
enum StartRow {
  private struct Plan: Codable {
    var lane: String
    var workout: Workout
    var request: RunRequest
    var startsAt: Int64
  }

  /// Databases of earlier versions have no such table; those versions leave it alone. It is made with the
  /// first start, so that opening a database needs no room on the disk.
  static let table = """
    CREATE TABLE IF NOT EXISTS start(
      id TEXT PRIMARY KEY NOT NULL, data BLOB NOT NULL, checksum INTEGER NOT NULL);
    """

  static func hasTable(_ database: Database) throws(StoreError) -> Bool {
    try database.number(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'start'")
      > 0
  }

  static func insert(_ start: StoredStart, into database: Database) throws(StoreError) {
    let plan = Plan(
      lane: start.lane, workout: start.workout, request: start.request, startsAt: start.startsAt)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(plan) else {
      fatalError("a start cannot be encoded")
    }
    let bytes = Array(data)
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

  /// Nil for a row that is damaged, or was written by a newer version.
  static func read(_ row: Database.Statement) -> StoredStart? {
    let data = row.blob(1)
    // Its checksum matches, so it is what an encoder wrote.
    guard isIntact(row), let id = row.text(0),
      let plan = try? JSONDecoder().decode(Plan.self, from: Data(data)),
      plan.workout.isSane, (1...40).contains(plan.lane.count),
      // Up to the year 2096.
      (0...4_000_000_000_000_000_000).contains(plan.startsAt),
      plan.request.version <= RunRequest.currentVersion
    else { return nil }
    return StoredStart(
      id: id, lane: plan.lane, workout: plan.workout, request: plan.request,
      startsAt: plan.startsAt)
  }
}
