/// What a phase asks for: a kind of value, and its range.
package struct Target: Hashable, Sendable {
  /// What is measured.
  package let kind: TargetKind
  /// Where the value should be, in the kind's unit.
  package let range: TargetRange
  /// What a value is multiplied by to be said and shown: a pace is one of the target's own distance.
  package let scale: Double

  /// A range, which may be a ramp.
  ///
  /// - Parameter distance: of a pace, the metres for which the range is; greater than zero.
  package init(
    _ kind: TargetKind, _ range: TargetRange, paceOf distance: Double = Reading.paceMetres
  ) {
    self.kind = kind
    scale = kind == .pace ? distance / Reading.paceMetres : 1
    self.range = scale == 1 ? range : range.scaled(by: 1 / scale)
  }

  /// The same range all the time.
  package init(
    _ kind: TargetKind, _ range: ClosedRange<Double>, paceOf distance: Double = Reading.paceMetres
  ) {
    self.init(kind, TargetRange(range), paceOf: distance)
  }

  /// A single number, with its kind's tolerance.
  package init(_ kind: TargetKind, _ value: Double, paceOf distance: Double = Reading.paceMetres) {
    self.init(kind, kind.range(around: value), paceOf: distance)
  }

  /// A ramp from one number to another, with its kind's tolerance.
  package init(
    _ kind: TargetKind, from start: Double, to end: Double, ramp: Duration,
    paceOf distance: Double = Reading.paceMetres
  ) {
    self.init(
      kind, TargetRange(from: kind.range(around: start), to: kind.range(around: end), ramp: ramp),
      paceOf: distance)
  }

  /// A value of its kind as it is said.
  func spoken(_ value: Double) -> Double { kind.rounded(value * scale) }
}
