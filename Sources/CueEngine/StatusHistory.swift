import IntervalTimeline

/// Every lane's status after each change. Between two changes only the time goes on.
struct StatusHistory {
  private(set) var statuses: [String: [(instant: BootInstant, status: LaneStatus)]] = [:]

  /// The status of each lane after its last change.
  var latest: [String: LaneStatus] { statuses.compactMapValues { $0.last?.status } }

  init(_ run: OfflineRun) {
    for lane in run.coach.lanes.ids { note(lane, of: run) }
  }

  /// Notes the lanes that something happened to.
  mutating func note(_ run: OfflineRun, after events: [LedgerEvent]) {
    var changed: Set<String> = []
    for event in events {
      switch event {
      case .start(let lane, _, _, _), .restored(let lane, _, _), .command(_, let lane, _),
        .signal(_, let lane, _), .phase(let lane, _, _, _, _), .finish(let lane, _):
        changed.insert(lane)
      case .cue, .refused, .deviceLost, .deviceRecovered, .xrun, .notRealtime, .omitted: break
      }
    }
    let ended = run.takeEnded()
    guard !changed.isEmpty else { return }
    for lane in run.coach.lanes.ids where changed.contains(run.coach.lanes[lane].name) {
      note(lane, of: run)
    }
    // These are no longer among the lanes.
    for status in ended where changed.contains(status.name) {
      statuses[status.name, default: []].append((run.now, status))
    }
  }

  private mutating func note(_ lane: LaneID, of run: OfflineRun) {
    let status = run.coach.lanes.status(of: lane, at: run.now)
    statuses[status.name, default: []].append((run.now, status))
  }
}
