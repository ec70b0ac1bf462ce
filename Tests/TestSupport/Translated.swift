import Foundation
import IntervalTimeline

/// What the program says in languages other than English.
package enum Translated {
  /// The patterns of each file, by its name.
  package static let files: [String: [String: String]] = {
    let folder = SourceTree.url("Sounds/phrases/messages")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.reduce(into: [:]) { files, name in
      let data = try? Data(contentsOf: folder.appendingPathComponent(name))
      files[name] = data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) }
    }
  }()

  /// Those of a sentence, and of the sentences in it, that a file has not and should have.
  package static func missing(_ sentence: Sentence) -> [String] {
    sentence.patterns.filter { pattern in
      let words = pattern.replacing(/\{[^}]*\}/, with: "")
      return words.contains { $0.isLetter } && !same.contains(pattern)
        && files.values.contains { $0[pattern] == nil }
    }
  }

  /// Words of files, which are the same in every language.
  private static let same: Set = [
    "phrases", "until", "key: value", "duration_value", "0x{}", "XML",
  ]
}
