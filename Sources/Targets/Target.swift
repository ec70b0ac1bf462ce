/// What a phase asks for: a kind of value, and its range.
package struct Target: Hashable, Sendable {
  /// What is measured.
  package let kind: TargetKind
  /// Where the value should be.
  package let range: TargetRange

  /// A range, which may be a ramp.
  package init(_ kind: TargetKind, _ range: TargetRange) {
    self.kind = kind
    self.range = range
  }

  /// The same range all the time.
  package init(_ kind: TargetKind, _ range: ClosedRange<Double>) {
    self.init(kind, TargetRange(range))
  }

  /// A single number, with its kind's tolerance.
  package init(_ kind: TargetKind, _ value: Double) {
    self.init(kind, kind.range(around: value))
  }

  /// A ramp from one number to another, with its kind's tolerance.
  package init(_ kind: TargetKind, from start: Double, to end: Double, ramp: Duration) {
    self.init(
      kind,
      TargetRange(from: kind.range(around: start), to: kind.range(around: end), ramp: ramp))
  }
}
