import ControlProtocol

/// What the coach last reported, for pages that come later.
package struct CoachMirror: Sendable {
  /// Nil while the coach is not there.
  private var snapshot: CoachSnapshot?

  package init() {}

  package var isThere: Bool { snapshot != nil }

  mutating func take(_ snapshot: CoachSnapshot) { self.snapshot = snapshot }

  mutating func lose() { snapshot = nil }

  /// - Returns: what the pages read; nil for an event that is known already or has no value.
  mutating func take(_ event: ControlEvent) -> PageMessage? {
    guard let known = snapshot?.revision, event.revision > known else { return nil }
    snapshot?.apply(event)
    switch event.event {
    case .lane: return Self.message(.lane, event, event.lane) { $0.lane = $1 }
    case .ended: return Self.message(.ended, event, event.lane) { $0.lane = $1 }
    case .device: return Self.message(.device, event, event.device) { $0.device = $1 }
    case .volume:
      return Self.message(.volume, event, event.volume) {
        ($0.volume, $0.muted) = ($1, event.muted)
      }
    case .warning:
      return Self.message(.warning, event, event.message) { $0.message = $1 }
    case .lists: return PageMessage(.lists, at: event.at)
    }
  }

  private static func message<Value>(
    _ kind: PageMessage.Kind, _ event: ControlEvent, _ value: Value?,
    set: (inout PageMessage, Value) -> Void
  ) -> PageMessage? {
    guard let value else { return nil }
    var message = PageMessage(kind, at: event.at)
    set(&message, value)
    return message
  }

  /// What a page reads first.
  func opening(at now: Int64) -> PageMessage {
    guard let snapshot else { return PageMessage(.gone, at: now) }
    var message = PageMessage(.snapshot, at: now)
    message.lanes = snapshot.lanes.map { PageMessage.Lane(at: snapshot.at, lane: $0) }
    message.device = snapshot.device
    (message.volume, message.muted) = (snapshot.volume, snapshot.muted)
    message.warnings = snapshot.warnings
    return message
  }
}
