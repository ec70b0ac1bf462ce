import ArgumentParser
import ForeignWorkouts
import InstalledFiles

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
      """)

  @Argument(help: "The path of a file, or the name of a preset.", completion: Completions.presets)
  var file: String
  @Option(help: "The format to write.")
  var to: WorkoutWriter.Format = .yaml
  @Option(help: "The file to write; otherwise standard output.") var output: String?
  @Flag(help: "Replace an existing file.") var force = false
  @OptionGroup var variant: VariantOptions

  func run() throws {
    let installed = try UserPaths.installation()
    let path = try installed.presets.path(of: file)
    let found = try installed.presets.document(path: path, variant: variant.variant()).file
    let written = WorkoutWriter(found.workout, as: to)
    if let output, output != OutputFiles.standardOutput {
      try OutputFiles.write(
        written.text, to: output, for: "--output", inputs: [path], force: force,
        isWorkout: true)
    } else {
      Console.write(written.text)
    }
    let writtenOut = to == .yaml ? found.document.writtenOut : []
    Console.complain(found.reports + writtenOut + written.reports, about: path)
  }
}

extension WorkoutWriter.Format: ExpressibleByArgument {}
