import ControlProtocol
import IntervalTimeline

/// A start that repeats, as it is kept.
package struct RepeatedStart: Hashable, Codable, Sendable {
  /// Random digits.
  package var id: String
  package var order: ScheduleOrder
  /// When it comes next, nanoseconds since 1970.
  package var next: Int64
  /// When the last one was that did not begin; nil where none was missed.
  package var missed: Int64?

  /// As surfaces show it.
  func entry(in zone: WallTime.Zone) -> ScheduleEntry {
    ScheduleEntry(
      id: id, order, next: WallTime(next, in: zone).offsetText,
      missed: missed.map { WallTime($0, in: zone).offsetText })
  }
}

/// Starts that repeat, by the wall clock. Times are nanoseconds since 1970.
struct Timetable {
  /// In the order in which they come.
  private(set) var list: [RepeatedStart] = []

  /// As many as are kept.
  static let maxCount = 100
  /// More missed ones of a start are not counted.
  private static let maxMissed = 31
  /// No start comes later than that: the clock was wrong when it was computed.
  private static let farthest: Int64 = 8 * 86_400_000_000_000

  /// One that comes now, or came while nobody could begin it.
  struct Due {
    var start: RepeatedStart
    /// When it was to begin.
    var at: Int64
  }

  mutating func add(_ order: ScheduleOrder, id: String, now: Int64, in zone: WallTime.Zone)
    -> RepeatedStart
  {
    let start = RepeatedStart(id: id, order: order, next: order.next(after: now, in: zone))
    insert(start)
    return start
  }

  /// Takes up what was kept.
  mutating func insert(_ start: RepeatedStart) {
    list.append(start)
    sort()
  }

  private mutating func sort() { list.sort { ($0.next, $0.id) < ($1.next, $1.id) } }

  /// Nil where there is none of that id.
  mutating func remove(_ id: String) -> RepeatedStart? {
    list.firstIndex { $0.id == id }.map { list.remove(at: $0) }
  }

  /// False where no start has that preset.
  mutating func rename(_ preset: String, to name: String) -> Bool {
    let renamed = list.indices.filter { list[$0].order.preset == preset }
    for index in renamed { list[index].order.preset = name }
    return !renamed.isEmpty
  }

  mutating func note(missed instant: Int64, of id: String) {
    guard let index = list.firstIndex(where: { $0.id == id }) else { return }
    list[index].missed = max(list[index].missed ?? 0, instant)
  }

  /// Those that are due by an instant, in order; each of them moves on to its next day. What came several times has
  /// been missed each time but the last.
  mutating func removeDue(by instant: Int64, in zone: WallTime.Zone) -> [Due] {
    var due: [Due] = []
    for index in list.indices {
      var count = 0
      while list[index].next <= instant {
        let start = list[index]
        count += 1
        due.append(Due(start: start, at: start.next))
        list[index].next =
          count < Self.maxMissed
          ? start.order.next(afterDayOf: start.next, in: zone)
          : start.order.next(after: instant + 1, in: zone)
      }
    }
    sort()
    return due.sorted { $0.at < $1.at }
  }

  /// The clock has been set. True where that has changed something: one that lies too far ahead by the new time is computed
  /// anew.
  mutating func follow(wall: Int64, in zone: WallTime.Zone) -> Bool {
    let stale = list.indices.filter { list[$0].next > wall + Self.farthest }
    for index in stale { list[index].next = list[index].order.next(after: wall, in: zone) }
    sort()
    return !stale.isEmpty
  }
}

extension ScheduleOrder {
  /// When it comes for the first time at `now` or later.
  func next(after now: Int64, in zone: WallTime.Zone) -> Int64 {
    // The protocol has checked it.
    let clock = ClockTime(time) ?? ClockTime("0:00")!
    var instant = clock.next(after: now, in: zone)
    while days == .weekdays, WallTime(instant, in: zone).day.isWeekend {
      instant = clock.next(after: instant + 1, in: zone)
    }
    return instant
  }

  /// The next one on a later day: a time that a day has twice, because summer time ends, comes once.
  func next(afterDayOf instant: Int64, in zone: WallTime.Zone) -> Int64 {
    let day = WallTime(instant, in: zone).day
    var next = next(after: instant + 1, in: zone)
    while WallTime(next, in: zone).day == day { next = self.next(after: next + 1, in: zone) }
    return next
  }
}

extension Day {
  fileprivate var isWeekend: Bool { number - monday.number >= 5 }
}
