import ArgumentParser
import Glibc
import IntervalTimeline
import WorkoutFiles

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run one or more workouts aloud.",
    discussion: """
      A preset is a path or a name, looked up in ./Presets, $XDG_CONFIG_HOME/cuecoach/presets and
      the installed ones. Several presets run side by side, each under a name of its own.

      Keys: space pause or go on, n next, b back, w where am I, q stop; with several workouts 1-9 choose one,
      0 all.

      Examples:
        cuecoach run tabata
        cuecoach run anna=tabata ben=presets/pomodoro.yaml
        cuecoach run boxing --device plughw:CARD=Device --volume 80
        cuecoach run emom --no-sound --record emom.wav --ledger emom.jsonl
      """)

  @Argument(help: "A preset's path or name, or NAME=PRESET.") var presets: [String]
  @Option(
    help:
      "What becomes of a session of that name that was interrupted: ask, continue, hold, discard.")
  var resume: ResumePolicy?
  @OptionGroup var files: RunFiles
  @OptionGroup var speech: SpeechOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    var warnings: [String] = []
    let configuration = try OutputChoice.configuration()
    let choice = try output.choice(configuration, hasSound: !files.noSound) { warnings.append($0) }
    let speech = try SpeechChoice(speech, configuration)
    let arguments = try LaneArgument.parse(presets)
    let shelf = SessionShelf.openForRun { warnings.append($0) }
    let lanes = try self.lanes(arguments, speech, configuration, shelf) { warnings.append($0) }
    let options = RunOptions(
      lanes: lanes, output: choice, files: files, sessions: configuration.sessions, shelf: shelf)
    let code = try RunSession(options, warnings: warnings).run()
    if code != 0 { Glibc.exit(code) }
  }

  /// The sessions that go on, and new ones.
  private func lanes(
    _ arguments: [LaneArgument], _ choice: SpeechChoice, _ configuration: Configuration,
    _ shelf: SessionShelf?, warn: @escaping (String) -> Void
  ) throws -> [RunLane] {
    guard let shelf else { return arguments.map { RunLane($0, choice, options: speech) } }
    let resumption = Resumption(shelf, configuration.sessions, policy: resume, warn: warn)
    return try arguments.map { argument in
      let lane = try resumption.lane(argument.name) { session in
        // What is asked for now comes before what was asked for then.
        try SpeechChoice(SpeechOptions.parse(session.options + speech.arguments), configuration)
      }
      return lane ?? RunLane(argument, choice, options: speech)
    }
  }
}

extension ResumePolicy: ExpressibleByArgument {}
