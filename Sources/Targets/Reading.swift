/// What a sensor said.
package struct Reading: Hashable, Sendable {
  /// What was measured.
  package let kind: TargetKind
  /// In the kind's unit; finite.
  package let value: Double

  /// Nil for what is no reading: no finite number or an absurd one, a heart rate or a pace of zero, a heart rate
  /// above 300, a strap that does not touch the skin. Zero watts and zero revolutions are readings.
  ///
  /// - Parameter hasContact: false where the sensor says that it has no contact.
  package init?(_ kind: TargetKind, _ value: Double, hasContact: Bool = true) {
    guard hasContact, value.magnitude < 100_000 else { return nil }
    switch kind {
    // No heart beats faster: a packet that was misread or made up.
    case .heartRate: guard value > 0, value <= 300 else { return nil }
    case .pace: guard value > 0 else { return nil }
    // A power meter may measure less than nothing.
    case .watts: break
    case .cadence, .strokeRate, .speed: guard value >= 0 else { return nil }
    }
    self.kind = kind
    self.value = value
  }

  /// A pace is the time for so many metres.
  package static let paceMetres = 500.0
  /// Nobody who is slower has a pace: they stand. In kilometres an hour.
  private static let slowest = 1.0

  /// The same speed as a pace, or the same pace as a speed; nil for other kinds, and for a speed that is no pace.
  package var counterpart: Reading? {
    // Kilometres an hour times seconds for the metres of a pace.
    let product = Self.paceMetres * 3.6
    return switch kind {
    case .speed where value >= Self.slowest: Reading(.pace, product / value)
    case .pace: Reading(.speed, product / value)
    case .watts, .heartRate, .cadence, .strokeRate, .speed: nil
    }
  }
}
