import ArgumentParser
import CoachHost
import ForeignWorkouts
import Glibc
import IntervalTimeline
import Presets

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run one or more workouts aloud.",
    discussion: """
      A preset is a path, or a name that is looked up in ./Presets, in \
      $XDG_CONFIG_HOME/cuecoach/presets and among the installed presets. Several presets run side \
      by side, each under its own name.

      Keys: space pause or resume, n next, b back, r count a repetition, s end a phase that waits \
      for a signal, w where am I, q twice stop; with several workouts, 1-9 choose one and 0 \
      chooses all.

      Examples:
        cuecoach run tabata
        cuecoach run anna=tabata ben=presets/pomodoro.yaml
        cuecoach run boxing --device plughw:CARD=Device --volume 80
        cuecoach run threshold-2x20 --ftp 250 --with yesterday.fit
        cuecoach run red=class blue=class --group 1 --group 2
        cuecoach run emom --no-sound --record emom.wav --ledger emom.jsonl
      """)

  @Argument(help: "The path or name of a preset, or NAME=PRESET.", completion: Completions.presets)
  var presets: [String]
  @Option(
    help:
      "What to do with an interrupted session of the same name and workout."
  )
  var resume: ResumePolicy?
  @Flag(
    help: "Open the control socket, so that cuecoach ctl and the page show and command this run.")
  var control = false
  @OptionGroup var sensors: ReadingsOptions
  @OptionGroup var variant: VariantsOptions
  @OptionGroup var files: RunFiles
  @OptionGroup var speech: SpeechOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    var warnings: [String] = []
    let installed = try context.installation()
    let configuration = installed.configuration
    let choice = try output.choice(configuration, hasSound: !files.noSound) { warnings.append($0) }
    // An error in an option is reported before the preset is searched for.
    let style = try speech.style()
    let readings = try sensors.readings(of: presets.count) { warnings.append($0) }
    let arguments = try LaneArgument.parse(
      presets, style, installed, variant: variant.variant)
    warnings += arguments.flatMap {
      $0.requested.reports + $0.requested.timeline.workout.ownNotes
    }
    warnings += sensors.unused(readings, in: arguments.map(\.requested.timeline))
    let repository = SessionFolder.openForRun { warnings.append($0) }
    var rules = Resumption.Rules(configuration.sessions)
    rules.policy = resume
    if context.canAsk { rules.ask = { try ResumePrompt($0, installed).ask() } }
    var resumption = repository.map { repository in
      Resumption(repository, rules) { warnings += $0.lines(installed) }
    }
    let lanes = try arguments.map { argument in
      let new = OpenedWorkout(
        argument.name, argument.requested.timeline, order: argument.requested.order)
      return try UserError.wrapping { try resumption?.lane(argument.name, for: new) } ?? new
    }
    if let failure = resumption?.readFailure {
      warnings.append("what was interrupted is not known: \(failure)")
    }
    let options = RunOptions(
      lanes: lanes, installed: installed, output: choice, files: files,
      inputs: arguments.map(\.requested.path) + sensors.with,
      sessions: configuration.sessions, repository: repository, hasControl: control,
      readings: readings)
    let session = try RunSession(options, warnings: warnings)
    for warning in resumption?.endSessions() ?? [] { session.warn(warning) }
    throw ExitCode(session.run())
  }
}

extension ResumePolicy: ExpressibleByArgument {}
