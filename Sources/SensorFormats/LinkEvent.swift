/// What `SensorLink` learns of BlueZ.
package enum LinkEvent: Hashable, Sendable {
  /// NameOwnerChanged: bluetoothd has its name.
  case serviceAppeared
  /// NameOwnerChanged: bluetoothd is gone.
  case serviceVanished
  /// The answer to a call, by its number. Each call is answered, after `LinkCall.timeout` with an error.
  case answered(Int, LinkAnswer)
  /// InterfacesAdded. A device is handed in again when its name comes later.
  case added(BlueZObject)
  /// InterfacesRemoved, with the names of the interfaces: a battery's goes at each end of a connection.
  case removed(path: String, interfaces: [String])
  /// PropertiesChanged: Powered.
  case powered(adapter: String, Bool)
  /// PropertiesChanged: RSSI. The device advertises.
  case seen(device: String)
  /// PropertiesChanged: Connected.
  case connected(device: String, Bool)
  /// PropertiesChanged: ServicesResolved is true.
  case resolved(device: String)
  /// PropertiesChanged: Percentage.
  case battery(device: String, percent: Int)
  /// PropertiesChanged: Value.
  case value(characteristic: String, [UInt8])
}

/// How a call ended.
package enum LinkAnswer: Hashable, Sendable {
  case done
  /// Of `LinkCall.list`.
  case objects([BlueZObject])
  /// Of `LinkCall.list`: bluetoothd does not run. Its start is an event.
  case noService
  /// With the error's text.
  case failed(String)
}

/// What the holder of a `SensorLink` does, in this order.
package enum LinkAction: Hashable, Sendable {
  /// Calls BlueZ without waiting. The answer is handed in with the number.
  case call(Int, LinkCall)
  /// A sensor said something. The number is its place in the list.
  case report(sensor: Int, SensorReport)
  /// From now on a sensor is heard, or is not.
  case heard(sensor: Int, Bool)
  /// A line for the log. There may be many: the holder limits them.
  case log(String)
}

/// A call of BlueZ.
package enum LinkCall: Hashable, Sendable {
  /// Adds the matches of all signals that are events.
  case watch
  /// GetManagedObjects.
  case list
  /// Sets Powered.
  case power(adapter: String, Bool)
  /// SetDiscoveryFilter: low energy, and `SensorCharacteristic.services`.
  case filter(adapter: String)
  case startDiscovery(adapter: String)
  case stopDiscovery(adapter: String)
  /// Sets Trusted. The object of a device that is not trusted goes when connecting fails.
  case trust(device: String)
  case connect(device: String)
  case disconnect(device: String)
  /// StartNotify.
  case notify(characteristic: String)

  /// Connecting to an absent sensor fails after 40.6 s. A call that is given up before goes on in BlueZ, and each
  /// other one is answered "InProgress".
  package static var timeout: Duration { .seconds(60) }
}
