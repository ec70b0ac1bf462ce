/// How much is said.
public enum Density: String, CaseIterable, Hashable, Comparable, Codable, Sendable {
  /// Sounds alone.
  case quiet
  /// The count to a set's end too.
  case counts
  /// What comes next, halfway, the finish and the workout's own texts too.
  case normal
  /// The time left each minute and the time elapsed at each set too.
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
