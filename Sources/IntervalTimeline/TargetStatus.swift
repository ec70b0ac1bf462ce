/// How a value stands to the target of the running phase, for a display. It is stored nowhere.
public struct TargetStatus: Hashable, Codable, Sendable {
  /// What is measured.
  public var kind: TargetKind
  /// The mean of the last seconds, rounded as it is spoken; nil while it is unknown.
  public var value: Double?
  /// The least value that is on target.
  public var low: Double
  /// The greatest value that is on target.
  public var high: Double
  /// How the value stands to it.
  public var position: TargetPosition
  /// What the coach says of it: "187, more power", "200, on target", "No heart rate".
  public var words = ""

  package init(_ live: TargetCoach.Live) {
    kind = live.kind
    value = live.value.map(live.kind.rounded)
    low = live.kind.rounded(live.range.lowerBound)
    high = live.kind.rounded(live.range.upperBound)
    position = live.position
  }
}
