import CueEngine
import CueSound
import FoundationEssentials
import IntervalTimeline
import Presets
import SoundFiles

/// The sound packs of the user and the installed ones. The user's take precedence.
public struct SoundLibrary: Sendable {
  /// The name of the default pack, from which come the sounds that another lacks.
  package static let standardName = "default"

  private let places: [String]

  /// Looks in the folders on each call, so that a pack that was added meanwhile is found.
  package init(in folders: InstalledFolders) { places = folders.sounds }

  /// The default pack.
  public func pack(warn: (String) -> Void) -> SoundPack { read(report: { warn($0.text) }) }

  func read(report: (Sentence) -> Void) -> SoundPack {
    pack(from: folders(of: Self.standardName), report)
  }

  /// The pack of that name or in that folder (with a "/"). Sounds that it lacks come from the
  /// default pack, then from the built-in sounds. A damaged file is replaced in the same way, with a
  /// warning: another beep is better than none.
  public func pack(
    named nameOrPath: String, warn: (String) -> Void
  ) throws(InstallationError) -> SoundPack {
    try read(named: nameOrPath, report: { warn($0.text) })
  }

  func read(
    named nameOrPath: String, report: (Sentence) -> Void
  ) throws(InstallationError) -> SoundPack {
    pack(from: [try find(nameOrPath)] + folders(of: Self.standardName), report)
  }

  private func pack(from folders: [SoundFolder], _ report: (Sentence) -> Void) -> SoundPack {
    var clips: [SoundRole: PCMClip] = [:]
    var read: Set<String> = []
    for folder in folders {
      for (meaning, path) in folder.files where clips[meaning] == nil && read.insert(path).inserted
      {
        do throws(SoundFileError) {
          clips[meaning] = try SoundFile.read(path, rate: SampleRate.standard)
        } catch {
          report("\(path.singleLine) is not used: \(error.detail.singleLine)")
        }
      }
    }
    return SoundPack(rate: SampleRate.standard, replacing: clips)
  }

  /// Every pack that can be found by name, sorted by name.
  public func all() -> [SoundFolder] {
    var found: [String: SoundFolder] = [:]
    for place in places {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      // The catalogues of phrases lie beside the installed packs.
      for name in names
      where !name.hasPrefix(".") && name != Catalogues.folder && found[name] == nil {
        guard InstalledFolders.isFolder("\(place)/\(name)") else { continue }
        found[name] = SoundFolder(name: name, path: "\(place)/\(name)")
      }
    }
    return found.values.sorted { $0.name < $1.name }
  }

  /// The user's folder of that name and the installed one, if they exist.
  private func folders(of name: String) -> [SoundFolder] {
    places.map { "\($0)/\(name)" }.filter(InstalledFolders.isFolder)
      .map { SoundFolder(name: name, path: $0) }
  }

  /// The pack of that name, or in that folder.
  package func find(_ nameOrPath: String) throws(InstallationError) -> SoundFolder {
    guard !nameOrPath.contains("/") else { return try Self.folder(at: nameOrPath) }
    let packs = all()
    if let pack = packs.first(where: { $0.name == nameOrPath }) { return pack }
    let names = packs.map(\.name)
    let near = Nearest.names(to: nameOrPath, among: names).first
    let all: Sentence =
      names.isEmpty ? "none is installed" : "there are \(names.joined(separator: ", "))"
    let advice = near.map { "did you mean \"\($0)\"? \(all)" } ?? all
    throw InstallationError(
      .sounds, "there is no sound pack \"\(nameOrPath.singleLine)\"; \(advice)")
  }

  private static func folder(at path: String) throws(InstallationError) -> SoundFolder {
    guard InstalledFolders.isFolder(path) else {
      throw InstallationError(
        .sounds, "there is no folder \(path.singleLine), expected one with a sound pack")
    }
    let url = URL(fileURLWithPath: path).standardizedFileURL
    let pack = SoundFolder(name: url.lastPathComponent, path: path)
    guard !pack.files.isEmpty else {
      let names = SoundRole.allCases.map(\.rawValue).joined(separator: ", ")
      throw InstallationError(
        .sounds,
        "there is no sound in \(path.singleLine), expected .wav, .flac or .ogg files named \(names)"
      )
    }
    return pack
  }
}
