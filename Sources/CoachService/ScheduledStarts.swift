import IntervalTimeline

/// Workouts that begin later, by instant.
struct ScheduledStarts {
  private(set) var list: [ScheduledStart] = []
  /// The ids of all that were scheduled before those of earlier runs are restored; nil afterwards.
  private var own: Set<String>? = []
  /// The wall clock less the boot's, nanoseconds, as last seen.
  private var wallOffset: Int64

  /// The clocks drift apart by no more between two of the kernel's reports, nanoseconds.
  private static let maxSlew: Int64 = 1_000_000_000

  init(wallOffset: Int64) { self.wallOffset = wallOffset }

  mutating func add(_ start: ScheduledStart) {
    own?.insert(start.workout.identity.id)
    list.append(start)
    list.sort { $0.at < $1.at }
  }

  /// It is on disk.
  mutating func markKept(_ start: ScheduledStart) {
    let id = start.workout.identity.id
    guard let index = list.firstIndex(where: { $0.workout.identity.id == id }) else { return }
    list[index].isKept = true
  }

  /// Nil where there is none of that name.
  mutating func remove(_ name: String) -> ScheduledStart? {
    list.firstIndex { $0.name == name }.map { list.remove(at: $0) }
  }

  /// Removes the first if it is due by `instant`.
  mutating func removeFirst(by instant: BootInstant) -> ScheduledStart? {
    list.first.map { $0.at <= instant } == true ? list.removeFirst() : nil
  }

  /// Those of earlier runs among what is on disk: it may have been read when this run had scheduled some, which may
  /// have begun since. Once.
  mutating func ofEarlierRuns(_ starts: [ScheduledStart]) -> [ScheduledStart] {
    defer { own = nil }
    return starts.filter { own?.contains($0.workout.identity.id) != true }
  }

  /// The wall clock may have been set.
  ///
  /// - Returns: whether it was, and those whose time on the wall clock is another one now.
  mutating func follow(wall: Int64, at now: BootInstant) -> (wasSet: Bool, moved: [ScheduledStart])
  {
    let offset = wall - now.nanoseconds
    // The kernel reports the end of a sleep in the same way.
    let wasSet = abs(offset - wallOffset) > Self.maxSlew
    wallOffset = offset
    for index in list.indices {
      if list[index].followsWallClock {
        list[index].at = now + .nanoseconds(list[index].wall - wall)
      } else {
        list[index].wall = wall + now.duration(to: list[index].at).wholeNanoseconds
      }
    }
    list.sort { $0.at < $1.at }
    return (wasSet, wasSet ? list.filter { !$0.followsWallClock } : [])
  }
}
