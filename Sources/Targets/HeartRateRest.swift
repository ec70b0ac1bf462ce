/// A rest that lasts until the heart rate is low enough.
package struct HeartRateRest: Hashable, Sendable {
  /// Beats a minute; the heart rate must be below.
  package let limit: Double
  /// The rest lasts at least this long.
  package let minimum: Duration
  /// The rest ends after this time at the latest. Nil: it waits.
  package let maximum: Duration?

  /// How long the median must be below the limit.
  package static let hold = Duration.seconds(3)
  /// The median is that of this many readings at least.
  package static let readings = 3
  /// How often the heart rate is said.
  package static let report = Duration.seconds(30)

  /// A rest until the heart rate is below `limit`.
  package init(below limit: Double, minimum: Duration = .zero, maximum: Duration? = nil) {
    self.limit = limit
    self.minimum = minimum
    self.maximum = maximum
  }
}
