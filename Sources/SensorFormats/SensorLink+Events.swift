import Instants

// What comes from BlueZ, and what it changes.
extension SensorLink {
  mutating func answered(
    _ number: Int, _ call: LinkCall, _ answer: LinkAnswer, at now: BootInstant
  ) {
    var failure: String?
    if case .failed(let text) = answer { failure = text }
    switch call {
    case .list: listed(number, answer, at: now)
    case .power(let path, let isOn): switched(path, isOn, failure, number, at: now)
    case .startDiscovery: scanStarted(failure, at: now)
    // One that hangs shows itself when the next scan does not start.
    case .stopDiscovery: scan.state = .none
    case .connect: connectEnded(failure, number, at: now)
    case .notify(let path): subscribed(path, failure, number, at: now)
    case .watch, .filter, .trust, .disconnect: break
    }
  }

  mutating func listed(_ number: Int, _ answer: LinkAnswer, at now: BootInstant) {
    if answer == .noService {
      listsAt = nil
      return outbox.log("bluetoothd does not run")
    }
    guard case .objects(let objects) = answer else {
      outbox.log("BlueZ does not answer")
      for index in sensors.indices where sensors[index].state == .listing(call: number) {
        fail(index, "its characteristics cannot be listed", at: now)
      }
      listsAt = now + listRemedies.nextRest()
      return
    }
    listsAt = nil
    listRemedies.reset()
    // In any order: a device counts only beneath the adapter that is used.
    for case .adapter(let path, let isPowered) in objects { take(adapter: path, isPowered) }
    for case .device(let device) in objects { take(device, isListed: true, at: now) }
    for index in sensors.indices where sensors[index].state == .listing(call: number) {
      subscribe(index, objects, at: now)
    }
    if adapter.state == .missing { outbox.log("there is no Bluetooth adapter") }
  }

  /// The first one is used, until it is gone.
  mutating func take(adapter path: String, _ isPowered: Bool) {
    guard adapter.state == .missing else { return }
    if isPowered { adapter.state = .ready(path: path) } else { switchAdapter(path, on: true) }
  }

  mutating func take(
    _ device: BlueZObject.Device, isListed: Bool, at now: BootInstant
  ) {
    if let index = index(of: device.path) {
      // What is listed may have been seen long ago.
      if !isListed { seen(index) }
      return
    }
    guard let adapterPath = adapter.state.path, device.path.hasPrefix(adapterPath + "/"),
      let index = sensors.firstIndex(where: { $0.path == nil && $0.wanted.matches(device) })
    else { return }
    sensors[index].path = device.path
    sensors[index].state = .due
    sensors[index].isResolved = device.isResolved
    if device.isConnected { awaitServices(index, at: now) }
  }

  mutating func removed(_ path: String, _ interfaces: [String]) {
    if interfaces.contains("org.bluez.Device1"), let index = index(of: path) {
      silence(index)
      sensors[index].forget(path: true)
    }
    if interfaces.contains("org.bluez.Adapter1"), adapter.state.path == path {
      forgetAll()
      outbox.log("the Bluetooth adapter is gone")
      // There may be another one.
      outbox.call(.list)
    }
  }

  mutating func switched(
    _ path: String, _ isOn: Bool, _ failure: String?, _ number: Int, at now: BootInstant
  ) {
    guard adapter.state == .switching(path: path, on: isOn, call: number) else { return }
    if !isOn {
      switchAdapter(path, on: true)
    } else if let failure {
      outbox.log("the Bluetooth adapter cannot be switched on: \(failure)")
      adapter.rest(path, at: now)
    } else {
      adapter.state = .ready(path: path)
    }
  }

  private mutating func scanStarted(_ failure: String?, at now: BootInstant) {
    guard let failure else { return scan.began(at: now) }
    outbox.log("scanning failed: \(failure)")
    if scan.failed(at: now) { _ = powerCycle() }
  }

  private mutating func connectEnded(_ failure: String?, _ number: Int, at now: BootInstant) {
    for index in sensors.indices {
      guard case .connecting(number, let since) = sensors[index].state else { continue }
      if let failure {
        guard now - since >= Self.absence else {
          fail(index, "connecting failed: \(failure)", at: now)
          return
        }
        outbox.log("\(sensors[index].wanted) does not answer")
        sensors[index].remedies.reset()
        sensors[index].state = .absent
      } else {
        awaitServices(index, at: now)
      }
    }
  }

  mutating func connected(_ index: Int, _ isConnected: Bool, at now: BootInstant) {
    switch (sensors[index].state, isConnected) {
    case (.absent, true), (.due, true), (.resting, true): awaitServices(index, at: now)
    case (.resolving, false), (.listing, false), (.subscribing, false):
      sensors[index].isResolved = false
      fail(index, "the connection was lost", at: now)
    case (.heard, false):
      outbox.log("\(sensors[index].wanted) is lost")
      silence(index)
      sensors[index].forget(path: false)
    case (.absent, false), (.due, false), (.resting, false): sensors[index].isResolved = false
    // The call is answered.
    case (.connecting, _): break
    case (_, true): break
    }
  }

  mutating func resolved(_ index: Int) {
    sensors[index].isResolved = true
    if case .resolving = sensors[index].state { list(index) }
  }

  private mutating func subscribed(
    _ path: String, _ failure: String?, _ number: Int, at now: BootInstant
  ) {
    for index in sensors.indices {
      switch sensors[index].subscribed(path, call: number, hasFailed: failure != nil) {
      case .none, .waits: break
      case .hasNothing: fail(index, "listening failed: \(failure ?? "")", at: now)
      case .isHeard:
        outbox.add(.heard(sensor: index, true))
        outbox.log("\(sensors[index].wanted) is heard")
      }
    }
  }

  mutating func report(
    _ bytes: [UInt8], of characteristic: SensorCharacteristic, sensor index: Int,
    at now: BootInstant
  ) {
    let report = sensors[index].decoder.take(bytes, of: characteristic, at: now)
    if !report.isEmpty { outbox.add(.report(sensor: index, report)) }
  }
}
