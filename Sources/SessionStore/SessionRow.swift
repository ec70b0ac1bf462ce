import FoundationEssentials
import IntervalTimeline

/// A session as its two rows: the plan is written once, the state each time.
enum SessionRow {
  struct Plan: Codable {
    var lane: String
    var workout: Workout
    var options: [String]
    var startedAt: Int64

    init(_ session: StoredSession) {
      lane = session.lane
      workout = session.workout
      options = session.options
      startedAt = session.startedAt
    }
  }

  enum Reading {
    case whole(StoredSession)
    case damaged(String)
  }

  static let query = """
    SELECT session.id, session.state, session.checksum, plan.data, plan.checksum
    FROM session LEFT JOIN plan ON plan.id = session.id WHERE session.damage IS NULL
    """

  static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("a \(type(of: value)) cannot be encoded")
    }
    return Array(data)
  }

  static func read(_ row: Database.Statement) -> Reading {
    guard let id = row.text(0), !id.isEmpty else { return .damaged("it has no id") }
    let (state, plan) = (row.blob(1), row.blob(3))
    guard Checksum.of(state) == row.int(2) else { return .damaged("its state was altered") }
    guard !plan.isEmpty, Checksum.of(plan) == row.int(4) else {
      return .damaged("its workout was altered")
    }
    // Whole, as their sums say: they are what an encoder wrote.
    let decoder = JSONDecoder()
    guard let kept = try? decoder.decode(StoredSession.Kept.self, from: Data(state)),
      let plan = try? decoder.decode(Plan.self, from: Data(plan))
    else { return .damaged("it was written by another cuecoach") }
    guard kept.isSane, plan.workout.isSane, (1...40).contains(plan.lane.count) else {
      return .damaged("it has times that never were")
    }
    return .whole(
      StoredSession(
        id: id, lane: plan.lane, workout: plan.workout, options: plan.options,
        startedAt: plan.startedAt, state: kept))
  }
}

extension StoredSession.Kept {
  /// Nothing in it is so far off that sums overflow.
  fileprivate var isSane: Bool {
    record.isSane && clocks.isSane
      && [cuesPlayed, cuesMissed, crashes].allSatisfy { (0...1_000_000_000).contains($0) }
  }
}
