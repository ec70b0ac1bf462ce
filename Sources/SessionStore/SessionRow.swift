import FoundationEssentials
import IntervalTimeline
import SystemIO

/// A session as two rows: the plan, written once, and the state, written with each save.
enum SessionRow {
  /// Written once.
  private struct Plan: Codable {
    var lane: String
    var workout: Workout
    /// Nil in rows of version 0.1, which have `options` instead.
    var request: RunRequest?
    /// Command-line options as stored by version 0.1; only that version reads them.
    var options: [String]
    var startedAt: Int64
  }

  /// Written with each save.
  private struct State: Codable {
    var record: SessionRecord
    var clocks: ClockReading
    /// Copied from the record, because version 0.1 reads them here.
    var cuesPlayed: Int
    var cuesMissed: Int
    var crashes: Int
    var isSuspended: Bool
  }

  static func plan(of session: StoredSession) -> [UInt8] {
    let identity = session.identity
    return encode(
      Plan(
        lane: identity.lane, workout: identity.workout, request: identity.request, options: [],
        startedAt: identity.startedAt))
  }

  static func state(of session: StoredSession) -> [UInt8] {
    encode(
      State(
        record: session.record, clocks: session.clocks, cuesPlayed: session.record.cues.played,
        cuesMissed: session.record.cues.missed, crashes: session.crashes,
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

  private static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(value) else {
      fatalError("a \(type(of: value)) cannot be encoded")
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
    // Their checksums match, so they are what an encoder wrote.
    let decoder = JSONDecoder()
    guard var state = try? decoder.decode(State.self, from: Data(state)),
      let plan = try? decoder.decode(Plan.self, from: Data(plan))
    else { return .damaged("it was written by another cuecoach") }
    state.record.cues = CueTally(played: state.cuesPlayed, missed: state.cuesMissed)
    guard state.record.isSane, state.clocks.isSane, (0...1_000_000_000).contains(state.crashes),
      plan.workout.isSane, (1...40).contains(plan.lane.count)
    else { return .damaged("it has times that never were") }
    let request = plan.request ?? RunRequest(style: AnnouncementStyle(options: plan.options))
    guard request.version <= RunRequest.currentVersion else {
      return .damaged("it was written by a newer cuecoach")
    }
    return .whole(
      StoredSession(
        SessionIdentity(
          id: id, lane: plan.lane, workout: plan.workout, request: request,
          startedAt: plan.startedAt),
        record: state.record, clocks: state.clocks, crashes: state.crashes,
        isSuspended: state.isSuspended))
  }
}

extension AnnouncementStyle {
  /// From options as stored by version 0.1, such as `--rate=180`. Unknown ones are ignored.
  init(options: [String]) {
    self.init()
    for option in options {
      guard option.hasPrefix("--"), let equals = option.firstIndex(of: "=") else { continue }
      let name = option[..<equals].dropFirst(2)
      let value = String(option[option.index(after: equals)...])
      switch name {
      case "language": language = value
      case "voice": voice.name = value
      case "variant": voice.variant = value
      case "rate": voice.rate = Int(value)
      case "pitch": voice.pitch = Int(value)
      case "speech-volume": voice.volume = Int(value)
      case "density": density = Density(rawValue: value)
      case "countdown": countdown = Int(value)
      case "sounds": sounds = value
      case "acknowledge": acknowledge = Acknowledgement.set(named: value)
      default: break
      }
    }
  }
}
