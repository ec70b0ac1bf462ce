import FoundationEssentials
import Glibc
import IntervalTimeline
import WorkoutFiles

/// Finds presets by path or by name: in ./Presets, the user's own, then the installed ones.
enum PresetLibrary {
  struct Found {
    let name: String
    let path: String
  }

  private static var candidates: [String] {
    [
      "Presets", Installation.configuration.map { "\($0)/presets" },
      Installation.data.map { "\($0)/Presets" },
    ].compactMap { $0 }
  }

  /// Where presets are looked for, for a message.
  static var searched: String { candidates.joined(separator: ", ") }

  static var folders: [String] {
    // ./Presets and the installed ones are the same folder where the program was built.
    var seen: Set<String> = []
    return candidates.filter {
      Installation.isFolder($0)
        && seen.insert(URL(fileURLWithPath: $0).resolvingSymlinksInPath().path).inserted
    }
  }

  /// Every preset that a name finds, by name; of two with one name the one found first.
  static func all() -> [Found] {
    var found: [String: Found] = [:]
    for folder in folders {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for file in files.sorted() {
        for suffix in [".yaml", ".yml"] where file.hasSuffix(suffix) {
          let name = String(file.dropLast(suffix.count))
          if found[name] == nil { found[name] = Found(name: name, path: "\(folder)/\(file)") }
        }
      }
    }
    return found.values.sorted { $0.name < $1.name }
  }

  /// The preset and its timeline.
  static func load(_ nameOrPath: String) throws(UserError) -> Timeline {
    try load(path: find(nameOrPath))
  }

  static func load(path: String) throws(UserError) -> Timeline {
    do throws(FileError) {
      return try timeline(of: PresetFile.read(path: path), path: path)
    } catch {
      throw .file(error.description)
    }
  }

  /// A workout that was read always compiles: the reader has checked it with its place.
  static func timeline(of workout: Workout, path: String) throws(FileError) -> Timeline {
    do throws(WorkoutError) {
      return try Timeline(workout)
    } catch {
      preconditionFailure("\(path) was accepted and does not compile: \(error)")
    }
  }

  /// True for a preset's name and for the path of a file that is there.
  static func has(_ nameOrPath: String) -> Bool {
    guard let path = try? find(nameOrPath) else { return false }
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
  }

  /// The path of a preset's file; one that is given as a path need not be there. Capitals do not
  /// matter in a name that is unlike every other without them.
  static func find(_ nameOrPath: String) throws(UserError) -> String {
    let isPath =
      nameOrPath.contains("/") || nameOrPath.hasSuffix(".yaml") || nameOrPath.hasSuffix(".yml")
    if isPath { return nameOrPath }
    let presets = all()
    if let preset = presets.first(where: { $0.name == nameOrPath }) { return preset.path }
    var info = stat()
    if stat(nameOrPath, &info) == 0, info.st_mode & S_IFMT == S_IFREG { return nameOrPath }
    let same = presets.filter { $0.name.lowercased() == nameOrPath.lowercased() }
    if same.count == 1 { return same[0].path }
    let near =
      same.isEmpty
      ? Nearest.names(to: nameOrPath, among: presets.map(\.name)) : same.map(\.name)
    let names = near.map { "\"\($0.shownName)\"" }.joined(separator: " or ")
    let hint = names.isEmpty ? "cuecoach presets lists them" : "did you mean \(names)?"
    throw .usage("there is no preset \"\(nameOrPath.shownName)\"; \(hint)")
  }
}
