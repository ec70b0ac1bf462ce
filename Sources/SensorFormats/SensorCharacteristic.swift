/// The Bluetooth characteristics that are read, by their assigned numbers.
package enum SensorCharacteristic: UInt16, CaseIterable, Sendable {
  case battery = 0x2A19
  case heartRate = 0x2A37
  case running = 0x2A53
  case cycling = 0x2A5B
  case cyclingPower = 0x2A63
  case treadmill = 0x2ACD
  case rower = 0x2AD1
  case bike = 0x2AD2

  /// - Parameter uuid: as BlueZ writes it: 00002a37-0000-1000-8000-00805f9b34fb. Nil for another characteristic.
  package init?(uuid: String) {
    let uuid = uuid.lowercased()
    guard uuid.count == 36, uuid.hasPrefix("0000"), uuid.hasSuffix(Self.base),
      let number = UInt16(uuid.dropFirst(4).prefix(4), radix: 16)
    else { return nil }
    self.init(rawValue: number)
  }

  /// The services that have these characteristics, as BlueZ writes them: what is scanned for. A battery alone is no
  /// sensor.
  package static var services: [String] {
    ["180d", "1814", "1816", "1818", "1826"].map { "0000" + $0 + base }
  }

  private static var base: String { "-0000-1000-8000-00805f9b34fb" }
}
