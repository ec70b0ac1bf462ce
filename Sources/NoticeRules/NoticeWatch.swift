import ControlProtocol
import IntervalTimeline

/// What the coach tells, as notices. Time is an argument: nanoseconds of CLOCK_BOOTTIME.
package struct NoticeWatch: Sendable {
  /// A coach that is started anew has taken its workouts up again by then.
  package static let restart: Int64 = 20_000_000_000
  /// A device that comes back by then has not failed: somebody has moved a plug.
  package static let replugging: Int64 = 5_000_000_000

  private var snapshot: CoachSnapshot?
  /// The workouts that went without an end, and when they are given up, by their names.
  private var missing: [String: (workout: WorkoutStatus, until: Int64)] = [:]
  /// When a lost device counts as failed; nil while it works, and once the notice was sent.
  private var failsAt: Int64?
  private var reason: String?
  private var isFailureKnown = false

  package init() {}

  /// When something is to be told without an event; nil: never.
  package var deadline: Int64? {
    (missing.values.map(\.until) + [failsAt].compactMap { $0 }).min()
  }

  /// The coach has answered with everything.
  package mutating func take(_ snapshot: CoachSnapshot, at now: Int64) {
    self.snapshot = snapshot
    for lane in snapshot.lanes { missing[lane.name] = nil }
    note(snapshot.device, at: now)
  }

  package mutating func take(_ event: ControlEvent, at now: Int64) -> [Notice] {
    guard snapshot != nil else { return [] }
    snapshot?.apply(event)
    switch event.event {
    case .lane: if let name = event.lane?.name { missing[name] = nil }
    case .device: if let device = event.device { note(device, at: now) }
    case .ended:
      guard let lane = event.lane else { break }
      switch lane.state {
      case .finished: return [Notice(.complete, workout: lane)]
      case .running, .paused: missing[lane.name] = (lane, now + Self.restart)
      // Somebody wanted it, or it never began.
      case .stopped, .ready: break
      }
    case .volume, .warning: break
    }
    return []
  }

  /// The coach has gone.
  package mutating func lose(at now: Int64) {
    for lane in snapshot?.lanes ?? [] where lane.state == .running || lane.state == .paused {
      var lane = lane
      // As far as is known.
      if let snapshot {
        lane.advance(from: BootInstant(nanoseconds: snapshot.at), to: BootInstant(nanoseconds: now))
      }
      missing[lane.name] = (lane, now + Self.restart)
    }
    snapshot = nil
    failsAt = nil
  }

  /// What has become clear by an instant.
  package mutating func check(at now: Int64) -> [Notice] {
    var notices: [Notice] = []
    for (name, lane) in missing.sorted(by: { $0.key < $1.key }) where lane.until <= now {
      missing[name] = nil
      notices.append(Notice(.interrupted, workout: lane.workout))
    }
    if let failsAt, failsAt <= now {
      self.failsAt = nil
      isFailureKnown = true
      notices.append(Notice(.failed, reason: reason))
    }
    return notices
  }

  private mutating func note(_ device: DeviceSnapshot, at now: Int64) {
    guard device.state == .lost else {
      (failsAt, isFailureKnown) = (nil, false)
      return
    }
    reason = device.reason
    if failsAt == nil, !isFailureKnown { failsAt = now + Self.replugging }
  }
}
