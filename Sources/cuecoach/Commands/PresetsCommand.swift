import ArgumentParser
import CueEngine
import InstalledFiles
import IntervalTimeline

struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "List the presets that can be run by name.",
    discussion: """
      With words, lists the presets in which each of them stands: in the name, the description, for whom it is, the \
      source or the tags. Tags of the shipped presets are sports such as running, kinds such as intervals, the lengths \
      short, medium and long, and the levels beginner, everyone and trained.

      Examples:
        cuecoach presets
        cuecoach presets norwegian
        cuecoach presets --tag running --tag beginner
      """)

  @Argument(help: "Words to search for.") var words: [String] = []
  @Option(help: "Only presets with this tag; may be repeated.") var tag: [String] = []
  @Flag(help: "Print one JSON object per preset.") var json = false

  func validate() throws {
    if let wrong = tag.first(where: { !WorkoutFacts.isTag($0) }) {
      throw ValidationError(
        "--tag \(wrong.quotedName): expected 1 to 30 of a-z, 0-9 and hyphens")
    }
  }

  func run() throws {
    let library = PresetLibrary(in: context.folders)
    let presets = library.all()
    var list = PresetList(names: presets.map(\.name))
    var isFound = false
    for preset in presets {
      var object = JSONObject()
      object.add("name", preset.name)
      object.add("folder", preset.folder)
      object.add("path", preset.path)
      let about: String
      var facts = WorkoutFacts()
      var names = [preset.name, preset.folder ?? ""]
      do throws(InstallationError) {
        let timeline = try library.timeline(path: preset.path)
        object.add("preset", timeline.workout.name)
        object.add("length", seconds: timeline.length)
        if let about = timeline.aboutLength { object.add("about", seconds: about) }
        facts = timeline.workout.facts
        facts.add(to: &object)
        names.append(timeline.workout.name)
        about = "\(timeline.lengthText ?? "open")  \(timeline.workout.name.shownName)"
      } catch {
        object.add("error", error.description)
        about = error.description
      }
      guard Set(tag).isSubset(of: facts.tags), facts.match(words, in: names) else { continue }
      isFound = true
      if json {
        context.print(object.text)
      } else {
        context.printSentences(
          list.lines(preset.name, in: preset.folder, about, facts.description))
      }
    }
    if !isFound, !json {
      context.complain(
        presets.isEmpty
          ? "no presets found; cuecoach looks in \(library.searched)"
          : "none of the \(presets.count) presets matches")
    }
  }
}

/// The lines of a list of presets, folder by folder.
struct PresetList {
  private let width: Int
  private var folder: String?

  init(names: [String]) { width = names.map { TextTable.width($0) }.max() ?? 0 }

  /// The line of a preset and that of its description; before the first of a folder the folder's own.
  mutating func lines(
    _ name: String, in folder: String?, _ about: String, _ description: String?
  ) -> [String] {
    let heading = folder == self.folder ? nil : folder.map { "\($0):" }
    self.folder = folder
    let padding = String(repeating: " ", count: width - TextTable.width(name))
    let indent = folder == nil ? "" : "  "
    let line = "\(indent)\(name)\(padding)  \(about)"
    return [heading, line, description.map { "\(indent)    \($0)" }].compactMap { $0 }
  }
}
