import ArgumentParser
import ControlSocket
import Glibc
import MQTTMaps
import Presets
import SurfaceProgram
import SystemdLink

struct ServeBridgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Join the coach to the broker. This is what happens without a command.")

  @OptionGroup var file: SettingsOption
  @Option(
    help: "The folder of the coach's sockets; where cuecoach serve makes them when left out.")
  var sockets: String?
  @Flag(help: "Log each message that a map takes.") var verbose = false

  func run() throws {
    // One that comes while it starts ends it in order too.
    let endSignals = EndSignals.descriptor()
    // A name is looked up by libmosquitto, which waits: 2 s for a server that does not answer.
    setenv("RES_OPTIONS", "timeout:2 attempts:1", 0)
    let settings = try file.settings()
    let place = try file.place(settings)
    Self.limitMemory()
    let environment = Places.environment
    let bridge = Bridge(
      settings, place: place,
      sense: sockets.map { ["\($0)/sense"] } ?? ControlPaths.ofClient(.sense, environment),
      remote: sockets.map { ["\($0)/remote"] } ?? ControlPaths.ofClient(.remote, environment),
      version: CuecoachMQTT.configuration.version, endSignals: endSignals, isVerbose: verbose)
    ServiceNotice.ready.send()
    bridge.run()
  }

  /// libmosquitto allocates what a broker announces, up to 256 MB; it takes a refusal as the end of a connection.
  private static func limitMemory() {
    guard let text = try? FileBytes.contents(ofFile: "/proc/self/statm", expected: "pages"),
      let pages = String(decoding: text, as: UTF8.self).split(separator: " ").dropFirst(5).first
        .flatMap({ UInt($0) })
    else { return }
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, pages * UInt(getpagesize()) + 32 * 1024 * 1024)
    setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
  }
}

struct CheckBridgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check mqtt.yaml, and print what would be subscribed to.")

  @OptionGroup var file: SettingsOption

  func run() throws {
    let settings = try file.settings()
    let place = try file.place(settings)
    print("broker \(place.host):\(place.port)" + (place.authorities == nil ? "" : ", TLS"))
    for topic in MessageReader(settings.maps).topics { print("subscribe \(topic)") }
    guard settings.isHomeDevice else { return }
    let device = HomeDevice(
      id: settings.deviceID, name: settings.deviceName,
      version: CuecoachMQTT.configuration.version)
    for topic in [device.commandFilter, HomeDevice.birthTopic] { print("subscribe \(topic)") }
    for topic in [device.discoveryTopic, device.availabilityTopic, device.stateTopic] {
      print("publish \(topic)")
    }
    if settings.publishesReadings { print("publish \(device.readingTopic)") }
  }
}

struct DiscoveryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discovery",
    abstract: "Print a discovery message for Home Assistant, with every entity that there can be.")

  func run() {
    let device = HomeDevice(
      id: "cuecoach", name: "cuecoach", version: CuecoachMQTT.configuration.version)
    let message = device.discovery(presets: ["tabata"], hasReadings: true)
    print(String(decoding: message.bytes, as: UTF8.self))
  }
}
