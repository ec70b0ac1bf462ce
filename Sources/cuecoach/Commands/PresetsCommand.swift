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
    let width = presets.map(\.name.count).max() ?? 0
    for preset in presets {
      var object = JSONObject()
      object.add("name", preset.name)
      object.add("path", preset.path)
      let description: String
      do throws(InstallationError) {
        let timeline = try library.timeline(path: preset.path)
        object.add("preset", timeline.workout.name)
        object.add("length", seconds: timeline.length)
        description = "\(timeline.lengthText ?? "open")  \(timeline.workout.name.shownName)"
      } catch {
        object.add("error", error.description)
        description = error.description
      }
      let padding = String(repeating: " ", count: width - preset.name.count)
      if json {
        Console.print(object.text)
      } else {
        Console.printSentences(["\(preset.name)\(padding)  \(description)"])
      }
    }
    if presets.isEmpty, !json {
      Console.complain("no presets found; cuecoach looks in \(library.searched)")
    }
  }
}
