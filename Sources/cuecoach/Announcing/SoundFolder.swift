import CueSound
import FoundationEssentials
import WorkoutFiles

/// A sound pack on disk: a folder of files that are named by what they tell.
struct SoundFolder {
  let name: String
  let path: String
  /// The pack's own sounds, in the order of the meanings.
  let files: [(meaning: SoundMeaning, path: String)]

  static let standardName = "default"

  /// What a file's name ends with; of several for one meaning the first is taken.
  private static let endings = ["wav", "flac", "ogg", "oga"]

  private init(name: String, path: String) {
    self.name = name
    self.path = path
    files = SoundMeaning.allCases.compactMap { meaning in
      Self.endings.lazy.map { "\(path)/\(meaning.rawValue).\($0)" }
        .first { FileManager.default.fileExists(atPath: $0) && !Installation.isFolder($0) }
        .map { (meaning, $0) }
    }
  }

  /// Where packs are: the user's own come before the installed.
  private static var places: [String] {
    [
      Installation.configuration.map { "\($0)/sounds" }, Installation.data.map { "\($0)/Sounds" },
    ].compactMap { $0 }
  }

  /// Every pack that a name finds, by name; of two with one name the one found first.
  static func all() -> [SoundFolder] {
    var found: [String: SoundFolder] = [:]
    for place in places {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      // The catalogues of phrases lie beside the installed packs.
      for name in names
      where !name.hasPrefix(".") && name != Catalogues.folder && found[name] == nil {
        guard Installation.isFolder("\(place)/\(name)") else { continue }
        found[name] = SoundFolder(name: name, path: "\(place)/\(name)")
      }
    }
    return found.values.sorted { $0.name < $1.name }
  }

  /// The user's own folder of that name and the installed one, as far as they are there.
  static func folders(of name: String) -> [SoundFolder] {
    places.map { "\($0)/\(name)" }.filter(Installation.isFolder)
      .map { SoundFolder(name: name, path: $0) }
  }

  /// The pack of that name, or in that folder.
  static func find(_ nameOrPath: String) throws(UserError) -> SoundFolder {
    guard !nameOrPath.contains("/") else { return try folder(at: nameOrPath) }
    let packs = all()
    if let pack = packs.first(where: { $0.name == nameOrPath }) { return pack }
    let names = packs.map(\.name)
    let near = Nearest.names(to: nameOrPath, among: names).first
    throw .usage(
      "there is no sound pack \"\(nameOrPath)\"; ".singleLine
        + (near.map { "did you mean \"\($0)\"? " } ?? "").singleLine
        + (names.isEmpty
          ? "none is installed" : "there are \(names.joined(separator: ", "))".singleLine))
  }

  private static func folder(at path: String) throws(UserError) -> SoundFolder {
    guard Installation.isFolder(path) else {
      throw .usage("there is no folder \(path), expected one with a sound pack".singleLine)
    }
    let url = URL(fileURLWithPath: path).standardizedFileURL
    let pack = SoundFolder(name: url.lastPathComponent, path: path)
    guard !pack.files.isEmpty else {
      let names = SoundMeaning.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage(
        "there is no sound in \(path), expected .wav, .flac or .ogg files named ".singleLine
          + "\(names)")
    }
    return pack
  }
}
