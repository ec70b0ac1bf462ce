import ArgumentParser
import Glibc
import InstalledFiles
import SystemIO

struct ServeCommand: ParsableCommand {
  static let name = "serve"
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Wait for clients of the control socket and run what they start.",
    discussion: """
      The socket is $RUNTIME_DIRECTORY/control for a service of systemd, else \
      $XDG_RUNTIME_DIR/cuecoach/control; "remote" beside it takes presets by name alone, and \
      "sense" takes values, signals and repetitions alone. What was interrupted is resumed as config.yaml \
      says. SIGTERM ends it and keeps every workout; SIGHUP reads config.yaml anew.

      Examples:
        cuecoach serve
        cuecoach serve --device plughw:CARD=Device --ledger /var/log/coach.jsonl
      """)

  @Flag(help: "Do not play on any device.") var noSound = false
  @Option(help: "Append what happens to this ledger, one JSON object per line.") var ledger: String?
  @Flag(help: "Append to a file of another kind, too.") var force = false
  @OptionGroup var output: OutputOptions

  func run() throws {
    let signals = ServeSignals()
    Footprint.releaseCode()
    let session = try ServeSession(
      context.installation(remembersVoices: true), output: output, hasSound: !noSound,
      ledger: ledger, force: force, signals)
    throw ExitCode(session.run())
  }
}
