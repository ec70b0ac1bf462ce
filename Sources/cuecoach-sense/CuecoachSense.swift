import ArgumentParser
import Glibc
import SurfaceProgram

@main
struct CuecoachSense: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cuecoach-sense",
    abstract: "Lets the coach hear Bluetooth sensors, or a recorded ride.",
    discussion: """
      Examples:
        cuecoach-sense scan                          what is there
        cuecoach-sense pair "Strap 42" --as anna     anna's heart rate, in the workout of that name
        cuecoach-sense                               connect, and send what the sensors say
        cuecoach-sense --replay ride.csv --as anna   a recorded ride in place of sensors

      Exit codes: 0 done, 1 failed, 2 a mistake in the command.
      """,
    version: "0.1.0",
    subcommands: [
      ServeCommand.self, ScanCommand.self, PairCommand.self, UnpairCommand.self,
      SensorsCommand.self,
    ],
    defaultSubcommand: ServeCommand.self)

  static func main() { runSurface() }
}

/// Where the sensors are listed.
struct ConfigOption: ParsableArguments {
  @Option(
    help: """
      The list of sensors: $XDG_CONFIG_HOME/cuecoach/sensors.conf, or /etc/cuecoach/sensors.conf for root and where \
      there is no other, when left out.
      """)
  var config: String?

  private static let name = "sensors.conf"

  private static var own: String? { geteuid() == 0 ? nil : Places.ownConfiguration(name) }

  var pathToRead: String {
    if let config { return config }
    if let own = Self.own, access(own, F_OK) == 0 { return own }
    return Places.systemConfiguration(Self.name)
  }

  var pathToWrite: String { config ?? Self.own ?? Places.systemConfiguration(Self.name) }
}
