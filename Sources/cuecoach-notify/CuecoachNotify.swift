import ArgumentParser
import ControlSocket
import Glibc
import IntervalTimeline
import NoticeRules
import Presets
import SurfaceProgram
import SystemIO
import SystemdLink

@main
struct CuecoachNotify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cuecoach-notify",
    abstract: "Tells somebody when a workout is complete or interrupted, or the sound fails.",
    discussion: """
      Examples:
        cuecoach-notify        tell those of notify.yaml
        cuecoach-notify check  check notify.yaml
        cuecoach-notify test   send each of them a made-up notice

      Exit codes: 0 done, 1 failed, 2 a mistake in the command.
      """,
    version: "0.1.0",
    subcommands: [ServeNotifyCommand.self, CheckNotifyCommand.self, TestNotifyCommand.self],
    defaultSubcommand: ServeNotifyCommand.self)

  static func main() { runSurface() }
}

/// Where the settings are.
struct NotifyOption: ParsableArguments {
  @Option(
    help: """
      The settings; $XDG_CONFIG_HOME/cuecoach/notify.yaml, else /etc/cuecoach/notify.yaml, when left out.
      """)
  var config: String?

  func settings() throws(Complaint) -> NotifySettings {
    let path = config ?? Places.configuration("notify.yaml")
    do throws(FileError) {
      let bytes = try FileBytes.contents(ofFile: path, expected: "the settings of cuecoach-notify")
      let settings = try NotifySettings.parse(bytes, file: path)
      if settings.hasSecrets { try FileBytes.checkIsPrivate(path, holding: "addresses") }
      // Root can read every file; the user of the service cannot.
      if geteuid() == 0, path == Places.systemConfiguration("notify.yaml") {
        try FileBytes.checkIsReadable(path, by: "cuecoach-notify")
      }
      return settings
    } catch {
      throw .failed("\(error)")
    }
  }
}

struct ServeNotifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Tell those of notify.yaml. This is what happens without a command.")

  @OptionGroup var file: NotifyOption
  @Option(help: "The coach's socket; looked for where cuecoach serve makes it when left out.")
  var socket: String?

  func run() throws {
    // One that comes while it starts ends it in order too.
    let endSignals = EndSignals.descriptor()
    let service = try NotifyService(
      file.settings(),
      sockets: socket.map { [$0] } ?? ControlPaths.ofClient(.remote, Places.environment),
      endSignals: endSignals, log: ServiceLog { Log.write($0) })
    ServiceNotice.ready.send()
    Footprint.releaseCode()
    service.run()
  }
}

struct CheckNotifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check notify.yaml, and list who gets which notices.")

  @OptionGroup var file: NotifyOption

  func run() throws {
    let targets = try file.settings().targets
    for target in targets {
      let events = Notice.Event.allCases.filter(target.events.contains).map(\.rawValue)
      print("\(target.text): \(events.joined(separator: ", "))")
    }
    let faults = targets.compactMap { target in target.fault.map { "\(target.text): \($0)" } }
    // Before the complaint.
    fflush(nil)
    guard faults.isEmpty else { throw Complaint.failed(faults.joined(separator: "; ")) }
  }
}

extension NotifySettings.Target {
  /// Why what it names cannot be used; nil where it can.
  fileprivate var fault: String? {
    switch way {
    case .run(let command):
      Programs.path(of: command[0]) == nil ? "it is no program that can be started" : nil
    case .post(let post):
      post.authorities.flatMap {
        access($0, R_OK) == 0 ? nil : "\($0.singleLine): \(String(cString: strerror(errno)))"
      }
    }
  }
}

struct TestNotifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send a made-up notice to everyone in notify.yaml.")

  @OptionGroup var file: NotifyOption

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    var workout = WorkoutStatus(
      name: "test", workout: "Test", state: .finished, language: "en")
    (workout.phases, workout.done, workout.elapsed) = (16, 16, .seconds(240))
    workout.setsDone = 8
    var faults = 0
    for target in try file.settings().targets {
      let hasArrived = Courier(target: target, pauses: [])
        .deliver(Notice(.complete, workout: workout)) { print("\(target.text): \($0)") }
      if hasArrived { print("\(target.text): told") } else { faults += 1 }
    }
    // Before the complaint.
    fflush(nil)
    guard faults == 0 else { throw Complaint.failed("\(faults) could not be told") }
  }
}
