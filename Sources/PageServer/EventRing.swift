/// The latest events for streams that read at their own pace.
package struct EventRing: Sendable {
  /// Events kept; a stream that is further behind has lost some.
  package static let capacity = 32

  package enum Reading: Hashable, Sendable {
    case event([UInt8])
    /// Nothing new.
    case upToDate
    /// What came next is no longer kept.
    case lost
  }

  private var events: [[UInt8]] = []
  /// The number of the next event.
  package private(set) var end: UInt64 = 0

  package init() {}

  package mutating func append(_ event: [UInt8]) {
    if events.count == Self.capacity {
      events[Int(end % UInt64(Self.capacity))] = event
    } else {
      events.append(event)
    }
    end += 1
  }

  /// - Parameter position: the number of the event that is wanted; a stream begins at `end`.
  package func read(at position: UInt64) -> Reading {
    if position >= end { return .upToDate }
    if end - position > UInt64(Self.capacity) { return .lost }
    return .event(events[Int(position % UInt64(Self.capacity))])
  }
}
