import ControlProtocol
import IntervalTimeline
import SessionStore

/// The history by week, beginning on Monday (ISO 8601). A session belongs to the week of its start.
struct WeekSummary {
  struct Week: Hashable {
    let monday: Day
    var sessions: Int
    /// Workout time, which excludes pauses.
    var length: Duration
  }

  /// The weeks that have sessions, the latest first.
  let weeks: [Week]
  /// The number of consecutive weeks, up to now, with a session that was not abandoned. The current
  /// week does not break the streak while it has none.
  let streak: Int

  /// - Parameter now: nanoseconds since 1970, like the times of the entries.
  init(_ entries: [HistoryEntry], now: Int64, in zone: WallTime.Zone) {
    var weeks: [Day: Week] = [:]
    var kept: Set<Day> = []
    // What was missed is no session.
    for entry in entries where entry.outcome != .missed {
      let monday = WallTime(entry.startedAt, in: zone).day.monday
      weeks[monday, default: Week(monday: monday, sessions: 0, length: .zero)].sessions += 1
      weeks[monday]?.length += entry.summary.elapsed
      if entry.outcome != .abandoned { kept.insert(monday) }
    }
    self.weeks = weeks.values.sorted { $0.monday > $1.monday }

    streak = Streak(kept, this: WallTime(now, in: zone).day.monday).now
  }
}
