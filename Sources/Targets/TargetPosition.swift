/// How a value stands to its target. A small number is below, whether that is fast or slow.
public enum TargetPosition: String, Codable, Hashable, Sendable {
  /// There is no value.
  case unknown
  /// Less than the range.
  case below
  /// In the range, its bounds included.
  case inside
  /// More than the range.
  case above

  init(of number: Double, in range: ClosedRange<Double>) {
    self = number < range.lowerBound ? .below : number > range.upperBound ? .above : .inside
  }
}
