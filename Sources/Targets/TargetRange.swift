/// A range that a value should stay in: the same during the whole phase, or one that moves.
package struct TargetRange: Hashable, Sendable {
  /// The range at the phase's beginning.
  package let start: ClosedRange<Double>
  /// The range when the ramp is over.
  package let end: ClosedRange<Double>
  /// How long the ramp lasts, in time of the phase without its pauses. Nil: no ramp.
  package let ramp: Duration?

  /// The same range all the time.
  package init(_ range: ClosedRange<Double>) {
    start = range
    end = range
    ramp = nil
  }

  /// A range that moves evenly from `start` to `end`, and stays there.
  ///
  /// - Parameter ramp: greater than zero; otherwise it is at `end` from the beginning.
  package init(from start: ClosedRange<Double>, to end: ClosedRange<Double>, ramp: Duration) {
    self.start = start
    self.end = end
    self.ramp = ramp
  }

  func scaled(by factor: Double) -> TargetRange {
    func scaled(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
      range.lowerBound * factor...range.upperBound * factor
    }
    return ramp.map { TargetRange(from: scaled(start), to: scaled(end), ramp: $0) }
      ?? TargetRange(scaled(start))
  }

  /// The range at a time of the phase without its pauses.
  package func range(at time: Duration) -> ClosedRange<Double> {
    guard let ramp, time < ramp else { return end }
    let part = max(0, time / ramp)
    // Weighted, not start + part × difference: the lower bound is never above the upper one, whatever is rounded.
    return start.lowerBound * (1 - part) + end.lowerBound * part...start.upperBound * (1 - part)
      + end.upperBound * part
  }
}
