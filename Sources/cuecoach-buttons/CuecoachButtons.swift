import ArgumentParser
import ButtonMaps
import Glibc
import Presets
import SurfaceProgram

@main
struct CuecoachButtons: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cuecoach-buttons",
    abstract: "Lets keypads, remote controls, headsets, pedals and GPIO buttons command the coach.",
    discussion: """
      Examples:
        cuecoach-buttons list                  what devices there are
        cuecoach-buttons learn                 press a button for each action
        cuecoach-buttons learn "start tabata"  the same for one action
        cuecoach-buttons                       obey the buttons

      Exit codes: 0 done, 1 failed, 2 a mistake in the command.
      """,
    version: "0.1.0",
    subcommands: [
      ServeButtonsCommand.self, LearnCommand.self, ListDevicesCommand.self,
      CheckButtonsCommand.self,
    ],
    defaultSubcommand: ServeButtonsCommand.self)

  static func main() { runSurface() }
}

/// Where the map is.
struct MapOption: ParsableArguments {
  @Option(
    help: """
      The map; $XDG_CONFIG_HOME/cuecoach/buttons.yaml, else /etc/cuecoach/buttons.yaml, when left out.
      """)
  var config: String?

  private static let name = "buttons.yaml"

  var pathToRead: String { config ?? Places.configuration(Self.name) }

  var pathToWrite: String {
    config ?? (geteuid() == 0 ? nil : Places.ownConfiguration(Self.name))
      ?? Places.systemConfiguration(Self.name)
  }

  func map() throws(Complaint) -> ButtonMap { try Self.map(pathToRead) }

  static func map(_ path: String) throws(Complaint) -> ButtonMap {
    do throws(FileError) {
      let bytes = try FileBytes.contents(
        ofFile: path, expected: "a map of buttons, which cuecoach-buttons learn writes")
      return try ButtonMap.parse(bytes, file: path)
    } catch {
      throw .failed("\(error)")
    }
  }
}

struct CheckButtonsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the map, and print what each key does.")

  @OptionGroup var file: MapOption

  func run() throws {
    var rows = [["Device", "Key", "Press", "Action", "Workout"]]
    for device in try file.map().devices {
      for (code, key) in device.keys.sorted(by: { $0.key < $1.key }) {
        for gesture in Gesture.allCases {
          guard let action = key[gesture] else { continue }
          rows.append([
            device.place.text, KeyName.name(of: code), gesture.rawValue, action.text,
            device.lane ?? "all",
          ])
        }
      }
    }
    for line in Table.lines(rows) { print(line) }
  }
}

struct ListDevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the input devices that there are.")

  func run() throws {
    let nodes = InputNode.all()
    guard !nodes.isEmpty else {
      print("there is no input device")
      return
    }
    let rows =
      [["Device", "May be read", "Name"]]
      + nodes.map { [$0.path, access($0.path, R_OK) == 0 ? "yes" : "no", $0.name] }
    for line in Table.lines(rows) { print(line) }
  }
}

extension ButtonMap.Device.Place {
  /// For a person.
  var text: String {
    switch self {
    case .name(let text), .path(let text): text
    }
  }
}
