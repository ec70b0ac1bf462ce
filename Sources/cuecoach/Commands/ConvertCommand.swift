import ArgumentParser
import CueEngine
import ForeignWorkouts
import Glibc
import InstalledFiles
import SystemIO

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Convert a workout of another program, or a preset.",
    discussion: """
      Reads presets, Zwift's .zwo, .erg and .mrc, text of intervals.icu, JSON of JAWT and of OpenHIIT, \
      and FIT workouts. Writes a preset, or another format with --to: zwo, mrc, erg, intervals (text \
      of intervals.icu) or json (of JAWT). What cannot be kept is reported, once for each kind.

      Examples:
        cuecoach convert tabata --to zwo --output tabata.zwo
        cuecoach convert tabata
        cuecoach convert - --name ride.zwo < ride.zwo
      """)

  @Argument(
    help: "The path of a file, the name of a preset, or - for the standard input.",
    completion: Completions.presets)
  var file: String
  @Option(help: "The format to write.")
  var to: WorkoutWriter.Format = .yaml
  @Option(help: "The file to write; otherwise standard output.") var output: String?
  @Flag(help: "Replace an existing file.") var force = false
  @Option(help: "What the file is called that the standard input has.") var name: String?
  @Flag(
    help: """
      Print one JSON object with the text, or with the mistake. Nothing is opened then while the standard \
      input is read.
      """)
  var json = false
  @Option(
    help: "The language of what is said of the file, such as de; English where there is none.")
  var language: String?
  @OptionGroup var variant: VariantOptions

  func validate() throws {
    if json, output != nil { throw ValidationError("--json cannot be combined with --output") }
    if name != nil, file != PresetLibrary.standardInput {
      throw ValidationError("--name is for the standard input; expected the file -")
    }
  }

  func run() throws {
    // Nothing can be opened later.
    let patterns = language.map { Translations(in: context.folders).patterns(of: $0) } ?? [:]
    let (path, found): (String, WorkoutFile)
    do throws(InstallationError) {
      (path, found) = try read()
    } catch {
      guard json else { throw error }
      var object = JSONObject()
      object.add("error", error.sentence.text(in: patterns))
      throw ExitCode(Self.write(object) ? 2 : 1)
    }
    let written = WorkoutWriter(found.workout, as: to)
    let writtenOut = to == .yaml ? found.document.writtenOut : []
    let reports = (found.document.reports + writtenOut + written.sentences).map {
      $0.text(in: patterns)
    }
    if json {
      var object = JSONObject()
      object.add("text", written.text)
      object.add("reports", reports)
      guard Self.write(object) else { throw ExitCode(1) }
      return
    }
    if let output, output != OutputFiles.standardOutput {
      try OutputFiles.write(
        written.text, to: output, for: "--output", inputs: [path], force: force,
        isWorkout: true)
    } else {
      context.write(written.text)
    }
    context.complain(reports, about: path)
  }

  private func read() throws(InstallationError) -> (path: String, found: WorkoutFile) {
    let isInput = file == PresetLibrary.standardInput
    let presets =
      try isInput ? PresetLibrary(in: context.folders) : context.installation().presets
    let path = isInput ? file : try presets.path(of: file)
    let found = try presets.document(path: path, variant: variant.variant(), name: name) {
      // A process of others is not confined.
      guard json, context.ownsProcess else { return }
      XMLReader.load()
      if !Confinement.begin() {
        context.complain("the reader cannot be confined")
        // Nothing may be read now, and nothing is to be put in order.
        Glibc.exit(1)
      }
    }.file
    return (name ?? path, found)
  }

  /// Writes it also where this process can open nothing more, and so not poll. False where that fails.
  private static func write(_ object: JSONObject) -> Bool {
    Array("\(object.text)\n".utf8).withUnsafeBytes { Descriptor.write(context.output, $0) }
  }
}

extension WorkoutWriter.Format: ExpressibleByArgument {}
