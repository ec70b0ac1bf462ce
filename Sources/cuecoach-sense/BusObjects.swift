import IntervalTimeline
import Presets
import SensorFormats

/// What a message of BlueZ says of its objects, as it is read item by item.
struct BusObjects {
  struct Value {
    var text: String?
    var number: Int64
    var bytes: [UInt8]
  }

  /// A property, or with nil for it the interface itself.
  struct Item {
    let path: String
    let interface: String
    let key: String?
    let value: Value
  }

  var items: [Item] = []

  private func properties(_ path: String, _ interface: String) -> [String: Value]? {
    let some = items.filter { $0.path == path && $0.interface == interface }
    guard !some.isEmpty else { return nil }
    return Dictionary(some.compactMap { item in item.key.map { ($0, item.value) } }) { one, _ in one
    }
  }

  private var paths: [String] {
    var seen: Set<String> = []
    return items.map(\.path).filter { seen.insert($0).inserted }
  }

  /// Those that matter to a connection, in the order of the message.
  var objects: [BlueZObject] {
    paths.flatMap { path -> [BlueZObject] in
      var found: [BlueZObject] = []
      if let adapter = properties(path, "org.bluez.Adapter1") {
        found.append(.adapter(path: path, isPowered: adapter["Powered"]?.number == 1))
      }
      if let device = properties(path, "org.bluez.Device1"), let address = device["Address"]?.text {
        found.append(
          .device(
            BlueZObject.Device(
              path: path, address: address, name: device["Name"]?.text,
              isConnected: device["Connected"]?.number == 1,
              isResolved: device["ServicesResolved"]?.number == 1)))
      }
      if let characteristic = properties(path, "org.bluez.GattCharacteristic1"),
        let uuid = characteristic["UUID"]?.text,
        let kind = SensorCharacteristic(uuid: uuid)
      {
        found.append(.characteristic(path: path, kind))
      }
      return found
    }
  }

  /// What the signal PropertiesChanged means.
  var changes: [LinkEvent] {
    items.compactMap { item in
      switch (item.interface, item.key) {
      case ("org.bluez.Adapter1", "Powered"):
        .powered(adapter: item.path, item.value.number == 1)
      case ("org.bluez.Device1", "RSSI"): .seen(device: item.path)
      case ("org.bluez.Device1", "Connected"):
        .connected(device: item.path, item.value.number == 1)
      case ("org.bluez.Device1", "ServicesResolved"):
        item.value.number == 1 ? .resolved(device: item.path) : nil
      case ("org.bluez.Battery1", "Percentage"):
        .battery(device: item.path, percent: Int(item.value.number))
      case ("org.bluez.GattCharacteristic1", "Value"):
        .value(characteristic: item.path, item.value.bytes)
      default: nil
      }
    }
  }

  /// What the signal InterfacesRemoved means.
  var removals: [LinkEvent] {
    paths.map { path in
      .removed(path: path, interfaces: items.filter { $0.path == path }.map(\.interface))
    }
  }

  /// Sensors in what was listed: their address, name, strength in dBm, and what they measure. The name is as it can be
  /// shown and typed: anybody in reach may give one that moves a cursor.
  var sensors: [(address: String, name: String?, strength: Int?, measures: [String])] {
    paths.compactMap { path in
      guard let device = properties(path, "org.bluez.Device1"),
        let address = device["Address"]?.text
      else { return nil }
      let services = items.filter {
        $0.path == path && $0.interface == "org.bluez.Device1" && $0.key == "UUIDs"
      }.compactMap { $0.value.text?.lowercased() }
      let measures = Self.services.filter { service in
        services.contains { $0.hasPrefix(service.key) }
      }
      .map(\.value).sorted()
      guard !measures.isEmpty else { return nil }
      let name = device["Name"]?.text.map { String(NameRule.sensor.fitted($0).trimmed) }
      return (address, name, device["RSSI"].map { Int($0.number) }, measures)
    }
  }

  private static let services = [
    "0000180d": "heart rate", "00001818": "cycling power", "00001816": "speed and cadence",
    "00001814": "running", "00001826": "fitness machine",
  ]
}
