import FoundationEssentials
import IntervalTimeline
import Phrases
import Presets

/// The phrases of each language: the installed catalogues and the user's own.
public struct Catalogues: Sendable {
  /// Of a workout for which no language is chosen; it always has a catalogue.
  package static let defaultLanguage = "en"

  static let folder = "phrases"
  private let installed: String?
  private let own: String?

  /// Looks in the folders on each call, so that a catalogue that was added meanwhile is found.
  package init(in folders: InstalledFolders) {
    installed = folders.data.map { "\($0)/Sounds/\(Self.folder)" }
    own = folders.configuration.map { "\($0)/\(Self.folder)" }
  }

  /// Every language that has a catalogue.
  public var languages: [String] {
    let files = [installed, own].compactMap { $0 }.flatMap {
      (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
    }
    let names = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
      .filter { LanguageTag($0)?.text == $0 }
    return Set(names + [Self.defaultLanguage]).sorted()
  }

  /// The catalogue of `language`, or of the language without its country; nil if there is none, or if the
  /// text is no language tag: no file outside the folders is looked at. A mistake in a catalogue is an
  /// error with its place.
  public func load(_ language: String) throws(InstallationError) -> PhraseCatalogue? {
    guard let language = LanguageTag(language)?.text else { return nil }
    let base = language.split(separator: "-").first.map(String.init) ?? language
    for name in language == base ? [base] : [language, base] {
      if let catalogue = try catalogue(name) { return catalogue }
    }
    return nil
  }

  private func catalogue(_ name: String) throws(InstallationError) -> PhraseCatalogue? {
    func path(_ folder: String?) -> String? {
      let files = FileManager.default
      // A link that leads nowhere has attributes too: reading it then reports the mistake.
      return folder.map { "\($0)/\(name).yaml" }.flatMap {
        files.fileExists(atPath: $0) || (try? files.attributesOfItem(atPath: $0)) != nil ? $0 : nil
      }
    }
    do throws(FileError) {
      var catalogue: PhraseCatalogue?
      if let file = path(installed) {
        catalogue = try PhraseFile.read(path: file)
      } else if name == Self.defaultLanguage {
        catalogue = .english
      }
      guard let file = path(own) else { return catalogue }
      return try PhraseFile.read(path: file, over: catalogue)
    } catch {
      throw InstallationError(error)
    }
  }
}
