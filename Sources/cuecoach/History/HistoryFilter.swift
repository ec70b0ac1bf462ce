import ArgumentParser
import IntervalTimeline
import SessionStore

/// Selects sessions of the history.
struct HistoryFilter: ParsableArguments {
  @Option(help: "Only sessions that began on this day or later: YYYY-MM-DD.") var since: String?
  @Option(
    help: "Only sessions of this lane: the name given with NAME=PRESET, or that of the preset.")
  var lane: String?
  @Option(help: "Only sessions of this workout; case does not matter.") var workout: String?

  func apply(
    to entries: [HistoryEntry], in zone: WallTime.Zone
  ) throws(UserError) -> [HistoryEntry] {
    let first = since.flatMap { Day($0) }
    if let since, first == nil {
      throw .usage("--since \"\(since.singleLine)\": expected a day, such as 2026-11-21")
    }
    return entries.filter { entry in
      let isLate = first.map { WallTime(entry.startedAt, in: zone).day >= $0 } ?? true
      return isLate && (lane.map { entry.lane == $0 } ?? true)
        && (workout.map { entry.workout.lowercased() == $0.lowercased() } ?? true)
    }
  }
}
