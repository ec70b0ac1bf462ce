/// When a value is compared with a target, and how often the listener is told.
package struct TargetRule: Hashable, Sendable {
  /// The mean is that of the readings of this span, without its first instant.
  package var window = Duration.seconds(5)
  /// The mean is that of this many readings instead. Nil: of those in `window`.
  package var windowCount: Int?
  /// Silence after a phase begins and after a pause.
  package var settle = Duration.seconds(10)
  /// How long the mean is outside, on one side without a break, before the listener is told.
  package var dwell = Duration.seconds(5)
  /// Silence when the trend brings the mean to the near edge within this span.
  package var ahead = Duration.seconds(10)

  package init(_ kind: TargetKind) {
    switch kind {
    case .heartRate:
      settle = .seconds(60)
      dwell = .seconds(10)
      ahead = .seconds(40)
    case .strokeRate: windowCount = 3
    case .watts, .cadence, .pace, .speed: break
    }
  }

  /// A phase of this length or less is over before anything is said of its target.
  package var silentLength: Duration { settle + dwell + Self.tail }

  /// How long after a correction it is repeated, while the mean is still outside; the last span recurs.
  package static let repeats: [Duration] = [.seconds(30), .seconds(60), .seconds(120)]
  /// How long the mean is inside before "on target".
  package static let confirm = Duration.seconds(5)
  /// From one coaching text to the next.
  package static let gap = Duration.seconds(10)
  /// At most this many coaching texts within `crowdSpan`.
  package static let crowd = 3
  package static let crowdSpan = Duration.seconds(60)
  /// Without a reading for this long, the value is unknown.
  package static let stale = Duration.seconds(5)
  /// Without a reading for this long, the sensor is lost, and the listener is told.
  package static let lost = Duration.seconds(10)
  /// After this many readings a lost sensor is back.
  package static let back = 3
  /// Silence at a phase's end.
  package static let tail = Duration.seconds(8)
  /// The trend is that of the readings of this span.
  package static let trend = Duration.seconds(10)
}
