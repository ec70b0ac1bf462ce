/// An object in BlueZ's object manager, without the properties that nobody needs. A characteristic's last value is left out: in
/// a listing it may be minutes old, and only a signal is a reading.
package enum BlueZObject: Hashable, Sendable {
  case adapter(path: String, isPowered: Bool)
  case device(Device)
  /// Its path begins with that of its device.
  case characteristic(path: String, SensorCharacteristic)

  package struct Device: Hashable, Sendable {
    /// Of the object, such as /org/bluez/hci0/dev_C0_F1_F2_F3_F4_F5.
    package var path: String
    /// Such as C0:F1:F2:F3:F4:F5.
    package var address: String
    /// Nil where the device does not say.
    package var name: String?
    package var isConnected: Bool
    /// Its characteristics are known.
    package var isResolved: Bool

    package init(
      path: String, address: String, name: String?, isConnected: Bool = false,
      isResolved: Bool = false
    ) {
      self.path = path
      self.address = address
      self.name = name
      self.isConnected = isConnected
      self.isResolved = isResolved
    }
  }
}

/// Which sensor is meant. Never the first one that is found: that may be a neighbour's.
package enum WantedSensor: Hashable, Sendable, CustomStringConvertible {
  /// Such as C0:F1:F2:F3:F4:F5, in letters of either case.
  case address(String)
  case name(String)

  func matches(_ device: BlueZObject.Device) -> Bool {
    switch self {
    case .address(let address): address.lowercased() == device.address.lowercased()
    case .name(let name): name == device.name
    }
  }

  /// For the log: of an address the last two bytes.
  package var description: String {
    switch self {
    case .address(let address): "sensor …\(address.suffix(5))"
    case .name(let name): name
    }
  }
}
