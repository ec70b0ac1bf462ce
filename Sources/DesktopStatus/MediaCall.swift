import ControlProtocol
import IntervalTimeline

/// A call of the media player, as it has come over the bus.
package enum MediaCall: Hashable, Sendable {
  case get(interface: String, String)
  /// The value is nil where it is none of a type that the player has.
  case set(interface: String, String, BusValue?)
  case all(interface: String)
  case introspect
  /// A method of an interface, or with nil of any.
  case method(interface: String?, String)
  /// Anything whose arguments are not of the types that they must be.
  case wrong(String)
}

/// What is answered.
package enum MediaAnswer: Hashable, Sendable {
  case value(BusValue)
  case values([String: BusValue])
  case text(String)
  case done
  /// Done, and the coach is to be asked for it.
  case asks(ControlRequest.Action)
  case refused(Refusal, String)

  package enum Refusal: String, Sendable {
    case noInterface = "org.freedesktop.DBus.Error.UnknownInterface"
    case noProperty = "org.freedesktop.DBus.Error.UnknownProperty"
    case noMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    case readOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
    case wrongArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    case notSupported = "org.freedesktop.DBus.Error.NotSupported"
    case tooMany = "org.freedesktop.DBus.Error.LimitsExceeded"
  }
}

extension MediaPlayer {
  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME.
  package func answer(_ call: MediaCall, at now: Int64) -> MediaAnswer {
    switch call {
    case .introspect: return .text(Self.introspection)
    case .all(let interface):
      guard let all = properties(of: interface, at: now) else { return .noInterface(interface) }
      return .values(all)
    case .get(let interface, let name):
      guard let all = properties(of: interface, at: now) else { return .noInterface(interface) }
      guard let value = all[name] else { return .noProperty(name) }
      return .value(value)
    case .set(let interface, let name, let value):
      guard let all = properties(of: interface, at: now) else { return .noInterface(interface) }
      guard let old = all[name] else { return .noProperty(name) }
      return set(name, value, from: old)
    case .method(let interface, let name): return perform(name, of: interface)
    case .wrong(let member):
      return .refused(.wrongArguments, "\(member.shownShort): the arguments have other types")
    }
  }

  private func set(_ name: String, _ value: BusValue?, from old: BusValue) -> MediaAnswer {
    guard name == "Volume" || name == "Rate" else {
      return .refused(.readOnly, "\(name) cannot be set")
    }
    guard case .double(let number) = value, case .double(let before) = old, number.isFinite else {
      return .refused(.wrongArguments, "\(name): expected a number, of type d")
    }
    if name == "Rate" {
      // A rate of 0 is a pause, says the specification; there is no other.
      return number == 0 ? perform("Pause", of: Self.player) : .done
    }
    let volume = Int((min(1, max(0, number)) * 100).rounded())
    guard Int((before * 100).rounded()) != volume else { return .done }
    if workouts.snapshot?.muted == true {
      return .asks(.desk(DeskRequest(.mute(false, volume: volume))))
    }
    return .asks(.volume(volume))
  }

  /// No key of a desktop ends a workout: `Stop` pauses it, and `Next` ends no last phase but one that waits for it.
  private func perform(_ name: String, of interface: String?) -> MediaAnswer {
    let own = Self.methods.filter { interface == nil || interface == $0.key }
    guard !own.isEmpty else { return .noInterface(interface ?? "") }
    guard own.values.contains(where: { $0.contains(name) }) else {
      return .refused(.noMethod, "there is no method \(name.shownShort)")
    }
    if name == "OpenUri" { return .refused(.notSupported, "workouts are started by cuecoach") }
    guard let lane = workouts.chosen, lane.state == .running || lane.state == .paused else {
      return .done
    }
    let isRunning = lane.state == .running
    let command: ControlRequest.LaneCommand? =
      switch name {
      case "Play": isRunning ? nil : .resume
      case "Pause", "Stop": isRunning ? .pause : nil
      case "PlayPause": .toggle
      case "Next": canGoNext ? .next : nil
      case "Previous": .back
      default: nil
      }
    return command.map { .asks(.command($0, lane: lane.name)) } ?? .done
  }

  private static let methods: [String: Set<String>] = [
    root: ["Raise", "Quit"],
    player: [
      "Next", "Previous", "Pause", "PlayPause", "Stop", "Play", "Seek", "SetPosition", "OpenUri",
    ],
  ]

  /// The types of the arguments of a method; nil for one that there is not.
  package static func arguments(of method: String) -> String? {
    switch method {
    case "Seek": "x"
    case "SetPosition": "ox"
    case "OpenUri": "s"
    default: methods.values.contains { $0.contains(method) } ? "" : nil
    }
  }

  private static let introspection: String = {
    func property(_ name: String, _ type: String, _ access: String, changes: Bool = true) -> String
    {
      let beginning = "  <property name=\"\(name)\" type=\"\(type)\" access=\"\(access)\""
      guard !changes else { return beginning + "/>" }
      return beginning
        + "><annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"false\"/></property>"
    }
    func method(_ name: String) -> String {
      let names = ["Seek": ["Offset"], "SetPosition": ["TrackId", "Position"], "OpenUri": ["Uri"]]
      let arguments = zip(names[name] ?? [], arguments(of: name) ?? "").map {
        "<arg direction=\"in\" type=\"\($1)\" name=\"\($0)\"/>"
      }
      return "  <method name=\"\(name)\">\(arguments.joined())</method>"
    }
    var lines = [
      "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\""
        + " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">", "<node>",
    ]
    let player = MediaPlayer()
    for interface in [root, Self.player] {
      lines.append(" <interface name=\"\(interface)\">")
      lines += (methods[interface] ?? []).sorted().map(method)
      for (name, value) in (player.properties(of: interface, at: 0) ?? [:]).sorted(by: {
        $0.key < $1.key
      }) {
        let access = name == "Volume" || name == "Rate" ? "readwrite" : "read"
        lines.append(property(name, value.signature, access, changes: name != "Position"))
      }
      if interface == Self.player {
        lines.append("  <signal name=\"Seeked\"><arg type=\"x\" name=\"Position\"/></signal>")
      }
      lines.append(" </interface>")
    }
    return (lines + standard + ["</node>"]).joined(separator: "\n") + "\n"
  }()

  /// The interfaces that every object has.
  private static let standard = [
    """
     <interface name="org.freedesktop.DBus.Properties">
      <method name="Get"><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="out" type="v"/></method>
      <method name="GetAll"><arg direction="in" type="s"/><arg direction="out" type="a{sv}"/></method>
      <method name="Set"><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="in" type="v"/></method>
      <signal name="PropertiesChanged"><arg type="s"/><arg type="a{sv}"/><arg type="as"/></signal>
     </interface>
     <interface name="org.freedesktop.DBus.Introspectable">
      <method name="Introspect"><arg direction="out" type="s"/></method>
     </interface>
     <interface name="org.freedesktop.DBus.Peer">
      <method name="Ping"/>
      <method name="GetMachineId"><arg direction="out" type="s"/></method>
     </interface>
    """
  ]
}

extension MediaAnswer {
  fileprivate static func noInterface(_ name: String) -> MediaAnswer {
    .refused(.noInterface, "there is no interface \(name.shownShort)")
  }

  fileprivate static func noProperty(_ name: String) -> MediaAnswer {
    .refused(.noProperty, "there is no property \(name.shownShort)")
  }
}

/// Commands that are taken in a second: fewer than a program can send, more than anybody presses.
package struct CommandLimit: Sendable {
  private var since: Int64 = 0
  private var count = 0

  private static let most = 20
  private static let second: Int64 = 1_000_000_000

  package init() {}

  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME.
  package mutating func allows(at now: Int64) -> Bool {
    if now - since >= Self.second { (since, count) = (now, 0) }
    count += 1
    return count <= Self.most
  }
}
