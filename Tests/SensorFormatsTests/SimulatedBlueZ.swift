import Instants

@testable import SensorFormats

/// BlueZ and straps as `SensorLink` sees them, in virtual time; delays as they were measured.
struct SimulatedBlueZ {
  static let adapter = "/org/bluez/hci0"
  static let strap = adapter + "/dev_C0"
  static let rate = strap + "/service000e/char000f"
  static let power = strap + "/service0012/char0013"
  private static let level = strap + "/service0010/char0011"

  var link: SensorLink
  /// Nil where the radio does not disturb this call.
  var fault: (LinkCall, _ second: Double) -> String? = { _, _ in nil }
  /// BlueZ knows the strap from before.
  var isKnown = false
  var isConnected = false
  var isPowered = true
  var hasAdapter = true
  var hasService = true
  /// The strap measures power too.
  var measuresPower = false
  /// What else the strap or another device has.
  var others: [BlueZObject] = []
  /// The services of a connected strap become known.
  var resolves = true
  /// When the strap is there and advertises.
  var presence: [ClosedRange<Double>] = [0...1_000_000]
  /// What is done and said, each with its second.
  private(set) var trace: [String] = []
  private(set) var callCount = 0

  private var queue: [(instant: BootInstant, event: LinkEvent)] = []
  private var now = at(0)

  init(_ sensors: [WantedSensor] = [.address("C0:F1:F2:F3:F4:F5")]) { link = SensorLink(sensors) }

  private var second: Double { (now - at(0)).inSeconds }

  private func isPresent(_ second: Double) -> Bool { presence.contains { $0.contains(second) } }

  private var device: BlueZObject {
    .device(
      .init(
        path: Self.strap, address: "C0:F1:F2:F3:F4:F5", name: "Strap 42",
        isConnected: isConnected, isResolved: isConnected))
  }

  private var objects: [BlueZObject] {
    var objects: [BlueZObject] = isKnown ? [device] : []
    if isConnected {
      objects.append(.characteristic(path: Self.rate, .heartRate))
      objects.append(.characteristic(path: Self.level, .battery))
      objects += others
      if measuresPower { objects.append(.characteristic(path: Self.power, .cyclingPower)) }
    }
    return hasAdapter ? objects + [.adapter(path: Self.adapter, isPowered: isPowered)] : []
  }

  mutating func start() { perform(link.start(at: now)) }

  mutating func stop() { perform(link.stop(at: now)) }

  /// An event that comes by itself.
  mutating func send(_ event: LinkEvent) { perform(link.handle(event, at: now)) }

  /// The strap's connection ends; BlueZ takes its battery away.
  mutating func lose() {
    isConnected = false
    send(.removed(path: Self.strap, interfaces: ["org.bluez.Battery1"]))
    send(.connected(device: Self.strap, false))
  }

  /// Lets time pass.
  mutating func run(until second: Double) {
    let end = at(second)
    while true {
      let next = queue.indices.min { queue[$0].instant < queue[$1].instant }
      let event = next.map { queue[$0].instant } ?? .never
      let deadline = link.deadline ?? .never
      guard min(event, deadline) <= end else { break }
      if let next, event <= deadline {
        now = event
        let event = queue.remove(at: next).event
        apply(event)
        send(event)
      } else {
        now = max(now, deadline)
        perform(link.check(at: now))
      }
    }
    now = end
  }

  private mutating func apply(_ event: LinkEvent) {
    if case .connected(_, let isConnected) = event { self.isConnected = isConnected }
    if case .added(.device) = event { isKnown = true }
  }

  private mutating func later(_ delay: Double, _ event: LinkEvent) {
    queue.append((now + .seconds(delay), event))
  }

  private mutating func perform(_ actions: [LinkAction]) {
    for action in actions {
      let text: String
      switch action {
      case .call(let number, let call):
        callCount += 1
        answer(number, call)
        switch call {
        case .watch: text = "watch"
        case .list: text = "list"
        case .power(_, let isOn): text = isOn ? "on" : "off"
        case .filter: text = "filter"
        case .startDiscovery: text = "scan"
        case .stopDiscovery: text = "stop scan"
        case .trust: text = "trust"
        case .connect: text = "connect"
        case .disconnect: text = "disconnect"
        case .notify: text = "notify"
        }
      case .report(let sensor, let report):
        text = report.battery.map { "\(sensor): battery \($0)" } ?? "\(sensor): \(report.texts)"
      case .heard(let sensor, let isHeard): text = "\(sensor) \(isHeard ? "heard" : "silent")"
      case .log(let line): text = "log: \(line)"
      }
      trace.append("\((second * 10).rounded() / 10) \(text)")
    }
  }

  private mutating func answer(_ number: Int, _ call: LinkCall) {
    if let fault = fault(call, second) { return later(0.1, .answered(number, .failed(fault))) }
    guard hasService else {
      return later(
        0, .answered(number, call == .list ? .noService : .failed("ServiceUnknown")))
    }
    switch call {
    case .list: later(0, .answered(number, .objects(objects)))
    case .power(_, let isOn):
      isPowered = isOn
      later(0.1, .answered(number, .done))
    case .startDiscovery:
      later(0.1, .answered(number, .done))
      let found = (0..<200).first { isPresent(second + Double($0) / 10) }
      if let found, !isConnected {
        later(0.1 + Double(found) / 10, isKnown ? .seen(device: Self.strap) : .added(device))
      }
    case .connect:
      let answers = (0..<400).first { isPresent(second + Double($0) / 10) }
      guard let answers else {
        return later(40.6, .answered(number, .failed("le-connection-abort-by-local")))
      }
      later(2 + Double(answers) / 10, .connected(device: Self.strap, true))
      later(2 + Double(answers) / 10, .answered(number, .done))
      if resolves { later(2.3 + Double(answers) / 10, .resolved(device: Self.strap)) }
    case .disconnect:
      later(0.1, .connected(device: Self.strap, false))
      later(0.1, .answered(number, .done))
    case .watch, .filter, .stopDiscovery, .trust, .notify: later(0, .answered(number, .done))
    }
  }

  /// What is done, without the lines of the log.
  var deeds: [String] { trace.filter { !$0.contains(" log: ") } }
  /// The seconds at which this was done.
  func seconds(_ deed: String) -> [Double] {
    trace.compactMap { line in
      let second = line.prefix { $0 != " " }
      return line.dropFirst(second.count + 1) == deed ? Double(second) : nil
    }
  }
}
