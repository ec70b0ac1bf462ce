import Glibc
import Phrases
import Presets
import SystemIO
import SystemdLink

/// The texts of notifications, each language read when it is first needed.
final class DesktopWords {
  private let catalogues: CatalogueFolders
  private let log: ServiceLog
  private var languages: [String: PhraseCatalogue] = [:]
  private static let most = 2

  init(_ catalogues: CatalogueFolders, _ log: ServiceLog) {
    (self.catalogues, self.log) = (catalogues, log)
  }

  /// English where there is no other.
  func phrases(_ language: String) -> PhraseCatalogue {
    if let known = languages[language] { return known }
    var phrases: PhraseCatalogue?
    do throws(FileError) {
      phrases = try catalogues.load(language)
    } catch {
      log.log(.warning, error.description)
    }
    if languages.count >= Self.most { languages = [:] }
    // What is spoken is not shown, and takes the most memory.
    phrases?.words = [:]
    phrases?.phrases = [:]
    languages[language] = phrases ?? .english
    return languages[language] ?? .english
  }

  /// The picture beside each notification; a name that no theme has where the page's is not installed.
  let icon: String =
    Programs.homes.map { "\($0.folder)/Page/icon.svg" }.first { access($0, R_OK) == 0 }
    ?? "cuecoach"
}
