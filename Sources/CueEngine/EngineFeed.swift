import IntervalTimeline
import Synchronization

/// What the subscribers of one engine receive.
final class EngineFeed: Sendable {
  let events = Subscribers<EngineEvent>()
  let ledger = Subscribers<LedgerEvent>()
  let spoken = Subscribers<SpokenText>()
  /// Protects the table of those who follow one lane; an entry ends with its lane.
  private let lanes = Mutex<[LaneID: Subscribers<LaneStatus>]>([:])

  var isFinished: Bool { events.isFinished }

  /// Everybody who is subscribed to anything.
  var count: Int {
    events.count + ledger.count + spoken.count
      + lanes.withLock { $0.values.reduce(0) { $0 + $1.count } }
  }

  func send(_ event: EngineEvent) {
    events.send(event)
    switch event {
    case .added(let status), .restored(let status, _), .phaseBegan(let status),
      .obeyed(_, let status), .signalled(_, let status), .finished(let status):
      send(status)
    case .ended(let status, _):
      send(status)
      end(status.id)
    default: break
    }
  }

  /// A lane has this status now.
  func send(_ status: LaneStatus) { lanes.withLock { $0[status.id] }?.send(status) }

  /// A lane has ended, or is none of this engine.
  func end(_ lane: LaneID) {
    let subscribers = lanes.withLock { $0.removeValue(forKey: lane) }
    subscribers?.finish()
  }

  /// A lane's latest status from now on; `add` adds one to this sequence alone.
  func statuses(
    of lane: LaneID
  ) -> (events: EventSequence<LaneStatus>, add: @Sendable (LaneStatus) -> Void) {
    let subscribers = lanes.withLock { lanes in
      let subscribers = lanes[lane] ?? Subscribers()
      lanes[lane] = subscribers
      return subscribers
    }
    return subscribers.latest()
  }

  /// Nothing follows.
  func finish() {
    events.finish()
    ledger.finish()
    spoken.finish()
    let all = lanes.withLock { lanes in
      defer { lanes = [:] }
      return lanes
    }
    for subscribers in all.values { subscribers.finish() }
  }
}
