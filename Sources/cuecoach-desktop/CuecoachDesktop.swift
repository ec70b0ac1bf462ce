import ArgumentParser
import ControlSocket
import DesktopStatus
import Glibc
import Presets
import SurfaceProgram
import SystemIO
import SystemdLink

@main
struct CuecoachDesktop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cuecoach-desktop",
    abstract: "Shows the coach on a desktop: as a media player, and by notifications.",
    discussion: """
      Media keys, headset buttons and lock screens pause a workout, let it run, and go from phase to phase; none of \
      them ends it. Notifications say that a workout is complete, that it was interrupted, and that there is no sound.

      Exit codes: 0 done, 1 failed, 2 a mistake in the command.
      """,
    version: "0.1.0")

  @Option(
    help: """
      The settings; $XDG_CONFIG_HOME/cuecoach/desktop.yaml, else /etc/cuecoach/desktop.yaml, else the usual ones, when \
      left out.
      """)
  var config: String?
  @Option(
    help: "The folder of the coach's sockets; where cuecoach serve makes them when left out.")
  var sockets: String?

  static func main() { runSurface() }

  func run() throws {
    // One that comes while it starts ends it in order too.
    let endSignals = EndSignals.descriptor()
    let settings = try settings()
    let environment = Places.environment
    let paths =
      sockets.map { ["\($0)/remote", "\($0)/control"] }
      ?? ControlPaths.ofClient(.remote, environment) + ControlPaths.ofClient(.control, environment)
    let service = DesktopService(
      settings, coach: CoachPeer(paths, subscribes: true, hearsSpeech: settings.lowersOthers),
      pictures: settings.isMediaPlayer ? PictureFolder(environment) : nil,
      catalogues: CatalogueFolders(data: Self.data, configuration: Self.configurationFolder),
      endSignals: endSignals)
    ServiceNotice.ready.send()
    Footprint.releaseCode()
    service.run()
  }

  private static var data: String? {
    Programs.homes.map(\.folder).first {
      access("\($0)/Sounds/\(CatalogueFolders.name)", F_OK) == 0
    }
  }

  private static var configurationFolder: String? {
    let own = Places.environment
    return (own["XDG_CONFIG_HOME"] ?? own["HOME"].map { "\($0)/.config" }).map { "\($0)/cuecoach" }
  }

  private func settings() throws(Complaint) -> DesktopSettings {
    let places = [Self.configurationFolder, "/etc/cuecoach"].compactMap { $0 }
      .map { "\($0)/desktop.yaml" }
    guard let path = config ?? places.first(where: { access($0, F_OK) == 0 }) else {
      return DesktopSettings()
    }
    do throws(FileError) {
      let bytes = try FileBytes.contents(
        ofFile: path, expected: "the settings of cuecoach-desktop")
      return try DesktopSettings.parse(bytes, file: path)
    } catch {
      throw .failed(error.description)
    }
  }
}
