import IntervalTimeline
import Phrases

/// Kinds of phase by the names that other programs' files give them.
enum KindName {
  /// The coach's English name of the kind.
  static func of(_ kind: PhaseKind) -> String {
    PhraseCatalogue.english.phases[kind] ?? kind.rawValue
  }

  /// The kind that a name stands for by itself; nil for the name of an exercise.
  static func kind(_ name: String) -> PhaseKind? {
    let letters = letters(of: name)
    if let kind = PhaseKind.allCases.first(where: { $0.rawValue == letters }) { return kind }
    switch letters {
    case "getready", "ready", "preparation", "countdown": return .prepare
    case "break", "pause": return .rest
    case "recover", "easy": return .recovery
    default: return nil
    }
  }

  /// The name without one that says only the kind.
  static func name(_ name: String?, beside kind: PhaseKind) -> String? {
    guard let name, letters(of: name) != letters(of: of(kind)) else { return nil }
    return name
  }

  private static func letters(of name: String) -> String {
    String(name.lowercased().filter(\.isLetter))
  }
}
