import ALSAOutput
import ArgumentParser
import CueEngine
import CueSound
import Glibc
import InstalledFiles

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List sound devices, and show which one a run plays on.",
    discussion: """
      Under each card are the devices to pass as --device or to name in config.yaml. --json lists \
      every device that ALSA names.
      """)

  @Flag(help: "Print one JSON object per device.") var json = false

  func run() throws {
    let configuration = try context.installation().configuration
    let standard = StandardDevice(configuration.device)
    let devices = DeviceList.playback()
    if let file = context.folders.configurationFile {
      for line in UnmatchedOutputs(devices).lines(of: configuration, file: file) {
        context.complain(.file(line))
      }
    }
    if json {
      printObjects(devices, standard)
    } else if devices.allSatisfy(\.isNull), standard.isNothing {
      let advice =
        Self.isForbidden
        ? "this user may not open the sound cards: join the group audio, then log in again"
        : "run with --record to keep the sound in a file"
      context.complain("ALSA lists no sound device; \(advice)")
    } else {
      printList(devices.filter { !$0.isNull })
      context.print(standard.sentence.singleLine)
    }
  }

  /// There is a card that this user may not open.
  private static var isForbidden: Bool {
    (0..<32).contains { access("/dev/snd/controlC\($0)", R_OK | W_OK) != 0 && errno == EACCES }
  }

  private func printObjects(_ devices: [DeviceList.Device], _ standard: StandardDevice) {
    for device in devices {
      var object = JSONObject()
      object.add("device", device.name)
      object.add("description", device.description)
      object.add("card", device.card)
      standard.add(to: &object, of: device.name)
      context.print(object.text)
    }
    guard !devices.contains(where: { $0.name == standard.name }) else { return }
    var object = JSONObject()
    object.add("device", standard.name)
    object.add("description", nil as String?)
    object.add("card", DeviceName(standard.name).card)
    standard.add(to: &object, of: standard.name)
    context.print(object.text)
  }

  private func printList(_ devices: [DeviceList.Device]) {
    var cards: [String] = []
    for device in devices {
      if let card = device.card, !cards.contains(card) { cards.append(card) }
    }
    for card in cards {
      let own = devices.filter { $0.card == card }
      // If the card does not answer, ALSA's description of a device begins with its name.
      let words = own[0].description.split(separator: ",").first.map(String.init)
      let name = DeviceList.name(ofCard: card) ?? words
      context.print("\(card)\(name.map { ": \($0)" } ?? "")".singleLine)
      for device in Self.recommended(own) { printLine(device, indent: "  ") }
    }
    for device in devices where device.card == nil { printLine(device, indent: "") }
  }

  private func printLine(_ device: DeviceList.Device, indent: String) {
    let words = device.description.isEmpty ? "" : "  (\(device.description))"
    context.print(indent + "\(device.name)\(words)".singleLine)
  }

  /// The devices of a card that convert the format and are exclusive; ALSA lists a dozen more.
  private static func recommended(_ devices: [DeviceList.Device]) -> [DeviceList.Device] {
    let names = devices.map { ($0, DeviceName($0.name)) }
    let hdmi = names.filter { $0.1.interface == "hdmi" }
    let plain = names.filter { $0.1.interface == "plughw" && !($0.1.isHDMI && !hdmi.isEmpty) }
    let best = (plain + hdmi).map(\.0)
    return best.isEmpty ? devices : best
  }
}

extension DeviceList.Device {
  /// ALSA's device that plays nothing.
  fileprivate var isNull: Bool { name == "null" }
}

/// The device that a run plays on without `--device`, and what it leads to.
private struct StandardDevice {
  let name: String
  /// Where this is configured.
  let source: String
  let target: Result<DeviceTarget, SoundOutputError>

  init(_ configured: String?) {
    let name = configured ?? "default"
    self.name = name
    source = configured == nil ? "ALSA" : "config.yaml"
    target = Result { () throws(SoundOutputError) in
      try DeviceTarget.of(name, rate: SampleRate.standard)
    }
  }

  /// True if no device is configured and ALSA has none.
  var isNothing: Bool {
    if source == "ALSA", case .failure(let error) = target { error.kind == .gone } else { false }
  }

  var sentence: String {
    let subject = source == "ALSA" ? name : "\(name), the device of config.yaml,"
    switch target {
    case .success(.card(let id, let name)): return "\(subject) plays on card \(id) (\(name))"
    case .success(.plugin(let plugin)): return "\(subject) plays through the \(plugin)"
    case .success(.null): return "\(subject) plays nothing: it is ALSA's null device"
    case .failure(let error) where error.kind == .gone:
      return "\(subject) is not there; pass --device, or name a device in config.yaml"
    case .failure(let error): return "\(subject) cannot be opened: \(DeviceAdvice.problem(error))"
    }
  }

  /// Adds this information if it is about `device`.
  func add(to object: inout JSONObject, of device: String) {
    let isStandard = device == name
    object.add("default", isStandard ? source : nil)
    let opens: String? =
      switch target {
      case .success(.card(let id, let name)): "card \(id) (\(name))"
      case .success(.plugin(let plugin)): plugin
      case .success(.null): "null"
      case .failure: nil
      }
    object.add("opens", isStandard ? opens : nil)
    if isStandard, case .failure(let error) = target {
      object.add("error", DeviceAdvice.problem(error))
    }
  }
}
