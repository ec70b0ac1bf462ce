import CMosquitto
import Glibc

/// One connection to a broker by libmosquitto, without waiting; its name is looked up first, which does wait.
final class Broker {
  enum Event {
    /// The broker has taken the user and the password.
    case ready
    case message(topic: String, payload: [UInt8], isRetained: Bool)
    /// It sends nothing of a topic that was subscribed to.
    case refused(topic: String)
    case ended(String)
  }

  struct Message: Hashable {
    var topic: String
    var payload: [UInt8]
    var isRetained: Bool
    var qos: Int32
  }

  private var client: OpaquePointer?
  private var events: [Event] = []
  /// Sent with QoS 1 and not acknowledged.
  private var unacknowledged = 0
  private var waiting: [Message] = []
  /// Subscriptions without an answer, by the numbers of their packets.
  private var subscribing: [Int32: String] = [:]
  /// The first fault that the library has logged of this connection: of TLS its code says nothing.
  private var fault: String?

  /// Messages that the library may keep.
  private static let inFlight = 8
  /// Topics that may wait.
  private static let most = 64
  private static let keepAlive: Int32 = 30

  init() { mosquitto_lib_init() }

  deinit {
    close()
    mosquitto_lib_cleanup()
  }

  /// Begins to connect. Returns why not; nil where it has begun.
  func connect(to place: BrokerPlace, will: Message?) -> String? {
    close()
    let context = Unmanaged.passUnretained(self).toOpaque()
    client = mosquitto_new(place.clientID, true, context)
    guard let client else { return "no memory" }
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, Int32(MQTT_PROTOCOL_V311))
    mosquitto_max_inflight_messages_set(client, UInt32(Self.inFlight))
    if let user = place.user { mosquitto_username_pw_set(client, user, place.password) }
    if let authorities = place.authorities {
      let code =
        authorities.isEmpty
        ? mosquitto_tls_set(client, nil, "/etc/ssl/certs", nil, nil, nil)
        : mosquitto_tls_set(client, authorities, nil, nil, nil, nil)
      guard code == Self.success else {
        let reason = reason(code)
        close()
        return "\(authorities): \(reason)"
      }
    }
    if let will {
      mosquitto_will_set(
        client, will.topic, Int32(will.payload.count), will.payload, will.qos, will.isRetained)
    }
    setCallbacks(client)
    let code = mosquitto_connect_async(client, place.host, Int32(place.port), Self.keepAlive)
    guard code == Self.success else {
      let reason = reason(code)
      close()
      return reason
    }
    return nil
  }

  private func setCallbacks(_ client: OpaquePointer) {
    mosquitto_log_callback_set(client) { _, context, level, text in
      guard level == MOSQ_LOG_ERR, let text else { return }
      let broker = Unmanaged<Broker>.fromOpaque(context!).takeUnretainedValue()
      broker.fault = broker.fault ?? String(cString: text)
    }
    mosquitto_connect_callback_set(client) { _, context, code in
      let broker = Unmanaged<Broker>.fromOpaque(context!).takeUnretainedValue()
      broker.events.append(
        code == 0 ? .ready : .ended(String(cString: mosquitto_connack_string(code))))
    }
    mosquitto_publish_callback_set(client) { _, context, _ in
      let broker = Unmanaged<Broker>.fromOpaque(context!).takeUnretainedValue()
      broker.unacknowledged -= 1
    }
    mosquitto_subscribe_callback_set(client) { _, context, number, count, granted in
      let broker = Unmanaged<Broker>.fromOpaque(context!).takeUnretainedValue()
      guard let topic = broker.subscribing.removeValue(forKey: number) else { return }
      // 0, 1 and 2 are the quality of service; a broker may grant less than was asked for.
      if count < 1 || granted.map({ $0[0] > 2 }) ?? true {
        broker.events.append(.refused(topic: topic))
      }
    }
    mosquitto_message_callback_set(client) { _, context, message in
      guard let message = message?.pointee, let topic = message.topic else { return }
      let broker = Unmanaged<Broker>.fromOpaque(context!).takeUnretainedValue()
      let payload = UnsafeRawBufferPointer(
        start: message.payload, count: max(0, Int(message.payloadlen)))
      // What is longer is read nowhere.
      broker.events.append(
        .message(
          topic: String(cString: topic), payload: Array(payload.prefix(Broker.longest)),
          isRetained: message.retain))
    }
  }

  /// One byte more than a message that is read.
  private static let longest = 16 * 1024 + 1

  var descriptor: Int32 { client.map { mosquitto_socket($0) } ?? -1 }
  var wantsToWrite: Bool { client.map { mosquitto_want_write($0) } ?? false }

  /// Reads, writes, keeps alive. Returns what has happened; after an end there is no connection.
  func turn(isReadable: Bool, isWritable: Bool) -> [Event] {
    guard let client else { return [] }
    var code = Self.success
    if isReadable { code = mosquitto_loop_read(client, 1) }
    if code == Self.success, isWritable || mosquitto_want_write(client) {
      code = mosquitto_loop_write(client, 1)
    }
    if code == Self.success { code = mosquitto_loop_misc(client) }
    guard code == Self.success else {
      var events = events
      let isSaid = events.contains { if case .ended = $0 { true } else { false } }
      if !isSaid { events.append(.ended(reason(code))) }
      close()
      return events
    }
    flush()
    defer { events = [] }
    return events
  }

  func subscribe(_ topic: String) {
    guard let client else { return }
    var number: Int32 = 0
    if mosquitto_subscribe(client, &number, topic, 1) == Self.success {
      subscribing[number] = topic
    }
  }

  /// The newest message of a topic takes the place of one that waits.
  func publish(_ message: Message) {
    guard client != nil else { return }
    waiting.removeAll { $0.topic == message.topic }
    if waiting.count < Self.most { waiting.append(message) }
    flush()
  }

  private func flush() {
    guard let client else { return }
    while let message = waiting.first, unacknowledged < Self.inFlight {
      waiting.removeFirst()
      let code = mosquitto_publish(
        client, nil, message.topic, Int32(message.payload.count), message.payload, message.qos,
        message.isRetained)
      if code == Self.success { unacknowledged += 1 }
    }
  }

  /// True once the broker has everything.
  var isIdle: Bool { waiting.isEmpty && unacknowledged <= 0 && !wantsToWrite }

  /// Says good-bye, so that no last will is sent.
  func leave() {
    guard let client else { return }
    mosquitto_disconnect(client)
    mosquitto_loop_write(client, 1)
    close()
  }

  func close() {
    if let client { mosquitto_destroy(client) }
    client = nil
    events = []
    waiting = []
    subscribing = [:]
    unacknowledged = 0
    fault = nil
  }

  private static let success = Int32(MOSQ_ERR_SUCCESS.rawValue)

  private func reason(_ code: Int32) -> String {
    switch mosq_err_t(code) {
    case MOSQ_ERR_ERRNO where errno == 0: return "what it sends is no MQTT"
    case MOSQ_ERR_ERRNO: return String(cString: strerror(errno))
    case MOSQ_ERR_KEEPALIVE: return "it does not answer"
    case MOSQ_ERR_NOMEM: return "it sends more than is read"
    case MOSQ_ERR_TLS:
      // Such as "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed".
      return "TLS: \(fault?.split(separator: ":").last.map { String($0) } ?? "no connection")"
    default:
      let text = String(cString: mosquitto_strerror(code))
      // libmosquitto has no text for many of its codes.
      return text == "Unknown error." ? "MQTT error \(code)" : text
    }
  }
}

/// Where a broker is, and as whom to connect.
struct BrokerPlace {
  var host: String
  var port: Int
  var clientID: String
  /// Nil: no TLS; empty: those of the system.
  var authorities: String?
  var user: String?
  var password: String?
}
