import ControlProtocol
import IntervalTimeline

/// Finds in the coach's messages what a person should know: a workout is complete or interrupted, the sound has failed. Time is
/// an argument: nanoseconds of CLOCK_BOOTTIME.
package struct CoachWatch: Sendable {
  package enum News: Hashable, Sendable {
    /// A workout has come to its end.
    case complete(WorkoutStatus)
    /// The coach has gone while a workout ran, and did not take it up again.
    case interrupted(WorkoutStatus, canResume: Bool)
    /// The device has failed, and does not work again; why, such as "gone".
    case noSound(String?)
    /// It works again.
    case sound
    /// The coach is to be asked for its sessions.
    case unclear
  }

  /// A coach that is started anew has taken its workouts up again by then. systemd waits for a second, the coach needs up to
  /// five on a slow card, and a surface tries again after four at most; an upgrade of its package takes longer.
  package static let restart: Int64 = 20_000_000_000
  /// A device that comes back by then has not failed: somebody has moved a plug.
  package static let replugging: Int64 = 5_000_000_000
  /// The coach has answered by then.
  package static let answer: Int64 = 5_000_000_000

  private struct Missing {
    var workout: WorkoutStatus
    /// When it is given up.
    var until: Int64
    var isAsked = false
  }

  /// Nil while the coach is away.
  package private(set) var snapshot: CoachSnapshot?
  /// False before the coach has answered for the first time.
  private var hasBegun = false
  /// The workouts that went without an end, by their names.
  private var missing: [String: Missing] = [:]
  /// Those that are over and still heard, by their names: their end was told.
  private var complete: Set<String> = []
  /// When a lost device counts as failed; nil while it works, and once that was told.
  private var failsAt: Int64?
  private var reason: String?
  private var isFailureKnown = false

  package init() {}

  /// When there is news without an event; nil: never.
  package var deadline: Int64? {
    (missing.values.map(\.until) + [failsAt].compactMap { $0 }).min()
  }

  /// A workout, as the coach last said; nil where there is none of that name.
  package func workout(_ name: String) -> WorkoutStatus? {
    snapshot?.lanes.first { $0.name == name }
  }

  /// Whether a workout is waited for.
  package func isMissing(_ name: String) -> Bool { missing[name] != nil }

  /// Whether there is more to come of a workout.
  package func isKnown(_ name: String) -> Bool { workout(name) != nil || isMissing(name) }

  /// The coach has answered with everything.
  package mutating func take(_ snapshot: CoachSnapshot, at now: Int64) -> [News] {
    self.snapshot = snapshot
    if !hasBegun { begin(with: snapshot) }
    complete.formIntersection(snapshot.lanes.map(\.name))
    return snapshot.lanes.flatMap { note($0) } + note(snapshot.device, at: now)
  }

  /// What was over or lost before this program began is no news: an earlier run of it may have told that.
  private mutating func begin(with snapshot: CoachSnapshot) {
    hasBegun = true
    complete = Set(snapshot.lanes.filter { $0.state == .finished }.map(\.name))
    isFailureKnown =
      snapshot.device.state == .lost && !snapshot.lanes.contains(where: Self.mayBeMissed)
  }

  /// Before the coach has answered with everything nothing is known.
  package mutating func take(_ event: ControlEvent, at now: Int64) -> [News] {
    guard let known = snapshot?.revision, event.revision > known else { return [] }
    snapshot?.apply(event)
    let news = event.lane.map { note($0) } ?? []
    if event.event == .ended, let lane = event.lane {
      complete.remove(lane.name)
      if Self.mayBeMissed(lane) {
        missing[lane.name] = Missing(workout: lane, until: now + Self.restart)
      }
    }
    return news + (event.device.map { note($0, at: now) } ?? [])
  }

  /// The coach has gone.
  package mutating func lose(at now: Int64) {
    // As far as is known.
    snapshot?.advance(to: now)
    for lane in snapshot?.lanes ?? [] where Self.mayBeMissed(lane) {
      missing[lane.name] = Missing(workout: lane, until: now + Self.restart)
    }
    snapshot = nil
    failsAt = nil
  }

  /// What has become clear by an instant.
  package mutating func check(at now: Int64) -> [News] {
    var news: [News] = []
    for (name, lane) in missing.sorted(by: { $0.key < $1.key }) where lane.until <= now {
      if snapshot != nil, !lane.isAsked {
        missing[name]?.isAsked = true
        missing[name]?.until = now + Self.answer
        if news.last != .unclear { news.append(.unclear) }
      } else {
        missing[name] = nil
        news.append(.interrupted(lane.workout, canResume: false))
      }
    }
    if let failsAt, failsAt <= now {
      self.failsAt = nil
      isFailureKnown = true
      news.append(.noSound(reason))
    }
    return news
  }

  /// The coach has answered with its sessions.
  package mutating func take(_ sessions: [SessionEntry]) -> [News] {
    let asked = missing.filter(\.value.isAsked).sorted { $0.key < $1.key }
    for (name, _) in asked { missing[name] = nil }
    return asked.map { name, lane in
      .interrupted(lane.workout, canResume: sessions.contains { $0.lane == name })
    }
  }

  /// Somebody wanted another's end, or it never began.
  private static func mayBeMissed(_ lane: WorkoutStatus) -> Bool {
    lane.state == .running || lane.state == .paused
  }

  private mutating func note(_ lane: WorkoutStatus) -> [News] {
    missing[lane.name] = nil
    guard lane.state == .finished else {
      complete.remove(lane.name)
      return []
    }
    return complete.insert(lane.name).inserted ? [.complete(lane)] : []
  }

  private mutating func note(_ device: DeviceSnapshot, at now: Int64) -> [News] {
    guard device.state == .lost else {
      defer { (failsAt, isFailureKnown) = (nil, false) }
      return isFailureKnown ? [.sound] : []
    }
    reason = device.reason
    if failsAt == nil, !isFailureKnown { failsAt = now + Self.replugging }
    return []
  }
}
