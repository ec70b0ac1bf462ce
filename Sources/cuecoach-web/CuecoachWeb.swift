import ArgumentParser
import SurfaceProgram

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

  static func main() { runSurface() }
}

extension Log {
  static func complain(_ message: String) { write("cuecoach-web: \(message)") }
}
