/// How much is said: `quiet`, `counts`, `normal` and `full`, each with what the one before has.
public enum Density: String, CaseIterable, Hashable, Comparable, Codable, Sendable {
  /// Only sounds.
  case quiet
  /// Besides the sounds the countdown to the end of a set.
  case counts
  /// Besides what `counts` has: the next phase, halfway, the finish and the workout's own texts.
  case normal
  /// Besides what `normal` has: the remaining time each minute and the elapsed time at each set.
  case full

  public static func < (a: Density, b: Density) -> Bool { a.order < b.order }

  private var order: Int {
    switch self {
    case .quiet: 0
    case .counts: 1
    case .normal: 2
    case .full: 3
    }
  }
}
