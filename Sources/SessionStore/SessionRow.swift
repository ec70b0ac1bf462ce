import FoundationEssentials
import IntervalTimeline
import SystemIO

/// A session as two rows: the plan, written once, and the state, written with each save.
enum SessionRow {
  /// Written with each save.
  private struct State: Codable {
    var record: SessionRecord
    var clocks: ClockReading
    var crashes: Int
    var isSuspended: Bool
  }

  static func plan(of session: StoredSession) -> [UInt8] { PlanRow.encode(session.identity) }

  static func state(of session: StoredSession) -> [UInt8] {
    PlanRow.encode(
      State(
        record: session.record, clocks: session.clocks, crashes: session.crashes,
        isSuspended: session.isSuspended))
  }

  indirect enum Reading {
    case whole(StoredSession)
    case damaged(String)
  }

  static let query = """
    SELECT session.id, session.state, session.checksum, plan.data, plan.checksum
    FROM session LEFT JOIN plan ON plan.id = session.id WHERE session.damage IS NULL
    """

  static func read(_ row: Database.Statement) -> Reading {
    guard let id = row.text(0), !id.isEmpty else { return .damaged("it has no id") }
    let (state, plan) = (row.blob(1), row.blob(3))
    guard Checksum.of(state) == row.int(2) else { return .damaged("its state was altered") }
    guard !plan.isEmpty, Checksum.of(plan) == row.int(4) else {
      return .damaged("its workout was altered")
    }
    // Their checksums match, so they are what an encoder wrote.
    guard let state = try? JSONDecoder().decode(State.self, from: Data(state)),
      let identity = PlanRow.read(plan, id: id)
    else { return .damaged("it was written by another cuecoach") }
    guard state.record.isSane, state.clocks.isSane, (0...1_000_000_000).contains(state.crashes),
      identity.isSane
    else { return .damaged("it has times that never were") }
    return .whole(
      StoredSession(
        identity, record: state.record, clocks: state.clocks, crashes: state.crashes,
        isSuspended: state.isSuspended))
  }
}

/// What stays the same of a session, as the contents of a row.
enum PlanRow {
  static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(value) else {
      fatalError("a \(type(of: value)) cannot be encoded")
    }
    return Array(data)
  }

  /// Nil for bytes that no encoder of this version wrote, and for those of another row.
  static func read(_ bytes: [UInt8], id: String) -> SessionIdentity? {
    let identity = try? JSONDecoder().decode(SessionIdentity.self, from: Data(bytes))
    return identity?.id == id ? identity : nil
  }
}

extension SessionIdentity {
  /// False for what an encoder may have written and no coach can mean.
  var isSane: Bool { workout.isSane && (1...40).contains(lane.count) }
}
