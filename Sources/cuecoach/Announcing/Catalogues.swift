import FoundationEssentials
import IntervalTimeline
import WorkoutFiles

/// What the coach says in each language: the installed catalogues, and the person's own.
enum Catalogues {
  static let defaultLanguage = "en"

  static let folder = "phrases"
  private static var installed: String? { Installation.data.map { "\($0)/Sounds/\(folder)" } }
  private static var own: String? { Installation.configuration.map { "\($0)/\(folder)" } }

  /// Every language that can be spoken.
  static var languages: [String] {
    let files = [installed, own].compactMap { $0 }.flatMap {
      (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
    }
    let names = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    return Set(names + [defaultLanguage]).sorted()
  }

  /// The catalogue of `language`, of its own or of the language without its country; nil where
  /// there is none. A catalogue with a mistake is an error that names the place.
  static func load(_ language: String) throws(UserError) -> PhraseCatalogue? {
    let base = language.split(separator: "-").first.map(String.init) ?? language
    for name in language == base ? [base] : [language, base] {
      if let catalogue = try catalogue(name) { return catalogue }
    }
    return nil
  }

  private static func catalogue(_ name: String) throws(UserError) -> PhraseCatalogue? {
    func path(_ folder: String?) -> String? {
      let files = FileManager.default
      // The attributes are those of a link itself: one that leads nowhere is a mistake.
      return folder.map { "\($0)/\(name).yaml" }.flatMap {
        files.fileExists(atPath: $0) || (try? files.attributesOfItem(atPath: $0)) != nil ? $0 : nil
      }
    }
    do throws(FileError) {
      var catalogue: PhraseCatalogue?
      if let file = path(installed) {
        catalogue = try PhraseFile.read(path: file)
      } else if name == defaultLanguage {
        catalogue = .english
      }
      guard let file = path(own) else { return catalogue }
      if let catalogue { return try PhraseFile.read(path: file, over: catalogue) }
      return try PhraseFile.read(path: file)
    } catch {
      throw .file(error.description)
    }
  }
}
