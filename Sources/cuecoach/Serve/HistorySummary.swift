import ControlProtocol
import IntervalTimeline
import SessionStore

/// A year of the history by its days and the weeks that begin in it, the streak of weeks, and the best session of each preset.
struct HistorySummary {
  private var days: [Day: PeriodSum] = [:]
  /// By their Mondays.
  private var weeks: [Day: PeriodSum] = [:]
  private var streak = Streak(now: 0, best: 0)
  private var best: [String: BestSession] = [:]

  private static let maxPresets = 500

  /// - Parameters:
  ///   - figures: the latest first.
  ///   - year: of the days and weeks; nil: that of `now`.
  ///   - now: nanoseconds since 1970, like the times of the sessions.
  init(_ figures: [EndedSessions.Figures], year: Int?, now: Int64, in zone: WallTime.Zone) {
    let ofYear = Day.days(of: year ?? WallTime(now, in: zone).day.year)
    var kept: Set<Day> = []
    // What was missed is no session.
    for session in figures where session.outcome != .missed {
      let day = WallTime(session.startedAt, in: zone).day
      let monday = day.monday
      if ofYear.contains(day) { days[day, default: PeriodSum(date: day.text)].add(session.work) }
      if ofYear.contains(monday) {
        weeks[monday, default: PeriodSum(date: monday.text)].add(session.work)
      }
      if session.outcome != .abandoned { kept.insert(monday) }
      if !session.preset.isEmpty { note(session) }
    }
    streak = Streak(kept, this: WallTime(now, in: zone).day.monday)
  }

  /// Of equal ones the latest is the best.
  private mutating func note(_ session: EndedSessions.Figures) {
    let work = session.work?.inSeconds
    if let best = best[session.preset],
      (best.complete, best.work ?? 0) >= (session.complete, work ?? 0)
    {
      return
    }
    best[session.preset] = BestSession(
      preset: session.preset, id: session.id, complete: session.complete, work: work)
  }

  func write(to answer: inout ControlAnswer) {
    answer.days = days.keys.sorted().compactMap { days[$0] }
    answer.weeks = weeks.keys.sorted().compactMap { weeks[$0] }
    answer.streak = streak
    answer.best = best.values.sorted { $0.preset < $1.preset }.prefix(Self.maxPresets).map { $0 }
  }
}

extension PeriodSum {
  fileprivate mutating func add(_ work: Duration?) {
    workouts += 1
    self.work += work?.inSeconds ?? 0
  }
}

extension Streak {
  /// - Parameters:
  ///   - kept: the Mondays of weeks with a session.
  ///   - this: that of the current week, which does not break a streak while it has none.
  init(_ kept: Set<Day>, this: Day) {
    func length(upTo monday: Day) -> Int {
      var (count, monday) = (0, monday)
      while kept.contains(monday) { (count, monday) = (count + 1, monday.weekBefore) }
      return count
    }
    // Each streak is counted once, from its last week.
    let ends = kept.filter { !kept.contains($0.weekAfter) }
    self.init(
      now: length(upTo: kept.contains(this) ? this : this.weekBefore),
      best: ends.map(length(upTo:)).max() ?? 0)
  }
}

extension Day {
  fileprivate var weekBefore: Day { Day(number: number - 7) }
  fileprivate var weekAfter: Day { Day(number: number + 7) }
  fileprivate var year: Int { Int(text.prefix(4)) ?? 0 }

  /// Empty for a year that no date can be written of.
  fileprivate static func days(of year: Int) -> Range<Day> {
    guard let first = Day("\(year)-01-01"), let next = Day("\(year + 1)-01-01") else {
      return Day(number: 0)..<Day(number: 0)
    }
    return first..<next
  }
}
