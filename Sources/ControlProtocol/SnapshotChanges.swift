import IntervalTimeline

/// How a surface keeps its snapshot true between events, and by them.
extension CoachSnapshot {
  /// Makes it what the coach would say at a later instant if nothing else happened. A phase that is
  /// over stands at its end: the next begins with an event.
  public mutating func advance(to instant: Int64) {
    guard instant > at else { return }
    let (before, now) = (BootInstant(nanoseconds: at), BootInstant(nanoseconds: instant))
    for index in lanes.indices { lanes[index].advance(from: before, to: now) }
    wall += instant - at
    at = instant
  }

  /// Takes an event. One that the snapshot has already is passed over.
  public mutating func apply(_ event: ControlEvent) {
    guard event.revision > revision else { return }
    advance(to: event.at)
    revision = event.revision
    switch event.event {
    case .lane:
      guard var lane = event.lane else { return }
      lane.advance(from: BootInstant(nanoseconds: event.at), to: BootInstant(nanoseconds: at))
      if let index = lanes.firstIndex(where: { $0.name == lane.name }) {
        lanes[index] = lane
      } else {
        lanes.append(lane)
      }
    case .ended: lanes.removeAll { $0.name == event.lane?.name }
    case .device: device = event.device ?? device
    case .volume: (volume, muted) = (event.volume ?? volume, event.muted ?? muted)
    case .warning:
      warnings = Array((warnings + [event.message ?? ""]).suffix(ControlLimits.warnings))
    case .lists: break
    }
  }
}
