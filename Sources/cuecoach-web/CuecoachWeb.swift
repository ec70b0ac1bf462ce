import ArgumentParser
import Glibc

@main
struct CuecoachWeb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cuecoach-web",
    abstract: "A page for phones and browsers that shows and controls the coach.",
    discussion: """
      Examples:
        cuecoach-web                serve the page for this machine
        cuecoach-web --network      serve it for phones in this network as well
        cuecoach-web link           print the address and a QR code for a phone
        cuecoach-web token --renew  make all earlier links invalid

      Exit codes: 0 done, 1 failed, 2 a mistake in the command.
      """,
    version: "0.1.0",
    subcommands: [ServePageCommand.self, LinkCommand.self, TokenCommand.self],
    defaultSubcommand: ServePageCommand.self)

  static func main() {
    // A closed stream's number would be that of the first socket, and lines would go to its client.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as Complaint {
      Log.complain(error.message)
      Glibc.exit(error.code)
    } catch {
      let code = exitCode(for: error)
      if code == .success {
        print(fullMessage(for: error))
        Glibc.exit(0)
      }
      Log.complain("\(message(for: error)); see cuecoach-web --help")
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
  static func complain(_ message: String) { write("cuecoach-web: \(message)") }

  static func write(_ message: String) {
    let line = message.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) }
    _ = Descriptor.writeAll(STDERR_FILENO, Array("\(String(line))\n".utf8))
  }
}
