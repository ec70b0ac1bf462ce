import ArgumentParser
import Glibc

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

  static func main() {
    // A closed stream's number would be that of the first socket, and lines would go to its peer.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as Complaint {
      Log.write("cuecoach-mqtt: \(error.message)")
      Glibc.exit(1)
    } catch {
      let code = exitCode(for: error)
      if code == .success {
        print(fullMessage(for: error))
        Glibc.exit(0)
      }
      Log.write("cuecoach-mqtt: \(message(for: error)); see cuecoach-mqtt --help")
      Glibc.exit(code == .validationFailure ? 2 : 1)
    }
  }
}

/// Something the person has to know, on one line.
struct Complaint: Error {
  let message: String
}

/// Lines on standard error.
enum Log {
  static func write(_ message: String) {
    let line = message.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) }
    let bytes = Array("\(String(line))\n".utf8)
    // A log that takes nothing holds up nobody.
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
