import IntervalTimeline
import SessionStore

/// The history by weeks, which begin on Monday (ISO 8601). A session belongs to the week in which it
/// began.
struct WeekSummary {
  struct Week: Hashable {
    let monday: Day
    var sessions: Int
    /// Workout time, without the pauses.
    var length: Duration
  }

  /// Those that have sessions, the latest first.
  let weeks: [Week]
  /// How many weeks in a row up to now have a session that was not abandoned. A week that is not
  /// over breaks nothing: as long as it has none they are counted up to the week before.
  let streak: Int

  /// - Parameter now: nanoseconds since 1970, as the times of the entries.
  init(_ entries: [HistoryEntry], now: Int64, in zone: WallTime.Zone) {
    var weeks: [Day: Week] = [:]
    var kept: Set<Day> = []
    for entry in entries {
      let monday = WallTime(entry.startedAt, in: zone).day.monday
      weeks[monday, default: Week(monday: monday, sessions: 0, length: .zero)].sessions += 1
      weeks[monday]?.length += entry.summary.elapsed
      if entry.outcome != .abandoned { kept.insert(monday) }
    }
    self.weeks = weeks.values.sorted { $0.monday > $1.monday }

    var monday = WallTime(now, in: zone).day.monday
    if !kept.contains(monday) { monday = monday.weekBefore }
    var streak = 0
    while kept.contains(monday) {
      streak += 1
      monday = monday.weekBefore
    }
    self.streak = streak
  }
}

extension Day {
  fileprivate var weekBefore: Day { Day(number: number - 7) }
}
