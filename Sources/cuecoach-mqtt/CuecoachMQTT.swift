import ArgumentParser
import SurfaceProgram

@main
struct CuecoachMQTT: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cuecoach-mqtt",
    abstract: "Joins the coach to an MQTT broker: sensors and buttons in, Home Assistant out.",
    discussion: """
      Examples:
        cuecoach-mqtt        join the coach to the broker of mqtt.yaml
        cuecoach-mqtt check  check mqtt.yaml and print what would be subscribed to

      Exit codes: 0 done, 1 failed, 2 a mistake in the command.
      """,
    version: "0.1.0",
    subcommands: [ServeBridgeCommand.self, CheckBridgeCommand.self, DiscoveryCommand.self],
    defaultSubcommand: ServeBridgeCommand.self)

  static func main() { runSurface() }
}
