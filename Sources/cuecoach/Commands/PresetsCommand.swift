import ArgumentParser
import CueEngine
import InstalledFiles
import IntervalTimeline

struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "List the presets that can be run by name.")

  @Flag(help: "Print one JSON object per preset.") var json = false

  func run() throws {
    let library = PresetLibrary(in: ThisUser.folders)
    let presets = library.all()
    var list = PresetList(names: presets.map(\.name))
    for preset in presets {
      var object = JSONObject()
      object.add("name", preset.name)
      object.add("folder", preset.folder)
      object.add("path", preset.path)
      let description: String
      do throws(InstallationError) {
        let timeline = try library.timeline(path: preset.path)
        object.add("preset", timeline.workout.name)
        object.add("length", seconds: timeline.length)
        if let about = timeline.aboutLength { object.add("about", seconds: about) }
        description = "\(timeline.lengthText ?? "open")  \(timeline.workout.name.shownName)"
      } catch {
        object.add("error", error.description)
        description = error.description
      }
      if json {
        Console.print(object.text)
      } else {
        Console.printSentences(list.lines(preset.name, in: preset.folder, description))
      }
    }
    if presets.isEmpty, !json {
      Console.complain("no presets found; cuecoach looks in \(library.searched)")
    }
  }
}

/// The lines of a list of presets, folder by folder.
struct PresetList {
  private let width: Int
  private var folder: String?

  init(names: [String]) { width = names.map { TextTable.width($0) }.max() ?? 0 }

  /// The line of a preset; before the first of a folder the folder's own.
  mutating func lines(_ name: String, in folder: String?, _ description: String) -> [String] {
    let heading = folder == self.folder ? nil : folder.map { "\($0):" }
    self.folder = folder
    let padding = String(repeating: " ", count: width - TextTable.width(name))
    let indent = folder == nil ? "" : "  "
    return [heading, "\(indent)\(name)\(padding)  \(description)"].compactMap { $0 }
  }
}
