import ArgumentParser
import Glibc

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
  @Option(help: "Keep what is heard in this WAV file; one that is there is replaced.")
  var record: String?
  @Option(help: "Write what happens to this file, one JSON object a line; a file is replaced.")
  var ledger: String?
  @Flag(help: "Play on no device.") var noSound = false
  @OptionGroup var speech: SpeechOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    var warnings: [String] = []
    let configuration = try OutputChoice.configuration()
    let choice = try output.choice(configuration, hasSound: !noSound) { warnings.append($0) }
    let speech = try SpeechChoice(speech, configuration)
    let lanes = try LaneArgument.parse(presets)
    let options = RunOptions(
      lanes: lanes, output: choice, record: record, ledger: ledger, speech: speech)
    let code = try RunSession(options, warnings: warnings).run()
    if code != 0 { Glibc.exit(code) }
  }
}
