import Instants
import Targets

/// What one packet of a sensor says.
package struct SensorReport: Hashable, Sendable {
  /// When it arrived.
  package let instant: BootInstant
  /// At most one of each kind.
  package var readings: [Reading] = []
  /// Strokes since the packet before.
  package var repetitions = 0
  /// A strap does not touch the skin, or counts no beats: that is no reading.
  package var isWithoutContact = false
  /// Percent, 0…100.
  package var battery: Int?

  init(at instant: BootInstant) { self.instant = instant }

  /// Whether there is nothing in it.
  package var isEmpty: Bool { self == SensorReport(at: instant) }

  /// Nothing for nil, and for what is no reading.
  mutating func add(_ kind: TargetKind, _ value: Double?) {
    if let value, let reading = Reading(kind, value) { readings.append(reading) }
  }
}
