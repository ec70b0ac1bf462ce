import CSystemd
import DesktopStatus
import Glibc
import SystemdLink

/// The bus of the user's session: the media player that others call, and the notification server that is called. Used by
/// one thread; nothing waits.
final class SessionBus {
  enum Event {
    /// The name is this program's; false: another has it, and this one waits.
    case named(Bool)
    /// What the notification server can do.
    case abilities(Set<String>)
    /// A notice has its number, or with nil was refused.
    case shown(lane: String?, UInt32?)
    case closed(UInt32, byUser: Bool)
    case pressed(UInt32, String)
    /// The notification server is another one; false: it is gone.
    case server(Bool)
  }

  /// What is called, for its answer.
  private enum Question {
    case abilities
    case notice(String?)
  }

  private let connection = BusConnection(.own)
  private var events: [Event] = []
  private var questions: [UInt64: Question] = [:]
  /// The connection that has answered as the notification server: everybody may send this program the signals of one.
  private var server: String?
  private let answer: (MediaCall) -> MediaAnswer

  private static let notifications = "org.freedesktop.Notifications"
  private static let notificationsPath = "/org/freedesktop/Notifications"
  private static let properties = "org.freedesktop.DBus.Properties"
  /// A server that is started for the call takes a moment; microseconds.
  private static let patience: UInt64 = 25_000_000
  /// Calls that wait for an answer.
  private static let most = 128

  /// - Parameter answer: what the media player answers; it is called by `process`.
  init(_ answer: @escaping (MediaCall) -> MediaAnswer) { self.answer = answer }

  var isOpen: Bool { connection.bus != nil }
  var descriptor: Int32 { connection.descriptor }
  var wantsToWrite: Bool { connection.wantsToWrite }
  var timeout: Int64? { connection.timeout }

  /// Returns why not.
  func open(isPlayer: Bool) -> String? {
    if let reason = connection.open() { return reason }
    guard let bus = connection.bus else { return nil }
    let context = Unmanaged.passUnretained(self).toOpaque()
    var result: Int32 = 0
    if isPlayer {
      result = cuecoach_bus_serve(bus, MediaPlayer.path, Self.called, context)
      if result >= 0 { result = cuecoach_bus_own(bus, MediaPlayer.name, Self.named, context) }
    }
    for match in Self.matches where result >= 0 {
      result = cuecoach_bus_match(bus, match, Self.signalled, context)
    }
    guard result < 0 else { return nil }
    close()
    return String(cString: strerror(-result))
  }

  func close() {
    connection.close()
    (events, questions, server) = ([], [:], nil)
  }

  var hasEvents: Bool { !events.isEmpty }

  func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  func process(most: Int) -> Result<Int, BusFault> { connection.process(most: most) }

  private static let matches = [
    "type='signal',sender='\(notifications)',interface='\(notifications)',path='\(notificationsPath)'",
    "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
      + "member='NameOwnerChanged',arg0='\(notifications)'",
  ]

  private static func instance(_ context: UnsafeMutableRawPointer) -> SessionBus {
    Unmanaged<SessionBus>.fromOpaque(context).takeUnretainedValue()
  }

  private static func sender(_ message: OpaquePointer) -> String? {
    cuecoach_bus_sender(message).map { String(cString: $0) }
  }

  // MARK: The media player

  private static let named: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context else { return 0 }
    // 1: it has the name; 4: it had it before.
    let code = BusMessage.uint32(message)
    instance(context).events.append(.named(code == 1 || code == 4))
    return 0
  }

  private static let called: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context, let bus = instance(context).connection.bus,
      cuecoach_message_is_call(message)
    else { return 0 }
    // Introspection of other interfaces and pings are sd-bus's own.
    guard let call = mediaCall(message) else { return 0 }
    let result = reply(instance(context).answer(call), to: message, on: bus)
    return result < 0 ? result : 1
  }

  /// Nil for what the media player has nothing to say to.
  private static func mediaCall(_ message: OpaquePointer) -> MediaCall? {
    let interface = cuecoach_message_interface(message).map { String(cString: $0) }
    guard let member = cuecoach_bus_member(message).map({ String(cString: $0) }) else { return nil }
    func text() -> String { BusMessage.text(message) ?? "" }
    switch (interface, member) {
    case ("org.freedesktop.DBus.Peer", _): return nil
    case ("org.freedesktop.DBus.Introspectable", "Introspect"): return .introspect
    case (properties, "Get"):
      guard cuecoach_message_has(message, "ss") else { return .wrong(member) }
      return .get(interface: text(), text())
    case (properties, "GetAll"):
      guard cuecoach_message_has(message, "s") else { return .wrong(member) }
      return .all(interface: text())
    case (properties, "Set"):
      guard cuecoach_message_has(message, "ssv") else { return .wrong(member) }
      return .set(interface: text(), text(), BusMessage.number(message))
    default:
      if let types = MediaPlayer.arguments(of: member), !cuecoach_message_has(message, types) {
        return .wrong(member)
      }
      return .method(interface: interface, member)
    }
  }

  private static func reply(
    _ answer: MediaAnswer, to call: OpaquePointer, on bus: OpaquePointer
  ) -> Int32 {
    if case .refused(let refusal, let text) = answer {
      return cuecoach_message_refuse(call, refusal.rawValue, text)
    }
    var message: OpaquePointer?
    let result = cuecoach_message_answer(call, &message)
    guard result >= 0, let message else { return result }
    defer { cuecoach_message_release(message) }
    let filled: Int32 =
      switch answer {
      case .value(let value): BusMessage.appendVariant(value, to: message)
      case .values(let values): BusMessage.append(.map(values), to: message)
      case .text(let text): BusMessage.append(.text(text), to: message)
      case .done, .asks, .refused: 0
      }
    return filled < 0 ? filled : cuecoach_message_send(bus, message)
  }

  func tell(_ changes: MediaPlayer.Changes) {
    if !changes.properties.isEmpty {
      send(
        nil, MediaPlayer.path, Self.properties, "PropertiesChanged",
        [.text(MediaPlayer.player), .map(changes.properties), .texts([])])
    }
    if let seeked = changes.seeked {
      send(nil, MediaPlayer.path, MediaPlayer.player, "Seeked", [.int64(seeked)])
    }
  }

  // MARK: Notifications

  func askForAbilities() {
    send(
      Self.notifications, Self.notificationsPath, Self.notifications, "GetCapabilities", [],
      .abilities)
  }

  /// - Parameters:
  ///   - replaces: the notice whose place it takes; 0: none.
  ///   - abilities: what the server can do.
  func show(
    _ notice: Notice, replaces: UInt32, abilities: Set<String>, icon: String
  ) {
    guard questions.count < Self.most else { return refused(.notice(notice.lane)) }
    let buttons = abilities.contains("actions") ? notice.buttons : []
    var hints: [String: BusValue] = ["urgency": .byte(notice.isLow ? 0 : 1)]
    // A button does not take the notice away that has it.
    if !buttons.isEmpty { hints["resident"] = .bool(true) }
    // For what the desktop lets people set for each program.
    hints["desktop-entry"] = .text("cuecoach")
    let values: [BusValue] = [
      .text("cuecoach"), .uint32(replaces), .text(icon), .text(notice.title.forBus),
      .text(notice.body(hasMarkup: abilities.contains("body-markup"))),
      .texts(buttons.flatMap { [$0.button.rawValue, $0.label] }), .map(hints), .int32(-1),
    ]
    send(
      Self.notifications, Self.notificationsPath, Self.notifications, "Notify", values,
      .notice(notice.lane))
  }

  func closeNotice(_ id: UInt32) {
    send(
      Self.notifications, Self.notificationsPath, Self.notifications, "CloseNotification",
      [.uint32(id)])
  }

  /// A call, or without a destination a signal. One with a question is answered, also where it cannot be sent.
  private func send(
    _ destination: String?, _ path: String, _ interface: String, _ member: String,
    _ values: [BusValue], _ question: Question? = nil
  ) {
    var message: OpaquePointer?
    guard let bus = connection.bus,
      cuecoach_message_begin(bus, &message, destination, path, interface, member) >= 0, let message
    else {
      if let question { refused(question) }
      return
    }
    defer { cuecoach_message_release(message) }
    let isWhole = BusMessage.append(values, to: message) >= 0
    guard let question else {
      if isWhole { _ = cuecoach_message_send(bus, message) }
      return
    }
    var number: UInt64 = 0
    let context = Unmanaged.passUnretained(self).toOpaque()
    if isWhole,
      cuecoach_message_call(bus, message, Self.patience, Self.answered, context, &number) >= 0
    {
      questions[number] = question
    } else {
      refused(question)
    }
  }

  private static let answered: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context else { return 0 }
    let owner = instance(context)
    guard let question = owner.questions.removeValue(forKey: cuecoach_message_answered(message))
    else { return 0 }
    guard cuecoach_bus_error(message) == nil else {
      owner.refused(question)
      return 0
    }
    owner.server = sender(message)
    switch question {
    case .abilities: owner.events.append(.abilities(Set(BusMessage.texts(message))))
    case .notice(let lane):
      owner.events.append(.shown(lane: lane, BusMessage.uint32(message)))
    }
    return 0
  }

  private func refused(_ question: Question) {
    switch question {
    case .abilities: events.append(.abilities([]))
    case .notice(let lane): events.append(.shown(lane: lane, nil))
    }
  }

  private static let signalled: sd_bus_message_handler_t = { message, context, _ in
    guard let message, let context else { return 0 }
    let owner = instance(context)
    let member = cuecoach_bus_member(message).map { String(cString: $0) }
    if member == "NameOwnerChanged" {
      guard sender(message) == "org.freedesktop.DBus" else { return 0 }
      owner.server = nil
      // The name, its old owner, its new owner.
      let owners = (0..<3).map { _ in BusMessage.text(message) }
      owner.events.append(.server(owners[2]?.isEmpty == false))
      return 0
    }
    guard let server = owner.server, sender(message) == server,
      let id = BusMessage.uint32(message)
    else { return 0 }
    switch member {
    case "ActionInvoked":
      if let key = BusMessage.text(message) { owner.events.append(.pressed(id, key)) }
    case "NotificationClosed":
      // 2: the user has closed it.
      owner.events.append(.closed(id, byUser: BusMessage.uint32(message) == 2))
    default: break
    }
    return 0
  }
}
