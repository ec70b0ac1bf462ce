import ArgumentParser
import CueEngine
import CueSound
import IntervalTimeline
import WorkoutFiles

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check presets for mistakes.",
    discussion: """
      Lays out every announcement as a run does, and lists each one that is moved, shortened, spoken
      faster or left out for lack of room, with its line in the file. These are not mistakes.

      Examples:
        cuecoach check tabata
        cuecoach check Presets/*.yaml
      """)

  @Argument(help: "The paths or names of the presets.") var presets: [String]
  @Flag(help: "Print one JSON object per preset.") var json = false
  @OptionGroup var speech: SpeechOptions

  func run() throws {
    let choice = try SpeechChoice(speech, OutputChoice.configuration())
    // Checked first, so that an error in an option or a catalogue is not reported for a preset.
    let anyWorkout = Workout(name: "", blocks: [])
    _ = try choice.style(of: anyWorkout) { _ in }
    _ = try choice.sounds(of: anyWorkout) { _ in }
    let library = Speech.library(isHeard: false) { Console.complain($0) }
    defer { library?.saveCache() }
    var isRight = true
    for preset in presets {
      var object = JSONObject()
      let file: String
      do throws(UserError) {
        file = try PresetLibrary.find(preset)
      } catch {
        isRight = false
        object.add("file", preset)
        object.add("error", error.message)
        json ? Console.print(object.text) : Console.complain(error)
        continue
      }
      object.add("file", file)
      var check: PresetCheck?
      do throws(FileError) {
        let document = try PresetFile.document(path: file)
        let timeline = try PresetLibrary.timeline(of: document.workout, path: file)
        check = PresetCheck(document, timeline, file: file)
        object.add("preset", timeline.workout.name)
        object.add("phases", timeline.count)
        object.add("length", seconds: timeline.length)
        if !json {
          Console.print(
            "\(file.singleLine): correct: \(timeline.workout.name.shownName), \(timeline.count) phase\(timeline.count == 1 ? "" : "s"), "
              + (timeline.length?.clockText ?? "open-ended"))
        }
      } catch {
        isRight = false
        object.add("error", error.description)
        if !json { Console.complain(.file(error.description)) }
      }
      if let check { try tellDecisions(check, choice, library, into: &object) }
      if json { Console.print(object.text) }
    }
    if !isRight { throw ExitCode(2) }
  }

  private func tellDecisions(
    _ check: PresetCheck, _ choice: SpeechChoice, _ library: SpeechLibrary?,
    into object: inout JSONObject
  ) throws {
    var check = check
    _ = try choice.sounds(of: check.timeline.workout) { check.warn($0) }
    var style = try choice.style(of: check.timeline.workout) { check.warn($0) }
    // There are no commands to confirm, except the end of an open phase.
    style.acknowledged = []
    check.noteOpenPhases(style.phrases)
    if let library { check.layOut(style, library) }
    object.add("warnings", check.decisions.map(\.json))
    guard !json else { return }
    Console.printSentences(check.decisions.map(\.line))
  }
}
