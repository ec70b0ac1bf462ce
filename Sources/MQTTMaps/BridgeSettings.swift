import Presets

/// What `mqtt.yaml` says:
///
///     broker: {host: homeassistant.local, port: 8883, tls: yes}   # ca: FILE for one's own authority
///     user: cuecoach
///     password-file: /etc/cuecoach/mqtt-password
///     client-id: cuecoach
///     device: {id: cuecoach, name: Coach}
///     home-assistant: yes
///     publish-readings: no
///     maps:
///       - {use: open-rowing-monitor, as: anna}
///       - {use: zigbee2mqtt-button, topic: zigbee2mqtt/Button}
///       - {topic: bike/power, path: power, value: watts, unit: watt, valid-for: 8s}
///
/// All of it is optional but the broker's host.
package struct BridgeSettings: Hashable, Sendable {
  package var host = ""
  package var port = 1883
  /// The authorities' certificates; nil: no TLS, empty: those of the system.
  package var authorities: String?
  package var user: String?
  package var password: String?
  package var passwordFile: String?
  package var clientID = "cuecoach"
  package var deviceID = "cuecoach"
  package var deviceName = "cuecoach"
  package var isHomeDevice = true
  package var publishesReadings = false
  package var maps: [MessageMap] = []

  /// - Parameters:
  ///   - file: names it in errors.
  ///   - shipped: the bytes of a map that is installed, by its name; nil where there is none of that name.
  package static func parse(
    _ bytes: [UInt8], file: String, shipped: (String) -> [UInt8]?
  ) throws(FileError) -> BridgeSettings {
    let root = try FileError.naming(file) { () throws(FileFault) in try YamlTree.root(of: bytes) }
    var settings = BridgeSettings()
    let sources = try FileError.naming(file) { () throws(FileFault) in
      try settings.take(root)
    }
    for source in sources {
      switch source {
      case .map(let map): settings.maps.append(map)
      case .shipped(let name, let topic, let lane, let line):
        guard let bytes = shipped(name) else {
          throw FileError(
            FileFault(
              line: line, "no map \(quoted(name)) is installed",
              expected: "open-rowing-monitor or zigbee2mqtt-button"), of: file)
        }
        settings.maps += try FileError.naming("\(name).yaml") { () throws(FileFault) in
          try MapForm.shipped(bytes, topic: topic, lane: lane, askedIn: (file, line))
        }
      }
    }
    return settings
  }

  private mutating func take(_ root: YamlNode?) throws(FileFault) -> [MapForm.Source] {
    guard let root else {
      throw FileFault(line: nil, "empty", expected: "broker: {host: NAME}")
    }
    let map = try root.map(of: "a configuration", expected: "broker: {host: NAME}")
    try map.checkKeys(
      [
        "broker", "user", "password", "password-file", "client-id", "device", "home-assistant",
        "publish-readings", "maps",
      ], of: "mqtt.yaml")
    try takeBroker(
      map.required("broker", expected: "broker: {host: NAME}").map(expected: "{host: NAME}"))
    user = try map["user"]?.name()
    password = try map["password"]?.name()
    passwordFile = try map["password-file"]?.name(expected: "the path of a file", atMost: 1000)
    if let entry = map["password-file"], password != nil || !(passwordFile ?? "").hasPrefix("/") {
      throw entry.fault(expected: "an absolute path, and no password beside it")
    }
    if user == nil, let entry = map.first(of: ["password", "password-file"]) {
      throw entry.fault("\(entry.key) without user", expected: "user: NAME")
    }
    if let entry = map["client-id"] { clientID = try entry.identifier() }
    if let entry = map["device"] {
      let device = try entry.map(expected: "{id: cuecoach, name: Coach}")
      try device.checkKeys(["id", "name"], of: "device")
      if let id = device["id"] { deviceID = try id.identifier() }
      deviceName = try device["name"]?.name() ?? deviceName
    }
    if let entry = map["home-assistant"] { isHomeDevice = try entry.word("yes", "no") == "yes" }
    if let entry = map["publish-readings"] {
      publishesReadings = try entry.word("yes", "no") == "yes"
    }
    var sources: [MapForm.Source] = []
    for item in try map["maps"]?.items(named: "map", expected: "a list of maps") ?? [] {
      sources.append(try MapForm.source(item))
    }
    return sources
  }

  private mutating func takeBroker(_ map: YamlMap) throws(FileFault) {
    try map.checkKeys(["host", "port", "tls", "ca"], of: "broker")
    let entry = try map.required("host", expected: "the name of a broker")
    host = try entry.name()
    guard !host.contains(where: { $0 == "/" || $0.isWhitespace }) else {
      throw entry.fault(expected: "a name or an address alone, such as homeassistant.local")
    }
    // An address of IPv6 has several colons, and brackets around it only beside a port.
    if host.count(where: { $0 == ":" }) == 1 || host.contains("[") {
      throw entry.fault("a port in the host \"\(host)\"", expected: "port: beside host:")
    }
    let usesTLS = try map["tls"]?.word("yes", "no")
    if usesTLS == "yes" { authorities = "" }
    if let entry = map["ca"] {
      guard usesTLS != "no" else {
        throw entry.fault("ca beside tls: no", expected: "one of both")
      }
      authorities = try entry.name(expected: "the path of a file", atMost: 1000)
      guard authorities?.hasPrefix("/") == true else {
        throw entry.fault(expected: "an absolute path")
      }
    }
    port = try map["port"]?.count(in: 1...65_535) ?? (authorities == nil ? 1883 : 8883)
  }
}

extension YamlEntry {
  /// What stands in topics and identifiers.
  fileprivate func identifier() throws(FileFault) -> String {
    let text = try name(atMost: 60)
    let isPlain = text.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || $0 == "-" || $0 == "_"
    }
    guard isPlain else { throw fault(expected: "letters, digits, hyphens and underscores") }
    return text
  }
}
