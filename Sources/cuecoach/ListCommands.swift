import ArgumentParser
import CueEngine
import CueSound
import EspeakSpeech
import IntervalTimeline
import WorkoutFiles

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Say whether preset files are right, and where not.",
    discussion: "Example:\n  cuecoach check Presets/*.yaml")

  @Argument(help: "Preset files.") var files: [String]
  @Flag(help: "One JSON object for each file.") var json = false

  func run() throws {
    var isRight = true
    for file in files {
      var object = JSONObject()
      object.add("file", file)
      do throws(FileError) {
        let timeline = try PresetLibrary.timeline(of: PresetFile.read(path: file), path: file)
        object.add("preset", timeline.workout.name)
        object.add("phases", timeline.count)
        object.add("length", seconds: timeline.length)
        if !json {
          Console.print(
            "\(file.singleLine): right: \(timeline.workout.name), \(timeline.count) phase\(timeline.count == 1 ? "" : "s"), "
              + (timeline.length?.clockText ?? "open-ended"))
        }
      } catch {
        isRight = false
        object.add("error", error.description)
        if !json { Console.complain(.file(error.description)) }
      }
      if json { Console.print(object.text) }
    }
    if !isRight { throw ExitCode(2) }
  }
}

struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "List the presets that can be run by name.")

  @Flag(help: "One JSON object for each preset.") var json = false

  func run() throws {
    let presets = PresetLibrary.all()
    let width = presets.map(\.name.count).max() ?? 0
    for preset in presets {
      var object = JSONObject()
      object.add("name", preset.name)
      object.add("path", preset.path)
      let description: String
      do throws(FileError) {
        let timeline = try PresetLibrary.timeline(
          of: PresetFile.read(path: preset.path), path: preset.path)
        object.add("preset", timeline.workout.name)
        object.add("length", seconds: timeline.length)
        description = "\(timeline.length?.clockText ?? "open")  \(timeline.workout.name)"
      } catch {
        object.add("error", error.description)
        description = error.description
      }
      let padding = String(repeating: " ", count: width - preset.name.count)
      Console.print(json ? object.text : "\(preset.name)\(padding)  \(description)")
    }
    if presets.isEmpty, !json {
      Console.complain("no presets found; cuecoach looks in \(PresetLibrary.searched)")
    }
  }
}

struct VoicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "voices", abstract: "List the voices that can speak.")

  @Flag(help: "One JSON object for each voice.") var json = false

  func run() throws {
    do throws(SpeechError) {
      for voice in try EspeakSynthesizer().voices() {
        var object = JSONObject()
        object.add("voice", voice.language)
        object.add("name", voice.name)
        Console.print(json ? object.text : "\(voice.language)  (\(voice.name))")
      }
    } catch {
      throw UserError.failed("\(error.detail.singleLine); is espeak-ng-data installed?")
    }
  }
}
