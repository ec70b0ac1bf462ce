import CSystemd
import Glibc
import SensorFormats
import SurfaceProgram
import SystemIO
import SystemdLink

/// BlueZ over D-Bus: calls that are answered later, and signals as events. Used by one thread; nothing waits.
final class BlueZBus {
  private let connection = BusConnection(.system)
  private(set) var events: [LinkEvent] = []
  /// Messages of the bus: everybody on it may send some to this process. Each sensor sends a few in a second.
  private(set) var read = ReadLimit(500)
  /// The last listing, for `scan`.
  private(set) var listing = BusObjects()
  /// Whose signals count: the connection that has the name org.bluez. Nil until it has answered.
  ///
  /// Everybody on the system bus may send a signal to this process alone, and sd-bus takes any sender for a name.
  private var bluez: String?

  /// A call that waits for its answer. Kept alive by the bus until then.
  private final class Waiting {
    let number: Int
    let isList: Bool
    weak var owner: BlueZBus?

    init(_ number: Int, isList: Bool, _ owner: BlueZBus) {
      (self.number, self.isList, self.owner) = (number, isList, owner)
    }
  }

  /// What is read of a message.
  private final class Reader {
    var objects = BusObjects()
  }

  private var bus: OpaquePointer? { connection.bus }
  var isOpen: Bool { bus != nil }
  var descriptor: Int32 { connection.descriptor }
  var wantsToWrite: Bool { connection.wantsToWrite }
  var timeout: Int64? { connection.timeout }

  /// Returns why not.
  func open() -> String? { connection.open() }

  func close() {
    connection.close()
    bluez = nil
    events = []
  }

  func takeEvents() -> [LinkEvent] {
    defer { events = [] }
    return events
  }

  /// Handles what has come. Returns why the bus is gone; nil while it is there.
  func process() -> String? {
    let now = MachineTime.boot
    switch connection.process(most: read.left(at: now)) {
    case .failure(let fault): return fault.description
    case .success(let count): read.take(count, at: now)
    }
    return nil
  }

  // MARK: Calls

  func perform(_ number: Int, _ call: LinkCall) {
    switch call {
    case .watch:
      let context = Unmanaged.passUnretained(self).toOpaque()
      for match in Self.matches {
        guard let bus, cuecoach_bus_match(bus, match, Self.signalled, context) >= 0 else {
          return fail(number)
        }
      }
      events.append(.answered(number, .done))
    case .list:
      send(number, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", isList: true)
    case .power(let adapter, let isOn):
      send(number, adapter, "org.bluez.Adapter1", "Powered", set: isOn)
    case .filter(let adapter):
      send(
        number, adapter, "org.bluez.Adapter1", "SetDiscoveryFilter",
        services: SensorCharacteristic.services)
    case .startDiscovery(let adapter):
      send(number, adapter, "org.bluez.Adapter1", "StartDiscovery")
    case .stopDiscovery(let adapter):
      send(number, adapter, "org.bluez.Adapter1", "StopDiscovery")
    case .trust(let device): send(number, device, "org.bluez.Device1", "Trusted", set: true)
    case .connect(let device): send(number, device, "org.bluez.Device1", "Connect")
    case .disconnect(let device): send(number, device, "org.bluez.Device1", "Disconnect")
    case .notify(let characteristic):
      send(number, characteristic, "org.bluez.GattCharacteristic1", "StartNotify")
    }
  }

  private static let matches = [
    "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
      + "member='NameOwnerChanged',arg0='org.bluez'",
    "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',"
      + "member='PropertiesChanged'",
    "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.ObjectManager'",
  ]

  private func fail(_ number: Int) {
    events.append(.answered(number, .failed("the system bus takes no call")))
  }

  private func send(
    _ number: Int, _ path: String, _ interface: String, _ member: String, set value: Bool? = nil,
    services: [String]? = nil, isList: Bool = false
  ) {
    guard let bus else { return fail(number) }
    let waiting = Unmanaged.passRetained(Waiting(number, isList: isList, self))
    let texts = (services ?? []).map { strdup($0) }
    defer { for text in texts { free(text) } }
    var list = texts.map { UnsafePointer($0) } + [nil]
    let timeout = UInt64(LinkCall.timeout / .microseconds(1))
    let result = list.withUnsafeMutableBufferPointer { list in
      cuecoach_bus_call(
        bus, path, interface, member, value != nil, value ?? false,
        services == nil ? nil : list.baseAddress, timeout, Self.answered, waiting.toOpaque())
    }
    guard result < 0 else { return }
    waiting.release()
    fail(number)
  }

  private static let answered: sd_bus_message_handler_t = { message, context, _ in
    guard let context else { return 0 }
    let waiting = Unmanaged<Waiting>.fromOpaque(context).takeRetainedValue()
    guard let message, let owner = waiting.owner else { return 0 }
    if waiting.isList, cuecoach_bus_is_absence(message) {
      owner.events.append(.answered(waiting.number, .noService))
    } else if let error = cuecoach_bus_error(message) {
      owner.events.append(.answered(waiting.number, .failed(String(cString: error))))
    } else if waiting.isList {
      let reader = Reader()
      _ = cuecoach_bus_objects(message, visit, Unmanaged.passUnretained(reader).toOpaque())
      owner.listing = reader.objects
      owner.bluez = sender(message)
      owner.events.append(.answered(waiting.number, .objects(reader.objects.objects)))
    } else {
      owner.events.append(.answered(waiting.number, .done))
    }
    return 0
  }

  private static let signalled: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context else { return 0 }
    let owner = Unmanaged<BlueZBus>.fromOpaque(context).takeUnretainedValue()
    let reader = Reader()
    guard
      cuecoach_bus_signal(message, visit, Unmanaged.passUnretained(reader).toOpaque()) >= 0,
      let member = cuecoach_bus_member(message).map({ String(cString: $0) })
    else { return 0 }
    let objects = reader.objects
    let expected = member == "NameOwnerChanged" ? "org.freedesktop.DBus" : owner.bluez
    guard let expected, sender(message) == expected else { return 0 }
    switch member {
    case "PropertiesChanged": owner.events += objects.changes
    case "InterfacesAdded":
      owner.events += objects.objects.map { .added($0) }
      owner.events += objects.changes.filter { if case .battery = $0 { true } else { false } }
    case "InterfacesRemoved": owner.events += objects.removals
    case "NameOwnerChanged":
      owner.bluez = objects.items.first?.value.text.flatMap { $0.isEmpty ? nil : $0 }
      owner.events.append(owner.bluez == nil ? .serviceVanished : .serviceAppeared)
    default: break
    }
    return 0
  }

  private static func sender(_ message: OpaquePointer) -> String? {
    cuecoach_bus_sender(message).map { String(cString: $0) }
  }

  private static let visit: cuecoach_visit = {
    context, path, interface, key, text, number, bytes, count in
    guard let context, let path, let interface else { return }
    let value = BusObjects.Value(
      text: text.map { String(cString: $0) }, number: number,
      bytes: bytes.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? [])
    Unmanaged<Reader>.fromOpaque(context).takeUnretainedValue().objects.items.append(
      BusObjects.Item(
        path: String(cString: path), interface: String(cString: interface),
        key: key.map { String(cString: $0) }, value: value))
  }
}
