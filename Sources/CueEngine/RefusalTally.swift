import IntervalTimeline

/// How many requests of each lane were refused for the same reason, so that a client that repeats one without end
/// does not fill the ledger.
struct RefusalTally {
  /// The least time between two lines of a lane.
  static let interval = Duration.seconds(10)

  private struct Unwritten {
    var count: Int
    var writtenAt: BootInstant
  }

  private var lanes: [LaneID: Unwritten] = [:]

  /// Counts a refusal. True for the first one in a while: it is written at once.
  mutating func isFirst(of lane: LaneID, at now: BootInstant) -> Bool {
    guard lanes[lane] == nil else {
      lanes[lane]?.count += 1
      return false
    }
    lanes[lane] = Unwritten(count: 0, writtenAt: now)
    return true
  }

  /// The refusals that are to be written by now, in the order of the lanes. A lane without any is forgotten.
  mutating func takeDue(at now: BootInstant) -> [(lane: LaneID, count: Int)] {
    guard !lanes.isEmpty else { return [] }
    let due = lanes.filter { $0.value.writtenAt + Self.interval <= now }
    for (lane, unwritten) in due {
      lanes[lane] = unwritten.count == 0 ? nil : Unwritten(count: 0, writtenAt: now)
    }
    return due.map { (lane: $0.key, count: $0.value.count) }.filter { $0.count > 0 }
      .sorted { $0.lane < $1.lane }
  }

  /// The lane ends, or the engine does: returns what has not been written of it.
  mutating func take(_ lane: LaneID) -> Int { lanes.removeValue(forKey: lane)?.count ?? 0 }
}
