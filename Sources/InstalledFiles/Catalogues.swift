import FoundationEssentials
import IntervalTimeline
import Phrases
import Presets

/// The phrases of each language: the installed catalogues and the user's own.
public struct Catalogues: Sendable {
  /// Of a workout for which no language is chosen; it always has a catalogue.
  package static let defaultLanguage = CatalogueFolders.defaultLanguage

  static let folder = CatalogueFolders.name
  private let folders: CatalogueFolders

  /// Looks in the folders on each call, so that a catalogue that was added meanwhile is found.
  package init(in folders: InstalledFolders) {
    self.folders = CatalogueFolders(data: folders.data, configuration: folders.configuration)
  }

  /// Every language that has a catalogue.
  public var languages: [String] {
    let files = [folders.installed, folders.own].compactMap { $0 }.flatMap {
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
    do throws(FileError) {
      return try folders.load(language)
    } catch {
      throw InstallationError(error)
    }
  }
}
