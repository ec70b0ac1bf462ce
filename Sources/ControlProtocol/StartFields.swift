import IntervalTimeline

extension StartOrder {
  func encode(to fields: inout KeyedEncodingContainer<ControlRequest.Field>) throws {
    try fields.encodeIfPresent(preset, forKey: .preset)
    try fields.encodeIfPresent(workout, forKey: .workout)
    try fields.encodeIfPresent(quick, forKey: .quick)
    try fields.encodeIfPresent(lane, forKey: .lane)
    try fields.encodeIfPresent(StyleOptions(style), forKey: .style)
    try fields.encodeIfPresent(at, forKey: .at)
    try fields.encodeIfPresent(seed, forKey: .seed)
    try fields.encodeIfPresent(group, forKey: .group)
    try fields.encodeIfPresent(AthleteNumbers(athlete), forKey: .athlete)
  }

  func checked() throws(ControlError) -> StartOrder {
    guard [preset != nil, workout != nil, quick != nil].count(where: { $0 }) == 1 else {
      throw ControlError(.malformed, "start: expected either preset, workout or quick")
    }
    if let mistake = quick?.mistake { throw ControlError(.malformed, "quick.\(mistake)") }
    if quick != nil, seed ?? group.map({ Int64($0) }) != nil {
      throw ControlError(.malformed, "quick: it has no seed and no group")
    }
    if let workout { _ = try ControlRequest.bounded(workout) }
    if let seed, seed < 0 {
      throw ControlError(.malformed, "seed \(seed): expected a whole number, 0 or more")
    }
    if let group, !(1...1000).contains(group) {
      throw ControlError(.malformed, "group \(group): expected a whole number from 1 to 1000")
    }
    return self
  }

  /// The names of several workouts of this order.
  func checked(_ lanes: [String]) throws(ControlError) -> [String] {
    guard lane == nil else {
      throw ControlError(.malformed, "start: expected either lane or lanes")
    }
    guard (1...ControlLimits.lanes).contains(lanes.count), Set(lanes).count == lanes.count else {
      throw ControlError(
        .malformed, "lanes: expected 1 to \(ControlLimits.lanes) different names")
    }
    guard lanes.allSatisfy(NameRule.lane.allows) else {
      throw ControlError(.badName, "lanes: expected of each \(NameRule.lane.expected)")
    }
    return lanes
  }
}

extension ControlRequest.Action {
  /// What is to be started, under one name or several, now or again and again; nil for another action.
  package var started: StartOrder? {
    switch self {
    case .start(let order): order
    case .desk(let request):
      switch request.action {
      case .startTogether(let order, _): order
      case .schedule(let order): order.order
      default: nil
      }
    default: nil
    }
  }
}
