import ControlProtocol
import IntervalTimeline

/// The coach as a device of Home Assistant: its topics, its discovery message, its states.
package struct HomeDevice: Hashable, Sendable {
  /// In topics and identifiers: letters, digits, hyphens and underscores.
  package var id: String
  /// What Home Assistant shows.
  package var name: String
  package var version: String

  package init(id: String, name: String, version: String) {
    self.id = id
    self.name = name
    self.version = version
  }

  /// The start of Home Assistant, which asks for discovery messages anew.
  package static let birthTopic = "homeassistant/status"
  package static let birth = Array("online".utf8)

  package var discoveryTopic: String { "homeassistant/device/\(id)/config" }
  package var availabilityTopic: String { "\(root)/available" }
  package var stateTopic: String { "\(root)/state" }
  package var readingTopic: String { "\(root)/reading" }
  /// Subscribed to: every command.
  package var commandFilter: String { "\(root)/command/+" }

  private var root: String { "cuecoach/\(id)" }

  // MARK: Discovery

  /// - Parameter presets: those that can be chosen, by name.
  package func discovery(presets: [String], hasReadings: Bool) -> JSONValue {
    var parts: [String: JSONValue] = [
      "phase": sensor("phase", "Phase", more: ["dev_cla": "enum", "ops": .list(Self.phases)]),
      "label": sensor("label", "Announcement", more: [:]),
      "next_phase": sensor("next_phase", "Next phase", more: [:]),
      "workout": sensor("workout", "Workout", more: [:]),
      "set": sensor("set", "Set", more: [:]),
      "sets": sensor("sets", "Sets", more: [:]),
      "target": sensor("target", "Target", more: [:]),
      "phase_ends": sensor("phase_ends", "Phase ends", more: ["dev_cla": "timestamp"]),
      "workout_ends": sensor("workout_ends", "Workout ends", more: ["dev_cla": "timestamp"]),
      "running": binary("running", "Running", of: "running"),
      "problem": binary("problem", "Audio problem", of: "problem"),
      "volume": part(
        "number", "volume", "Volume",
        [
          "val_tpl": "{{ value_json.volume }}", "cmd_t": .text(commandTopic("volume")), "min": 0,
          "max": 100, "step": 1, "unit_of_meas": "%",
        ]),
    ]
    if !presets.isEmpty {
      parts["preset"] = part(
        "select", "preset", "Preset",
        [
          "val_tpl": "{{ value_json.preset }}", "cmd_t": .text(commandTopic("preset")),
          "ops": .list(presets.map { .text($0) }),
        ])
    }
    for (key, name) in Self.buttons {
      var button = part(
        "button", key, name, ["cmd_t": .text(commandTopic(key)), "pl_prs": "PRESS"])
      // A button has no state.
      if case .object(var fields) = button {
        fields["stat_t"] = nil
        button = .object(fields)
      }
      parts[key] = button
    }
    if hasReadings {
      parts["reading"] = part(
        "sensor", "reading", "Reading",
        ["stat_t": .text(readingTopic), "val_tpl": "{{ value_json.value }}"])
    }
    return [
      "dev": [
        "ids": .list([.text(id)]), "name": .text(name), "mf": "cuecoach", "sw": .text(version),
      ],
      "o": ["name": "cuecoach-mqtt", "sw": .text(version)],
      "avty_t": .text(availabilityTopic),
      "qos": 1,
      "cmps": .object(parts),
    ]
  }

  private static let buttons = [
    ("start", "Start"), ("pause", "Pause"), ("resume", "Resume"), ("next", "Next"),
    ("back", "Back"), ("stop", "Stop"),
  ]
  private static let idle = "idle"
  private static let phases: [JSONValue] =
    [.text(idle)] + PhaseKind.allCases.map { .text($0.rawValue) }

  private func commandTopic(_ name: String) -> String { "\(root)/command/\(name)" }

  private func part(_ platform: String, _ key: String, _ name: String, _ more: [String: JSONValue])
    -> JSONValue
  {
    let fields: [String: JSONValue] = [
      "p": .text(platform), "uniq_id": .text("\(id)_\(key)"), "name": .text(name),
      "stat_t": .text(stateTopic),
    ]
    return .object(fields.merging(more) { _, own in own })
  }

  private func sensor(_ key: String, _ name: String, more: [String: JSONValue]) -> JSONValue {
    let template: JSONValue = .text("{{ value_json.\(key) }}")
    return part("sensor", key, name, ["val_tpl": template].merging(more) { _, own in own })
  }

  private func binary(_ key: String, _ name: String, of kind: String) -> JSONValue {
    part(
      "binary_sensor", key, name,
      [
        "dev_cla": .text(kind), "val_tpl": .text("{{ value_json.\(key) }}"), "pl_on": "on",
        "pl_off": "off",
      ])
  }

  // MARK: States

  /// What all its entities show. Of several workouts it is the first.
  ///
  /// - Parameter preset: the one that is chosen.
  package func state(_ snapshot: CoachSnapshot, preset: String?) -> JSONValue {
    let lane = snapshot.lanes.first { !$0.isOver }
    let isRunning = lane?.state == .running
    func instant(_ instant: BootInstant?) -> JSONValue {
      // What is paused has no end.
      guard isRunning, let instant else { return .null }
      return .text(WallTime.text(of: snapshot.wall + instant.nanoseconds - snapshot.at))
    }
    func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
    func number(_ number: Int?) -> JSONValue { number.map { .number(Double($0)) } ?? .null }
    return [
      "phase": .text(lane?.kind?.rawValue ?? Self.idle), "label": text(lane?.label),
      "next_phase": text(lane?.next), "workout": text(lane?.workout), "set": number(lane?.set),
      "sets": number(lane?.sets), "target": text(lane?.intensity),
      "phase_ends": instant(lane?.phaseEndsAt), "workout_ends": instant(lane?.workoutEndsAt),
      "running": isRunning ? "on" : "off",
      "problem": snapshot.device.state == .lost ? "on" : "off",
      "volume": number(snapshot.volume), "preset": text(preset),
    ]
  }

  /// The first workout's reading, for those who want it; nil where there is none.
  package func reading(_ snapshot: CoachSnapshot) -> JSONValue? {
    guard let target = snapshot.lanes.first(where: { !$0.isOver })?.target,
      let value = target.value
    else { return nil }
    return [
      "kind": .text(target.kind.rawValue), "value": .number(value),
      "position": .text(target.position.rawValue),
    ]
  }

  /// What is published where there is none any more.
  package static let noReading: JSONValue = ["kind": .null, "value": .null, "position": .null]

  // MARK: Commands

  package enum Command: Hashable, Sendable {
    case request(ControlRequest.Action)
    /// For the next start.
    case choose(String)
  }

  /// Nil for a message that is no command, or a retained one: it was given at some time in the past.
  ///
  /// - Parameter preset: the one that is chosen.
  package func command(
    _ topic: String, _ payload: [UInt8], isRetained: Bool, preset: String?
  ) -> Command? {
    let start = commandTopic("")
    guard !isRetained, topic.hasPrefix(start), payload.count <= 200 else { return nil }
    let verb = String(topic.dropFirst(start.count))
    let text = String(decoding: payload, as: UTF8.self)
    switch verb {
    case "volume":
      guard let number = JSONValue.text(text).reading, (0...100).contains(number) else {
        return nil
      }
      return .request(.volume(Int(number.rounded())))
    case "preset": return text.isEmpty ? nil : .choose(text)
    case "start":
      guard text == "PRESS", let preset else { return nil }
      return .request(.start(StartOrder(preset: preset)))
    default:
      guard text == "PRESS", Self.buttons.contains(where: { $0.0 == verb }),
        let command = ControlRequest.LaneCommand(rawValue: verb)
      else { return nil }
      return .request(.command(command, lane: nil))
    }
  }
}

/// Instants for Home Assistant.
enum WallTime {
  /// ISO 8601 in UTC, to the second; the year is at least 1970.
  static func text(of nanoseconds: Int64) -> String {
    let seconds = max(0, (nanoseconds + 500_000_000) / 1_000_000_000)
    let (days, time) = (seconds / 86_400, seconds % 86_400)
    // The civil calendar in eras of 400 years from 1 March 0000: howardhinnant.github.io/date_algorithms.html
    let shifted = days + 719_468
    let (era, day) = (shifted / 146_097, shifted % 146_097)
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * month + 2) / 5 + 1
    let civilMonth = month < 10 ? month + 3 : month - 9
    let civilYear = year + era * 400 + (civilMonth <= 2 ? 1 : 0)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(civilYear)-\(two(civilMonth))-\(two(date))T"
      + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))+00:00"
  }
}
