import Instants
import Targets

/// Which reading counts where several sensors measure the same: that of the first one in the list that is alive.
package struct SensorChoice: Sendable {
  /// A sensor is alive for so long after a reading of the kind.
  private static let alive = Duration.seconds(5)

  private var heard: [TargetKind: [Int: BootInstant]] = [:]

  package init() {}

  /// Whether a reading of this kind counts.
  ///
  /// - Parameter sensor: its place in the list.
  package mutating func take(_ kind: TargetKind, from sensor: Int, at now: BootInstant) -> Bool {
    heard[kind, default: [:]][sensor] = now
    return !(heard[kind] ?? [:]).contains { $0 < sensor && now - $1 < Self.alive }
  }
}
