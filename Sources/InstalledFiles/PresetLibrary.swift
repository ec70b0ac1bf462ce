import ForeignWorkouts
import FoundationEssentials
import Glibc
import IntervalTimeline
import Presets

/// Finds presets by path or by name, and reads them.
public struct PresetLibrary: Sendable {
  /// A preset that can be started by name. Its file may still have a mistake.
  public struct Found: Hashable, Sendable {
    /// The file's name without its extension.
    public let name: String
    /// The folder by use in which it lies, such as "running"; nil outside of those.
    public let folder: String?
    /// The path of its file; relative where the folder's is.
    public let path: String
  }

  /// In place of a file's path: what somebody writes to this program.
  package static let standardInput = "-"

  private let candidates: [String]

  /// Looks in the folders on each call, so that a preset that was added meanwhile is found.
  package init(in folders: InstalledFolders) { candidates = folders.presets }

  /// The folders that are searched, for a message.
  package var searched: String { candidates.joined(separator: ", ") }

  private var folders: [String] {
    // In the source folder `./Presets` is also the folder of the installed presets.
    var seen: Set<String> = []
    return candidates.filter {
      InstalledFolders.isFolder($0)
        && seen.insert(URL(fileURLWithPath: $0).resolvingSymlinksInPath().path).inserted
    }
  }

  /// Every preset that can be found by name: those that lie in no folder by use, then folder by folder, each
  /// sorted by name.
  public func all() -> [Found] {
    var found: [String: Found] = [:]
    for root in folders {
      for (folder, path) in Self.places(in: root) {
        for file in Self.contents(of: path) {
          for suffix in [".yaml", ".yml"] where file.hasSuffix(suffix) {
            let name = String(file.dropLast(suffix.count))
            if found[name] == nil {
              found[name] = Found(name: name, folder: folder, path: "\(path)/\(file)")
            }
          }
        }
      }
    }
    return found.values.sorted { ($0.folder ?? "", $0.name) < ($1.folder ?? "", $1.name) }
  }

  /// A folder of presets itself and the folders in it, by name.
  private static func places(in root: String) -> [(folder: String?, path: String)] {
    [(nil, root)]
      + contents(of: root).map { (folder: $0, path: "\(root)/\($0)") }
      .filter { InstalledFolders.isFolder($0.path) }
  }

  /// Sorted; without hidden files, which are an editor's, or the user's own affair.
  private static func contents(of folder: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Reads the file of a preset, or of a workout of another program. Blocks on the disk.
  ///
  /// - Parameter variant: what the file leaves to the run; nil: the surprises of today, and the first group.
  public func timeline(
    path: String, variant: WorkoutVariant? = nil
  ) throws(InstallationError) -> Timeline {
    do throws(FileError) {
      let file = try WorkoutFile.read(path: path, variant: variant ?? .today())
      return Self.timeline(of: file.workout, path: path)
    } catch {
      throw InstallationError(error)
    }
  }

  /// The same with the line of each phase in the file, and with what of the file is not kept.
  ///
  /// - Parameters:
  ///   - path: that of the file, or `standardInput`.
  ///   - isNamed: the workout has the preset's name.
  ///   - name: what is called so is on the standard input.
  ///   - willParse: called when the standard input has been read.
  package func document(
    path: String, variant: WorkoutVariant? = nil, isNamed: Bool = false, name: String? = nil,
    willParse: () -> Void = {}
  ) throws(InstallationError) -> (file: WorkoutFile, timeline: Timeline) {
    do throws(FileError) {
      let variant = variant ?? .today()
      let file: WorkoutFile
      if path == Self.standardInput {
        let bytes = try FileBytes.ofStandardInput(expected: "a preset")
        willParse()
        file = try WorkoutFile.parse(bytes, file: name ?? path, variant: variant)
      } else {
        file = try WorkoutFile.read(path: path, variant: variant)
      }
      var workout = file.workout
      if isNamed { workout.preset = Self.name(ofFile: path) }
      return (file, Self.timeline(of: workout, path: path))
    } catch {
      throw InstallationError(error)
    }
  }

  /// The text of a preset's file. Blocks on the disk.
  package static func text(path: String) throws(InstallationError) -> String {
    do throws(FileError) {
      let bytes = try FileBytes.contents(ofFile: path, expected: "a preset file")
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      throw InstallationError(error)
    }
  }

  /// A workout that was read always compiles: the reader has checked it with its place.
  private static func timeline(of workout: Workout, path: String) -> Timeline {
    do throws(WorkoutError) {
      return try Timeline(workout)
    } catch {
      fatalError("\(path) was accepted and does not compile: \(error)")
    }
  }

  /// The name of the preset in that file.
  private static func name(ofFile path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return suffixes.first { file.hasSuffix($0) }.map { String(file.dropLast($0.count)) } ?? file
  }

  /// True for the name of a preset and for the path of an existing file.
  public func has(_ nameOrPath: String) -> Bool {
    (try? path(of: nameOrPath)).map(Self.isFile) ?? false
  }

  private static func isFile(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
  }

  /// What the names of files end in: presets, and the workouts of other programs.
  package static let suffixes = [".yaml", ".yml", ".zwo", ".erg", ".mrc", ".fit"]

  /// The path of a preset's file. An argument that is a path is returned unchanged.
  public func path(of nameOrPath: String) throws(InstallationError) -> String {
    let isPath = nameOrPath.contains("/") || Self.suffixes.contains { nameOrPath.hasSuffix($0) }
    if isPath { return nameOrPath }
    let presets = all()
    let isName = presets.contains { $0.name == nameOrPath }
    // A folder is reported as one.
    if !isName, access(nameOrPath, F_OK) == 0 { return nameOrPath }
    return try Self.path(ofName: nameOrPath, among: presets, "cuecoach presets")
  }

  /// The path of the preset of that name, which is never taken for a path. Case matters only if
  /// several names differ in nothing else.
  ///
  /// - Parameter lister: the command that lists them, for the message where there is none.
  package func path(
    ofName name: String, listedBy lister: String = "cuecoach presets"
  ) throws(InstallationError) -> String {
    try Self.path(ofName: name, among: all(), lister)
  }

  private static func path(
    ofName name: String, among presets: [Found], _ lister: String
  ) throws(InstallationError) -> String {
    if let preset = presets.first(where: { $0.name == name }) { return preset.path }
    let same = presets.filter { $0.name.lowercased() == name.lowercased() }
    if same.count == 1 { return same[0].path }
    let near =
      same.isEmpty ? Nearest.names(to: name, among: presets.map(\.name)) : same.map(\.name)
    let names = near.map { Sentence(verbatim: $0.quotedName) }
    let hint: Sentence =
      names.first.map { first in
        "did you mean \(names.dropFirst().reduce(first) { "\($0) or \($1)" })?"
      } ?? "\(lister) lists them"
    throw InstallationError(.preset, "there is no preset \(name.quotedName); \(hint)")
  }
}
