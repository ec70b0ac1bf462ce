import CueSound
import FoundationEssentials

/// A sound pack on disk: a folder of files, each named after what it means.
public struct SoundFolder: Sendable {
  /// The folder's name, by which the pack is chosen.
  public let name: String
  /// Where it lies; relative where the path that led to it is.
  public let path: String
  /// The pack's own sounds, in the order of the meanings.
  package let files: [(meaning: SoundRole, path: String)]

  /// The extensions of sound files, in the order of precedence.
  private static let endings = ["wav", "flac", "ogg", "oga"]

  init(name: String, path: String) {
    self.name = name
    self.path = path
    files = SoundRole.allCases.compactMap { meaning in
      Self.endings.lazy.map { "\(path)/\(meaning.rawValue).\($0)" }
        .first { FileManager.default.fileExists(atPath: $0) && !InstalledFolders.isFolder($0) }
        .map { (meaning, $0) }
    }
  }
}
