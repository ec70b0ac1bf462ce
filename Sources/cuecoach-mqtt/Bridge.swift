import CGlibc
import ControlProtocol
import ControlSocket
import Glibc
import IntervalTimeline
import MQTTMaps
import SurfaceProgram
import SystemIO
import SystemdLink

/// Joins the coach's two sockets and the broker in one thread.
final class Bridge {
  private let settings: BridgeSettings
  private let place: BrokerPlace
  private let device: HomeDevice?
  private var reader: MessageReader
  private let broker = Broker()
  private let sense: CoachPeer
  private let remote: CoachPeer
  private let endSignals: Int32
  private let log = ServiceLog { Log.write($0) }
  /// The log says that there is no connection to the broker.
  private var hasToldLoss = false
  private let isVerbose: Bool
  /// The reading that was published last; nil: none.
  private var published: JSONValue?

  /// The coach as it last was; nil while it is away.
  private var snapshot: CoachSnapshot?
  private var presets: [String] = []
  /// The request for a list of presets, and what came before its answer; nil: none is asked for.
  private var list: (request: RequestID, names: [String])?
  /// The preset that is chosen for the next start.
  private var preset: String?
  /// Since when the broker takes messages; nil: it does not.
  private var readySince: Int64?
  private var isReady: Bool { readySince != nil }
  private var attemptAt: Int64 = 0
  private var backOff = BackOff(from: .seconds(1), to: .seconds(60))
  /// When Home Assistant last asked for everything anew.
  private var bornAt: Int64 = -second
  /// What the broker has, by topic: the same is not sent again.
  private var sent: [String: [UInt8]] = [:]

  /// Messages of the broker: a burst is read at once, for a broker drops what it cannot send.
  private var read = ReadLimit(2000)

  private static let second: Int64 = 1_000_000_000
  /// Bytes that the process may have allocated: a broker decides how much libmosquitto keeps.
  private static let mostMemory = 16 * 1024 * 1024

  init(
    _ settings: BridgeSettings, place: BrokerPlace, sense: [String], remote: [String],
    version: String, endSignals: Int32, isVerbose: Bool
  ) {
    self.settings = settings
    self.place = place
    self.endSignals = endSignals
    self.isVerbose = isVerbose
    reader = MessageReader(settings.maps)
    device =
      settings.isHomeDevice
      ? HomeDevice(id: settings.deviceID, name: settings.deviceName, version: version) : nil
    self.sense = CoachPeer(sense, subscribes: false)
    self.remote = CoachPeer(remote, subscribes: true)
  }

  /// Until a signal asks for the end.
  func run() {
    while true {
      connect()
      guard let ready = wait() else { break }
      let descriptor = broker.descriptor
      let events = broker.turn(
        isReadable: ready.canRead(descriptor), isWritable: ready.canWrite(descriptor))
      for event in events {
        if case .message = event { read.take(1, at: MachineTime.boot) }
        take(event)
      }
      if broker.descriptor >= 0, Self.allocated > Self.mostMemory {
        take(.ended("it sends more than is read"))
      }
      for event in sense.turn(at: MachineTime.boot) { take(event, isSense: true) }
      for event in remote.turn(at: MachineTime.boot) { take(event, isSense: false) }
    }
    end()
  }

  // MARK: Connections

  private func connect() {
    let now = MachineTime.boot
    for (peer, name) in [(sense, "sense"), (remote, "remote")] {
      if let reason = peer.connectIfDue(at: now) {
        log.log(.notice, "the coach's socket \(name) is not there: \(reason); trying again")
      }
    }
    guard broker.descriptor < 0, attemptAt <= now else { return }
    let will = device.map { message($0.availabilityTopic, Array("offline".utf8)) }
    if let reason = broker.connect(to: place, will: will) { ended(reason) }
  }

  private func ended(_ reason: String) {
    let now = MachineTime.boot
    let wait = backOff.next(after: .nanoseconds(readySince.map { now - $0 } ?? 0))
    readySince = nil
    sent = [:]
    attemptAt = now + wait.wholeNanoseconds
    let line = "no connection to the broker \(place.host):\(place.port): \(reason); trying again"
    if log.log(.notice, line) { hasToldLoss = true }
  }

  private static var allocated: Int {
    let now = mallinfo2()
    return now.uordblks + now.hblkhd
  }

  /// Waits until something is to be done, for a second at most: libmosquitto's keep-alive.
  ///
  /// - Returns: what has come; nil where the process is to end.
  private func wait() -> SurfaceWait? {
    var wait = SurfaceWait(endSignals)
    wait.add(broker.descriptor, writes: broker.wantsToWrite, within: read)
    wait.add(until: MachineTime.boot + Self.second)
    if broker.descriptor < 0 { wait.add(until: attemptAt) }
    for peer in [sense, remote] {
      wait.add(peer.descriptor, writes: peer.wantsToWrite)
      if !peer.isConnected { wait.add(until: peer.attemptAt) }
    }
    return wait.wait() ? nil : wait
  }

  /// The broker hears that the coach is offline, if it listens.
  private func end() {
    if isReady, let device {
      broker.publish(message(device.availabilityTopic, Array("offline".utf8)))
      let limit = MachineTime.boot + Self.second
      while !broker.isIdle, broker.descriptor >= 0, MachineTime.boot < limit {
        var wait = pollfd(
          fd: broker.descriptor, events: Int16(broker.wantsToWrite ? POLLIN | POLLOUT : POLLIN),
          revents: 0)
        poll(&wait, 1, 100)
        _ = broker.turn(
          isReadable: wait.revents & ~Int16(POLLOUT) != 0,
          isWritable: wait.revents & Int16(POLLOUT) != 0)
      }
    }
    broker.leave()
  }

  // MARK: The broker

  private func take(_ event: Broker.Event) {
    switch event {
    case .ready:
      readySince = MachineTime.boot
      let line = "connected to the broker \(place.host):\(place.port)"
      if hasToldLoss { log.answer(.notice, line) } else { log.log(.notice, line) }
      hasToldLoss = false
      for topic in reader.topics { broker.subscribe(topic) }
      if let device {
        broker.subscribe(device.commandFilter)
        broker.subscribe(HomeDevice.birthTopic)
      }
      publish(again: true)
    case .ended(let reason):
      broker.close()
      ended(reason)
    case .message(let topic, let payload, let isRetained):
      take(topic, payload, isRetained)
    case .refused(let topic):
      log.log(
        .warning,
        "the broker \(place.host):\(place.port) sends nothing of \"\(topic)\": it refuses the subscription"
      )
    }
  }

  private func take(_ topic: String, _ payload: [UInt8], _ isRetained: Bool) {
    let now = MachineTime.boot
    for action in reader.take(topic, payload, isRetained: isRetained, at: now) {
      ask(action, of: topic, at: now)
    }
    guard let device else { return }
    let isBirth = topic == HomeDevice.birthTopic && payload == HomeDevice.birth && !isRetained
    if isBirth, now - bornAt >= Self.second {
      bornAt = now
      askForPresets()
      publish(again: true)
    }
    switch device.command(topic, payload, isRetained: isRetained, preset: preset) {
    case .request(let action): ask(action, of: topic, at: now)
    case .choose(let name) where presets.contains(name):
      preset = name
      publish()
    case .choose, nil: break
    }
  }

  private func ask(_ action: ControlRequest.Action, of topic: String, at now: Int64) {
    let isSense =
      switch action {
      case .value, .signal, .command(.rep, _): true
      default: false
      }
    // A value has its own life.
    let sentAt: Int64? = if case .value = action { nil } else { now }
    let isSent = (isSense ? sense : remote).request(action, sentAt: sentAt) != nil
    if isVerbose {
      let verb = ControlRequest(.number(0), action).verb.rawValue
      log.answer(.info, "\(topic): \(verb)" + (isSent ? "" : ", not sent"))
    }
  }

  // MARK: The coach

  private func take(_ event: CoachPeer.Event, isSense: Bool) {
    switch event {
    case .ended(let reason):
      log.log(.notice, "the coach is not there: \(reason); trying again")
      guard !isSense else { return }
      snapshot = nil
      publish()
    case .message(.greeting), .speech: break
    case .message(.answer(let answer)):
      if let refusal = answer.refusal {
        if !isSense, let list, answer.id == list.request { self.list = nil }
        // A map sends all that a machine measures, and few workouts have a use for all of it.
        guard isVerbose || refusal.code != .noEffect else { return }
        log.log(.notice, "the coach refuses: \(refusal.message)")
      } else if let now = answer.snapshot {
        snapshot = now
        list = nil
        askForPresets()
        publish()
      } else if let entries = answer.presets, let list {
        let names =
          list.names + entries.filter { $0.error == nil && !$0.name.contains("/") }.map(\.name)
        if let next = answer.following {
          self.list = remote.request(next).map { ($0, names) }
          return
        }
        presets = names
        self.list = nil
        if !presets.contains(preset ?? "") { preset = presets.first }
        publish()
      }
    case .message(.event(let event)):
      snapshot?.apply(event)
      publish()
    }
  }

  /// One list at a time.
  private func askForPresets() {
    guard list == nil else { return }
    list = remote.request(.presets(nil, outline: false)).map { ($0, []) }
  }

  // MARK: Home Assistant

  private func message(_ topic: String, _ payload: [UInt8]) -> Broker.Message {
    Broker.Message(topic: topic, payload: payload, isRetained: true, qos: 1)
  }

  /// Publishes what has changed, or with `again` all of it.
  private func publish(again: Bool = false) {
    guard isReady, let device else { return }
    if again { (sent, published) = ([:], nil) }
    let config = device.discovery(presets: presets, hasReadings: settings.publishesReadings)
    send(device.discoveryTopic, config.bytes)
    if let snapshot {
      send(device.stateTopic, device.state(snapshot, preset: preset).bytes)
    }
    send(device.availabilityTopic, Array((snapshot == nil ? "offline" : "online").utf8))
    publishReading()
  }

  /// Publishes the reading that is compared with a target, or that there is none any more. Never retained: it is health data.
  private func publishReading() {
    guard settings.publishesReadings, isReady, let device else { return }
    let reading = snapshot.flatMap(device.reading)
    guard reading != published else { return }
    published = reading
    broker.publish(
      Broker.Message(
        topic: device.readingTopic, payload: (reading ?? HomeDevice.noReading).bytes,
        isRetained: false, qos: 0))
  }

  private func send(_ topic: String, _ payload: [UInt8]) {
    guard sent[topic] != payload else { return }
    sent[topic] = payload
    broker.publish(message(topic, payload))
  }
}
