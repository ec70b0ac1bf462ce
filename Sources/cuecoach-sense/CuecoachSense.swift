import ArgumentParser
import Glibc

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

  static func main() {
    // A closed stream's number would be that of the first socket, and lines would go to its peer.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as Complaint {
      Log.write("cuecoach-sense: \(error.message)")
      Glibc.exit(error.code)
    } catch {
      let code = exitCode(for: error)
      if code == .success {
        print(fullMessage(for: error))
        Glibc.exit(0)
      }
      Log.write("cuecoach-sense: \(message(for: error)); see cuecoach-sense --help")
      Glibc.exit(code == .validationFailure ? 2 : 1)
    }
  }
}

/// Something the person has to know, on one line, and the exit code.
struct Complaint: Error {
  let message: String
  let code: Int32

  static func usage(_ message: String) -> Complaint { Complaint(message: message, code: 2) }
  static func failed(_ message: String) -> Complaint { Complaint(message: message, code: 1) }
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

/// Where the sensors are listed.
struct ConfigOption: ParsableArguments {
  @Option(
    help: """
      The list of sensors: $XDG_CONFIG_HOME/cuecoach/sensors.conf, or /etc/cuecoach/sensors.conf for root and where \
      there is no other, when left out.
      """)
  var config: String?

  static var environment: [String: String] {
    var values: [String: String] = [:]
    for name in ["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "HOME"] {
      if let value = getenv(name) { values[name] = String(cString: value) }
    }
    return values
  }

  private static let system = "/etc/cuecoach/sensors.conf"

  private static var own: String? {
    guard geteuid() != 0 else { return nil }
    let folder = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { "\($0)/.config" }
    return folder.map { "\($0)/cuecoach/sensors.conf" }
  }

  var pathToRead: String {
    if let config { return config }
    if let own = Self.own, access(own, F_OK) == 0 { return own }
    return Self.system
  }

  var pathToWrite: String { config ?? Self.own ?? Self.system }
}
