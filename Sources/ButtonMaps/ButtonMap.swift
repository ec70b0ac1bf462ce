import IntervalTimeline
import Presets

/// What `buttons.yaml` says: the devices whose keys mean something, and what.
///
///     devices:
///       - name: SIGMACHIP USB Keyboard
///         keys:
///           kp1: start tabata
///           kpenter: {short: pause, double: next, long: stop}
///       - path: /dev/input/by-path/platform-gpio-keys-event
///         as: anna
///         grab: no
///         keys: {playpause: pause}
package struct ButtonMap: Hashable, Sendable {
  /// What a key does, by how it is pressed.
  package typealias Key = [Gesture: ButtonAction]

  package struct Device: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
      /// What the device calls itself, in one line without blanks around it.
      case name(String)
      case path(String)
    }

    package var place: Place
    /// The workout that its keys are for; nil: all.
    package var lane: String?
    /// Nobody else gets what it sends.
    package var isGrabbed = true
    package var keys: [UInt16: Key] = [:]

    /// Headsets send one or the other by what they believe is played.
    private static let likePlayPause: [UInt16] = [200, 201]
    private static let playPause: UInt16 = 164

    /// The key under which a code stands in the map; nil where it means nothing.
    package func key(of code: UInt16) -> UInt16? {
      if keys[code] != nil { return code }
      let common = Self.common(code)
      return keys[common] != nil ? common : nil
    }

    /// The code of `playpause` for those that mean the same.
    package static func common(_ code: UInt16) -> UInt16 {
      likePlayPause.contains(code) ? playPause : code
    }
  }

  /// Those of which the map says something: 32 at most.
  package var devices: [Device] = []

  package init() {}

  package static let maxDevices = 32
  private static let example: Sentence = "{name: USB Keyboard, keys: {kp1: pause}}"

  /// - Parameter file: its name, for messages.
  package static func parse(_ bytes: [UInt8], file: String) throws(FileError) -> ButtonMap {
    try FileError.naming(file) { () throws(FileFault) in try ButtonMap(bytes) }
  }

  private init(_ bytes: [UInt8]) throws(FileFault) {
    guard let root = try YamlTree.root(of: bytes) else {
      throw FileFault(line: nil, "empty", expected: "devices: [\(Self.example)]")
    }
    let map = try root.map(of: "a map of buttons", expected: "devices: [\(Self.example)]")
    try map.checkKeys(["devices"], of: "buttons.yaml")
    let entry = try map.required("devices", expected: "devices: [\(Self.example)]")
    for item in try entry.items(named: "device", expected: "a list of devices") {
      let device = try Self.device(item)
      guard devices.count < Self.maxDevices else {
        throw item.fault("too many devices", expected: "at most \(Self.maxDevices)")
      }
      guard !devices.contains(where: { $0.place == device.place }) else {
        throw item.fault("a device for the second time", expected: "each device once")
      }
      devices.append(device)
    }
  }

  private static func device(_ item: YamlEntry) throws(FileFault) -> Device {
    let map = try item.map(expected: example)
    try map.checkKeys(["name", "path", "as", "grab", "keys"], of: "a device")
    let place: Device.Place
    switch (map["name"], map["path"]) {
    case (let entry?, nil): place = .name(try entry.name(atMost: NameRule.sensor.maximum))
    case (nil, let entry?):
      let path = try entry.name(expected: "the path of a device", atMost: 1000)
      guard path.hasPrefix("/") else { throw entry.fault(expected: "an absolute path") }
      place = .path(path)
    case (_?, let entry?): throw entry.fault("path beside name", expected: "one of both")
    case (nil, nil):
      throw FileFault(
        line: map.line, "a device without name and path",
        expected: "a name, as cuecoach-buttons list shows it")
    }
    var device = Device(place: place)
    if let entry = map["as"] {
      let lane = try entry.name()
      guard NameRule.lane.allows(lane) else { throw entry.fault(expected: NameRule.lane.expected) }
      device.lane = lane
    }
    if let entry = map["grab"] { device.isGrabbed = try entry.word("yes", "no") == "yes" }
    let keys = try map.required("keys", expected: "keys: {kp1: pause}")
    for entry in try keys.map(expected: "{kp1: pause}").entries {
      let code = try Self.code(entry)
      guard device.keys[code] == nil else {
        throw entry.fault("\(entry.key) is the same key as another", expected: "each key once")
      }
      device.keys[code] = try Self.key(entry)
    }
    return device
  }

  private static func code(_ entry: YamlEntry) throws(FileFault) -> UInt16 {
    if let code = KeyName.code(of: entry.key) { return code }
    let hint =
      Nearest.names(to: entry.key, among: KeyName.all).first.map { " (did you mean \"\($0)\"?)" }
    throw entry.fault(
      "unknown key \(quoted(entry.key))\(hint ?? "")",
      expected: "a name that cuecoach-buttons learn shows, such as kp1, playpause or key-743")
  }

  private static func key(_ entry: YamlEntry) throws(FileFault) -> Key {
    guard entry.value.text == nil else { return [.short: try action(entry, for: .short)] }
    let gestures = Gesture.allCases.map(\.rawValue)
    let map = try entry.map(
      expected: "an action, or {short: pause, double: next, long: stop}")
    try map.checkKeys(gestures, of: Sentence(verbatim: entry.key))
    var key: Key = [:]
    for entry in map.entries {
      guard let gesture = Gesture(rawValue: entry.key) else { continue }
      key[gesture] = try action(entry, for: gesture)
    }
    return key
  }

  private static func action(_ entry: YamlEntry, for gesture: Gesture) throws(FileFault)
    -> ButtonAction
  {
    guard let action = ButtonAction(try entry.name(expected: ButtonAction.expected)) else {
      throw entry.fault(expected: ButtonAction.expected)
    }
    guard action.isAllowed(for: gesture) else {
      throw entry.fault(expected: "{long: stop}: no other press ends a workout")
    }
    return action
  }

  // MARK: Written

  /// Adds what a key does; what it did by that press before is gone.
  package mutating func add(
    _ action: ButtonAction, to gesture: Gesture, of code: UInt16, on place: Device.Place
  ) {
    let index = devices.firstIndex { $0.place == place } ?? devices.count
    if index == devices.count { devices.append(Device(place: place)) }
    devices[index].keys[code, default: [:]][gesture] = action
  }

  /// The text of a file that says the same.
  package var text: String {
    var lines = ["devices:"]
    for device in devices {
      switch device.place {
      case .name(let name): lines.append("  - name: \(Self.yaml(name))")
      case .path(let path): lines.append("  - path: \(Self.yaml(path))")
      }
      if let lane = device.lane { lines.append("    as: \(Self.yaml(lane))") }
      if !device.isGrabbed { lines.append("    grab: no") }
      lines.append("    keys:")
      for (code, key) in device.keys.sorted(by: { $0.key < $1.key }) {
        lines.append("      \(KeyName.name(of: code)): \(Self.yaml(key))")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func yaml(_ key: Key) -> String {
    if let action = key[.short], key.count == 1 { return yaml(action.text) }
    let parts = Gesture.allCases.compactMap { gesture in
      key[gesture].map { "\(gesture.rawValue): \(yaml($0.text))" }
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  /// In quotes: a name may be any text.
  private static func yaml(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || $0 == "-" || $0 == " "
    }
    return isPlain && text.first?.isLetter == true && !["null", "yes", "no"].contains(text)
      ? text
      : "'"
        + text.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''") + "'"
  }
}
