/// What a listener is told of a sensor, before its words are looked up in a catalogue.
///
/// Values are rounded as they are spoken.
package enum CoachingText: Hashable, Sendable {
  /// The number is too low: "170, more power". In a ramp, with the target's middle: ", target 180".
  case low(TargetKind, Double, target: Double?)
  /// The number is too high: "161, slow down".
  case high(TargetKind, Double, target: Double?)
  /// Back in the range, after a correction: "200, on target".
  case onTarget(TargetKind, Double)
  /// The sensor is lost: "No heart rate".
  case lost(TargetKind)
  /// The lost sensor is heard again: "Heart rate is back, 150".
  case back(TargetKind, Double)
  /// The value alone, in a rest: "148".
  case value(TargetKind, Double)
  /// The heart rate is dangerously high. It comes with a sound, and before everything else.
  case alarm(Double)

  /// The text, and what is said of it where there is no room for all: in a ramp without the target.
  package var wordings: [CoachingText] {
    switch self {
    case .low(let kind, let value, target: .some): [self, .low(kind, value, target: nil)]
    case .high(let kind, let value, target: .some): [self, .high(kind, value, target: nil)]
    default: [self]
    }
  }

  package var isAlarm: Bool { if case .alarm = self { true } else { false } }

  /// How long the text lasts at most, in an English voice of 175 words a minute.
  package var length: Duration {
    switch self {
    case .low(_, _, target: .some), .high(_, _, target: .some): .milliseconds(4200)
    default: .milliseconds(2900)
    }
  }
}
