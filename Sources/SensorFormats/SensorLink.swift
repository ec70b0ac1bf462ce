import Instants

/// The connection to sensors through BlueZ, as decisions: events in, actions out. It knows neither D-Bus nor a clock.
///
/// Known sensors are connected, for as long as BlueZ tries (40 s); then it scans for 20 s, and so on in turn. What
/// fails at once is tried again, with rests of 2 s to 30 s; last, the adapter is switched off and on.
package struct SensorLink: Sendable {
  /// A connection that fails sooner is disturbed; one that fails later has an absent sensor.
  static let absence = Duration.seconds(20)
  /// For the services of a connected sensor.
  static let resolving = Duration.seconds(30)

  var sensors: [PinnedSensor]
  var adapter = UsedAdapter()
  var scan = DeviceScan()
  /// When the objects are listed again, after a listing that failed.
  var listsAt: BootInstant?
  var listRemedies = Remedies()
  var outbox = LinkOutbox()
  private var isStopped = false

  /// - Parameter sensors: a sensor's number is its place in this list.
  package init(_ sensors: [WantedSensor]) { self.sensors = sensors.map { PinnedSensor($0) } }

  /// When `check` is needed next, if no event comes before. Nil: not without an event.
  package var deadline: BootInstant? {
    guard !isStopped else { return nil }
    let others = [adapter.deadline, scan.deadline, listsAt]
    return (sensors.map(\.deadline) + others).compactMap { $0 }.min()
  }

  /// After `stop`: the last calls are answered.
  package var isFinished: Bool { isStopped && outbox.isAnswered }

  /// The beginning. The signals are watched before the objects are listed, so that none is missed.
  package mutating func start(at now: BootInstant) -> [LinkAction] {
    outbox.call(.watch)
    outbox.call(.list)
    return advance(at: now)
  }

  /// Nothing but time has passed.
  package mutating func check(at now: BootInstant) -> [LinkAction] { advance(at: now) }

  /// The end. A connection outlives the program that made it: each sensor is disconnected. Later events change
  /// nothing; answers are waited for until `isFinished`.
  package mutating func stop(at now: BootInstant) -> [LinkAction] {
    guard !isStopped else { return [] }
    isStopped = true
    outbox.forget(keepsLists: false)
    if case .switching(let path, on: false, _) = adapter.state {
      outbox.call(.power(adapter: path, true))
    }
    if scan.isOn, let path = adapter.state.path { outbox.call(.stopDiscovery(adapter: path)) }
    for sensor in sensors where sensor.isConnected {
      if let path = sensor.path { outbox.call(.disconnect(device: path)) }
    }
    for index in sensors.indices { silence(index) }
    return outbox.take()
  }

  package mutating func handle(_ event: LinkEvent, at now: BootInstant) -> [LinkAction] {
    if isStopped {
      if case .answered(let number, _) = event { _ = outbox.answered(number) }
      return []
    }
    switch event {
    case .serviceAppeared:
      forgetAll()
      outbox.call(.list)
    case .serviceVanished:
      forgetAll()
      outbox.log("bluetoothd is gone")
    case .answered(let number, let answer):
      if let call = outbox.answered(number) {
        answered(number, call, answer, at: now)
      }
    case .added(.adapter(let path, let isPowered)):
      take(adapter: path, isPowered)
      // Its devices may have been told of before.
      outbox.call(.list)
    case .added(.device(let device)):
      take(device, isListed: false, at: now)
    case .added(.characteristic): break
    case .removed(let path, let interfaces):
      removed(path, interfaces)
    case .powered(let path, let isOn):
      if adapter.powered(path, isOn, at: now) {
        outbox.log("the Bluetooth adapter was switched off")
        forgetConnections()
      }
    case .seen(let device):
      if let index = index(of: device) { seen(index) }
    case .connected(let device, let isConnected):
      if let index = index(of: device) { connected(index, isConnected, at: now) }
    case .resolved(let device):
      if let index = index(of: device) { resolved(index) }
    case .battery(let device, let percent):
      guard let index = index(of: device), let byte = UInt8(exactly: percent) else { break }
      report([byte], of: .battery, sensor: index, at: now)
    case .value(let path, let bytes):
      for index in sensors.indices {
        guard let characteristic = sensors[index].characteristics[path] else { continue }
        report(bytes, of: characteristic, sensor: index, at: now)
      }
    }
    return advance(at: now)
  }
}

// What is done.
extension SensorLink {
  /// Everything that time and the last event have made due.
  private mutating func advance(at now: BootInstant) -> [LinkAction] {
    if let listsAt, listsAt <= now {
      self.listsAt = nil
      outbox.call(.list)
    }
    if case .off(let path, let until) = adapter.state, until <= now {
      switchAdapter(path, on: true)
    }
    for index in sensors.indices {
      switch sensors[index].state {
      case .resting(let until) where until <= now: sensors[index].state = .due
      case .resolving(let until) where until <= now:
        fail(index, "its services do not become known", at: now)
      default: break
      }
    }
    if case .ready(let path) = adapter.state { advanceScan(path, at: now) }
    return outbox.take()
  }

  /// Connecting and scanning in turn: a connection is not begun while a scan runs.
  private mutating func advanceScan(_ adapter: String, at now: BootInstant) {
    switch scan.state {
    case .starting, .stopping: return
    case .running(let until):
      let isOver = until <= now
      if isOver {
        for index in sensors.indices where sensors[index].path != nil { seen(index) }
      }
      guard isOver || sensors.contains(where: { $0.state == .due }) else { return }
      scan.state = .stopping(call: outbox.call(.stopDiscovery(adapter: adapter)))
      return
    case .resting(let until): if until <= now { scan.state = .none }
    case .none: break
    }
    for index in sensors.indices where sensors[index].state == .due { connect(index, at: now) }
    guard scan.state == .none, !sensors.contains(where: \.isConnecting),
      sensors.contains(where: { $0.state == .absent })
    else { return }
    outbox.call(.filter(adapter: adapter))
    scan.state = .starting(call: outbox.call(.startDiscovery(adapter: adapter)))
  }

  private mutating func connect(_ index: Int, at now: BootInstant) {
    guard let path = sensors[index].path else {
      sensors[index].state = .absent
      return
    }
    outbox.call(.trust(device: path))
    sensors[index].state = .connecting(call: outbox.call(.connect(device: path)), since: now)
  }

  /// An absent sensor advertises, or its turn has come.
  mutating func seen(_ index: Int) {
    if sensors[index].state == .absent { sensors[index].state = .due }
  }

  mutating func awaitServices(_ index: Int, at now: BootInstant) {
    sensors[index].state = .resolving(until: now + Self.resolving)
    if sensors[index].isResolved { list(index) }
  }

  mutating func list(_ index: Int) {
    sensors[index].state = .listing(call: outbox.call(.list))
  }

  mutating func subscribe(_ index: Int, _ objects: [BlueZObject], at now: BootInstant) {
    guard let device = sensors[index].path else { return }
    var calls: Set<Int> = []
    // The battery's level comes by itself: BlueZ listens to it, and lets nobody else.
    for case .characteristic(let path, let characteristic) in objects
    where path.hasPrefix(device + "/") && characteristic != .battery {
      sensors[index].characteristics[path] = characteristic
      calls.insert(outbox.call(.notify(characteristic: path)))
    }
    sensors[index].state = .subscribing(calls: calls)
    if calls.isEmpty { fail(index, "it has nothing that is understood", at: now) }
  }

  /// A connection that failed, for a reason that may pass.
  mutating func fail(_ index: Int, _ reason: String, at now: BootInstant) {
    outbox.log("\(sensors[index].wanted): \(reason)")
    if let path = sensors[index].path, !sensors[index].isConnecting {
      outbox.call(.disconnect(device: path))
    }
    sensors[index].forget(path: false)
    switch sensors[index].remedies.next() {
    case .again: break
    case .rest(let rest): sensors[index].state = .resting(until: now + rest)
    case .powerCycle:
      if !powerCycle() { sensors[index].state = .resting(until: now + Remedies.longestRest) }
    }
  }

  /// False where another sensor is heard, which it would interrupt.
  mutating func powerCycle() -> Bool {
    guard case .ready(let path) = adapter.state, !sensors.contains(where: { $0.state == .heard })
    else { return false }
    forgetConnections()
    switchAdapter(path, on: false)
    return true
  }

  mutating func switchAdapter(_ path: String, on: Bool) {
    adapter.state = .switching(path: path, on: on, call: outbox.call(.power(adapter: path, on)))
  }

  mutating func forgetConnections(paths: Bool = false) {
    outbox.forget(keepsLists: true)
    scan.state = .none
    for index in sensors.indices {
      silence(index)
      sensors[index].forget(path: paths)
    }
  }

  /// BlueZ has forgotten everything as well.
  mutating func forgetAll() {
    outbox.forget(keepsLists: false)
    scan = DeviceScan()
    forgetConnections(paths: true)
    adapter = UsedAdapter()
    listsAt = nil
  }

  mutating func silence(_ index: Int) {
    if sensors[index].state == .heard { outbox.add(.heard(sensor: index, false)) }
  }

  func index(of device: String) -> Int? { sensors.firstIndex { $0.path == device } }
}
