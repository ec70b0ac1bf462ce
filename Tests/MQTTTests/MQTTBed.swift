import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import IntervalTimeline
import Synchronization
import TestSupport

@testable import cuecoach_mqtt

/// The coach's sockets, without a coach: what is requested is noted.
final class SocketsOfCoach: Sendable {
  private struct State {
    var taken: [ControlRequest.Action] = []
    var subscriptions = 0
    /// How often the presets were asked for.
    var lists = 0
    var refusesNextList = false
    var server: ControlServer?
  }

  /// Protects everything.
  private let state = Mutex(State())

  init(in folder: String) throws {
    let server = try ControlServer(
      [.init("\(folder)/sense", .sense), .init("\(folder)/remote", .remote)], version: "1.2.3",
      handle: { [weak self] request, _, answer in self?.take(request, answer) })
    state.withLock { $0.server = server }
  }

  deinit { state.withLock { $0.server }?.stop() }

  var taken: [ControlRequest.Action] { state.withLock { $0.taken } }

  var subscriptions: Int { state.withLock { $0.subscriptions } }
  var isSubscribedTo: Bool { subscriptions > 0 }
  var lists: Int { state.withLock { $0.lists } }

  func refuseNextList() { state.withLock { $0.refusesNextList = true } }

  static let snapshot = CoachSnapshot(
    revision: 1, at: 1, wall: 1, lanes: [], device: DeviceSnapshot(.idle), volume: 80, warnings: [])

  private func take(_ request: ControlRequest, _ answer: ControlServer.Answer) {
    var reply = ControlAnswer(request.id, revision: 1)
    switch request.action {
    case .subscribe:
      reply.snapshot = Self.snapshot
      state.withLock { $0.subscriptions += 1 }
    case .presets:
      let isRefused = state.withLock { state in
        state.lists += 1
        defer { state.refusesNextList = false }
        return state.refusesNextList
      }
      guard !isRefused else {
        return answer(ControlAnswer(request.id, ControlError(.busy, "not now")))
      }
      reply.presets = [PresetEntry(name: "emom")]
      reply.omitted = 1
    case .desk(DeskRequest(.presets(after: "emom", folder: nil))):
      reply.presets = [PresetEntry(name: "tabata")]
    default: state.withLock { $0.taken.append(request.action) }
    }
    answer(reply)
  }

  func publish(volume: Int, revision: UInt64) {
    var event = ControlEvent(.volume, revision: revision, at: 1)
    event.volume = volume
    state.withLock { $0.server }?.publish(event)
  }

  /// A workout with a target of 200 watts, and what is measured.
  func publish(watts: Double?, revision: UInt64) throws {
    var lane = WorkoutStatus(name: "anna", workout: "Ride", state: .running, language: "en")
    lane.target = try watts.map { watts in
      let target =
        #"{"kind": "watts", "low": 190, "high": 210, "position": "inside", "words": "", "value": \#(watts)}"#
      return try JSONDecoder().decode(TargetStatus.self, from: Data(target.utf8))
    }
    var event = ControlEvent(.lane, revision: revision, at: 1)
    event.lane = lane
    state.withLock { $0.server }?.publish(event)
  }
}

/// A client of the broker, on a thread of its own.
final class Listener: Sendable {
  struct Heard: Hashable {
    var topic: String
    var text: String
    var isRetained: Bool
  }

  private struct State {
    var heard: [Heard] = []
    var outgoing: [Broker.Message] = []
    var isReady = false
    var isOver = false
  }

  /// Protects everything.
  private let state = Mutex(State())

  init(port: Int) {
    let name = "test-\(UUID().uuidString.prefix(8))"
    Thread.detachNewThread { [weak self] in
      let broker = Broker()
      let place = BrokerPlace(host: "127.0.0.1", port: port, clientID: name)
      while let self, !self.isOver {
        if broker.descriptor < 0 {
          self.state.withLock { $0.isReady = false }
          if broker.connect(to: place, will: nil) != nil {
            usleep(10_000)
            continue
          }
        }
        self.turn(broker)
      }
    }
  }

  deinit { state.withLock { $0.isOver = true } }

  private var isOver: Bool { state.withLock { $0.isOver } }
  var isReady: Bool { state.withLock { $0.isReady } }
  var heard: [Heard] { state.withLock { $0.heard } }

  func send(_ topic: String, _ text: String, isRetained: Bool = false) {
    let message = Broker.Message(
      topic: topic, payload: Array(text.utf8), isRetained: isRetained, qos: 1)
    state.withLock { $0.outgoing.append(message) }
  }

  private func turn(_ broker: Broker) {
    var wait = pollfd(
      fd: broker.descriptor, events: Int16(broker.wantsToWrite ? POLLIN | POLLOUT : POLLIN),
      revents: 0)
    poll(&wait, 1, 10)
    let events = broker.turn(
      isReadable: wait.revents & ~Int16(POLLOUT) != 0,
      isWritable: wait.revents & Int16(POLLOUT) != 0)
    for event in events {
      switch event {
      case .ready:
        broker.subscribe("#")
        state.withLock { $0.isReady = true }
      case .ended, .refused: broker.close()
      case .message(let topic, let payload, let isRetained):
        let text = String(decoding: payload, as: UTF8.self)
        state.withLock { $0.heard.append(Heard(topic: topic, text: text, isRetained: isRetained)) }
      }
    }
    // One after the other, so that none takes another's place.
    guard broker.descriptor >= 0, broker.isIdle else { return }
    let next: Broker.Message? = state.withLock {
      $0.isReady && !$0.outgoing.isEmpty ? $0.outgoing.removeFirst() : nil
    }
    if let next { broker.publish(next) }
  }
}

/// A broker, the coach's sockets, and the program between them.
final class MQTTBed {
  let files = TestFolder()
  let port: Int
  var coach: SocketsOfCoach?
  private(set) var mosquitto: Child?
  private(set) var bridge: Child?

  static let program = Bundle.main.bundleURL.appendingPathComponent("cuecoach-mqtt").path
  /// Of all broker programs, Debian's.
  static let mosquitto = "/usr/sbin/mosquitto"

  init(maps: String? = nil) throws {
    port = try Self.freePort()
    coach = try SocketsOfCoach(in: files.path("run"))
    try write(settings: maps.map { "maps:\n\($0)" } ?? "")
  }

  /// Both configurations.
  ///
  /// - Parameters:
  ///   - brokerOptions: lines of mosquitto.conf.
  ///   - isOpen: whether the broker takes clients without a user.
  ///   - broker: what follows the port.
  ///   - settings: lines of mqtt.yaml.
  func write(
    brokerOptions: String = "", isOpen: Bool = true, broker: String = "", settings: String = ""
  ) throws {
    try files.write(
      """
      user root
      listener \(port) 127.0.0.1
      allow_anonymous \(isOpen)
      \(brokerOptions)

      """, to: "mosquitto.conf")
    try files.write(
      """
      broker: {host: 127.0.0.1, port: \(port)\(broker)}
      device: {id: gym, name: Gym}
      \(settings)

      """, to: "mqtt.yaml")
  }

  /// - Parameter setUp: what sh(1) does before the broker takes its place.
  func startBroker(setUp: String = ":") throws {
    mosquitto = try Child(
      "/bin/sh",
      ["-c", "\(setUp); exec \(Self.mosquitto) -c \(files.path("mosquitto.conf"))"],
      errors: files.path("broker.log"))
  }

  /// One of Tests/mqtt/hostile-broker.
  func startHostileBroker(_ kind: String) throws {
    let program = SourceTree.path("Tests/mqtt/hostile-broker")
    mosquitto = try Child(
      "/usr/bin/env", ["python3", program, kind, "\(port)"], errors: files.path("broker.log"))
  }

  /// What the program has written, and the broker.
  var log: LogFile { LogFile(path: files.path("log")) }
  var brokerLog: LogFile { LogFile(path: files.path("broker.log")) }

  func startBridge() throws {
    bridge = try Child(
      Self.program, ["serve", "--config", files.path("mqtt.yaml"), "--sockets", files.path("run")],
      errors: files.path("log"))
  }

  /// Each test has another port, below the range from which the system takes ports for connections. So the port is still
  /// free when the broker binds it.
  private static let lastPort = Mutex(10_000 + Int(getpid()) % 9_000)

  /// One that nothing uses.
  private static func freePort() throws -> Int {
    for _ in 0..<1000 {
      let port = lastPort.withLock { port in
        port += 1
        return port
      }
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      address.sin_port = UInt16(port).bigEndian
      let code = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if code == 0 { return port }
    }
    throw Child.CannotStart(path: "a port")
  }
}
