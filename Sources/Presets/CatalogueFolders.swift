import Glibc
import IntervalTimeline
import Phrases

/// Catalogues as files: those of an installation, and the user's own, which take precedence text by text.
package struct CatalogueFolders: Sendable {
  /// Of a workout for which no language is chosen; it always has a catalogue.
  package static let defaultLanguage = "en"
  package static let name = "phrases"

  package let installed: String?
  package let own: String?

  /// - Parameters:
  ///   - data: the folder that has `Sounds`.
  ///   - configuration: the user's.
  package init(data: String?, configuration: String?) {
    installed = data.map { "\($0)/Sounds/\(Self.name)" }
    own = configuration.map { "\($0)/\(Self.name)" }
  }

  /// The catalogue of `language`, or of the language without its country; nil if there is none, or if the
  /// text is no language tag: no file outside the folders is looked at. A mistake in a catalogue is an
  /// error with its place.
  package func load(_ language: String) throws(FileError) -> PhraseCatalogue? {
    guard let language = LanguageTag(language)?.text else { return nil }
    let base = language.split(separator: "-").first.map(String.init) ?? language
    for name in language == base ? [base] : [language, base] {
      if let catalogue = try catalogue(name) { return catalogue }
    }
    return nil
  }

  private func catalogue(_ name: String) throws(FileError) -> PhraseCatalogue? {
    func path(_ folder: String?) -> String? {
      guard let path = folder.map({ "\($0)/\(name).yaml" }) else { return nil }
      // A link that leads nowhere is there too: reading it then reports the mistake.
      var status = stat()
      return lstat(path, &status) == 0 ? path : nil
    }
    var catalogue: PhraseCatalogue?
    if let file = path(installed) {
      catalogue = try PhraseFile.read(path: file)
    } else if name == Self.defaultLanguage {
      catalogue = .english
    }
    guard let file = path(own) else { return catalogue }
    return try PhraseFile.read(path: file, over: catalogue)
  }
}
