import FoundationEssentials
import Glibc
import IntervalTimeline
import Synchronization

/// What the program says to people beside a workout, in languages other than English: `phrases/messages` beside the
/// installed sounds has a file for each, a JSON object of patterns by those of English.
package final class Translations: Sendable {
  private let folder: String?
  private let known = Mutex<[String: [String: String]]>([:])

  package init(in folders: InstalledFolders) {
    folder = folders.data.map { "\($0)/Sounds/\(Catalogues.folder)/messages" }
  }

  /// For `Sentence.text(in:)`, of a language whatever its country; empty where there is no such file, or it has a mistake.
  /// Blocks on the disk, once for each language.
  package func patterns(of language: String) -> [String: String] {
    guard let folder, let tag = LanguageTag(language)?.text else { return [:] }
    let base = tag.prefix { $0 != "-" }
    return known.withLock { known in
      if let patterns = known[String(base)] { return patterns }
      let file = FileManager.default.contents(atPath: "\(folder)/\(base).json")
      let patterns = file.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) }
      // A client chooses the language: only those that are there take room.
      if let patterns { known[String(base)] = patterns }
      return patterns ?? [:]
    }
  }
}

extension Sentence {
  /// The system's words for an error. The usual ones are translated.
  package static func ofSystem(_ code: Int32) -> Sentence {
    Sentence(stringLiteral: String(cString: strerror(code)))
  }
}
