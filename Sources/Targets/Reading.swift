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
}
