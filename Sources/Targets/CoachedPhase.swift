/// A phase, as far as sensors matter to it.
package struct CoachedPhase: Hashable, Sendable {
  /// Nil: no value is coached.
  package let target: Target?
  /// Set: the phase lasts until the heart rate is low enough.
  package let rest: HeartRateRest?
  /// The length without pauses. Nil: the end is not known.
  package let length: Duration?

  /// A phase with a target, or without one.
  ///
  /// - Parameter length: nil: the end is not known.
  package init(_ target: Target? = nil, length: Duration? = nil) {
    self.target = target
    self.length = length
    rest = nil
  }

  /// A rest until the heart rate is low enough.
  package init(_ rest: HeartRateRest, target: Target? = nil) {
    self.target = target
    self.rest = rest
    length = rest.maximum
  }
}
