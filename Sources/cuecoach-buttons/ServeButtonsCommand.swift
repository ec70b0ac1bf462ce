import ArgumentParser
import ControlSocket
import SurfaceProgram
import SystemIO
import SystemdLink

struct ServeButtonsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Ask the coach for what is pressed. This is what happens without a command.")

  @OptionGroup var file: MapOption
  @Option(help: "The coach's socket; looked for where cuecoach serve makes it when left out.")
  var socket: String?
  @Flag(help: "Log each press that means something.") var verbose = false

  func run() throws {
    // One that comes while it starts ends it in order too.
    let endSignals = EndSignals.descriptor()
    let service = ButtonService(
      try file.map(),
      sockets: socket.map { [$0] } ?? ControlPaths.ofClient(.remote, Places.environment),
      endSignals: endSignals, isVerbose: verbose)
    ServiceNotice.ready.send()
    Footprint.releaseCode()
    service.run()
  }
}
