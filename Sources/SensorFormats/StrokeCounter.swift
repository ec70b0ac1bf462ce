import Instants

/// Repetitions from a rower's counter of strokes, which wraps at 65 536 and begins again with each workout of the
/// machine.
struct StrokeCounter: Sendable {
  private static let gap = Duration.seconds(30)
  /// More strokes than this within the longest gap is a counter that was reset.
  private static let limit = 60

  private var last: (count: Int, instant: BootInstant)?

  /// Strokes since the last count. 0 for the first count, and after a gap or a reset: then it starts over.
  mutating func take(_ count: Int, at now: BootInstant) -> Int {
    defer { last = (count, now) }
    guard let last, now >= last.instant, now - last.instant <= Self.gap else { return 0 }
    let strokes = (count - last.count) & 0xFFFF
    return strokes <= Self.limit ? strokes : 0
  }
}
