import ControlProtocol

/// What the coach last said, for pages that come later.
public struct CoachMirror: Sendable {
  /// Nil while the coach is not there.
  private var snapshot: CoachSnapshot?
  /// When each lane's elapsed times were right.
  private var laneTimes: [String: Int64] = [:]

  public init() {}

  public var isThere: Bool { snapshot != nil }

  mutating func take(_ snapshot: CoachSnapshot) {
    self.snapshot = snapshot
    laneTimes = Dictionary(
      snapshot.lanes.map { ($0.name, snapshot.at) }, uniquingKeysWith: { $1 })
  }

  mutating func lose() {
    snapshot = nil
    laneTimes = [:]
  }

  /// - Returns: what the pages read; nil for what says nothing.
  mutating func take(_ event: ControlEvent) -> PageMessage? {
    guard snapshot != nil else { return nil }
    snapshot?.revision = event.revision
    switch event.event {
    case .lane:
      guard let lane = event.lane else { return nil }
      if let place = snapshot?.lanes.firstIndex(where: { $0.name == lane.name }) {
        snapshot?.lanes[place] = lane
      } else {
        snapshot?.lanes.append(lane)
      }
      laneTimes[lane.name] = event.at
      var message = PageMessage(.lane, at: event.at)
      message.lane = lane
      return message
    case .ended:
      guard let lane = event.lane else { return nil }
      snapshot?.lanes.removeAll { $0.name == lane.name }
      laneTimes[lane.name] = nil
      var message = PageMessage(.ended, at: event.at)
      message.lane = lane
      return message
    case .device:
      guard let device = event.device else { return nil }
      snapshot?.device = device
      var message = PageMessage(.device, at: event.at)
      message.device = device
      return message
    case .volume:
      guard let volume = event.volume else { return nil }
      snapshot?.volume = volume
      var message = PageMessage(.volume, at: event.at)
      message.volume = volume
      return message
    case .warning:
      guard let text = event.message else { return nil }
      let warnings = (snapshot?.warnings ?? []) + [text]
      snapshot?.warnings = warnings.suffix(Self.warnings)
      var message = PageMessage(.warning, at: event.at)
      message.message = text
      return message
    }
  }

  /// Warnings kept for pages that come later.
  private static let warnings = 8

  /// What a page reads first.
  func opening(at now: Int64) -> PageMessage {
    guard let snapshot else { return PageMessage(.gone, at: now) }
    var message = PageMessage(.snapshot, at: now)
    message.lanes = snapshot.lanes.map {
      PageMessage.Lane(at: laneTimes[$0.name] ?? snapshot.at, lane: $0)
    }
    message.device = snapshot.device
    message.volume = snapshot.volume
    message.warnings = snapshot.warnings
    return message
  }
}
