import ControlProtocol
import Foundation
import IntervalTimeline
import Presets
import TestSupport
import Testing

@testable import MQTTMaps

@Suite struct BridgeSettingsTests {
  private func parse(_ text: String) throws -> BridgeSettings {
    try BridgeSettings.parse(Array(text.utf8), file: "mqtt.yaml", shipped: Self.shipped)
  }

  /// Those that are installed.
  private static func shipped(_ name: String) -> [UInt8]? {
    (try? Data(contentsOf: SourceTree.url("Packaging/mqtt/\(name).yaml"))).map { Array($0) }
  }

  private func error(_ text: String) -> String {
    do {
      _ = try parse(text)
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test func everythingIsRead() throws {
    let settings = try parse(
      """
      broker: {host: ha.local, ca: /etc/ca.pem}
      user: coach
      password: secret
      client-id: coach-1
      device: {id: gym, name: Gym}
      home-assistant: no
      publish-readings: yes
      maps:
        - {topic: a/+, path: b.c, value: watts, unit: watt, valid-for: 8s, as: anna}
        - {topic: a/b, equals: on, command: start, preset: tabata}
      """)
    #expect(settings.host == "ha.local")
    #expect(settings.port == 8883)
    #expect(settings.authorities == "/etc/ca.pem")
    #expect(settings.user == "coach")
    #expect(settings.password == "secret")
    #expect(settings.clientID == "coach-1")
    #expect(settings.deviceID == "gym")
    #expect(settings.deviceName == "Gym")
    #expect(!settings.isHomeDevice)
    #expect(settings.publishesReadings)
    #expect(
      settings.maps == [
        MessageMap(
          topic: TopicFilter("a/+")!, path: ["b", "c"],
          meaning: .value(name: "watts", unit: .watt, isLength: false, validFor: 8000), lane: "anna"
        ),
        MessageMap(topic: TopicFilter("a/b")!, equals: "on", meaning: .start("tabata")),
      ])
  }

  @Test func tlsHasTheAuthoritiesOfTheSystemAndAPortOfItsOwn() throws {
    let settings = try parse("broker: {host: localhost, tls: yes}")
    #expect(settings.authorities == "")
    #expect(settings.port == 8883)
    #expect(try parse("broker: {host: localhost, tls: yes, port: 1}").port == 1)
    #expect(try parse("broker: {host: localhost, tls: no}").authorities == nil)
  }

  @Test func onlyTheHostIsNeeded() throws {
    let settings = try parse("broker: {host: localhost}")
    #expect(settings.port == 1883)
    #expect(settings.authorities == nil)
    #expect(settings.isHomeDevice)
    #expect(!settings.publishesReadings)
  }

  @Test(arguments: [
    ("", "mqtt.yaml: empty, expected broker: {host: NAME}"),
    ("user: x", "mqtt.yaml:1: no broker, expected broker: {host: NAME}"),
    (
      "broker: {host: x, port: 70000}",
      #"mqtt.yaml:1: port is "70000", expected a whole number from 1 to 65535"#
    ),
    (
      "broker: {host: x}\npassword: y", "mqtt.yaml:2: password without user, expected user: NAME"
    ),
    (
      "broker: {host: x}\nmaps:\n  - {topic: a/#/b, signal: x}",
      #"mqtt.yaml:3: topic is "a/#/b", expected a topic, where + stands for one level and # at its end for the rest"#
    ),
    (
      "broker: {host: x}\nmaps:\n  - {topic: a}",
      "mqtt.yaml:3: a map without a meaning, expected one of value, signal, rep, command"
    ),
    (
      "broker: {host: x}\nmaps:\n  - {topic: a, rep: yes, signal: b}",
      "mqtt.yaml:3: rep beside signal, expected one of value, signal, rep, command"
    ),
    (
      "broker: {host: x}\nmaps:\n  - {topic: a, command: say}",
      #"mqtt.yaml:3: command is "say", expected start, or one of pause, resume, toggle, next, back, stop, rep, where-am-i, say-time"#
    ),
    (
      "broker: {host: '[::1]:1883'}",
      #"mqtt.yaml:1: a port in the host "[::1]:1883", expected port: beside host:"#
    ),
    (
      "broker: {host: 'localhost:1883'}",
      #"mqtt.yaml:1: a port in the host "localhost:1883", expected port: beside host:"#
    ),
    (
      "broker: {host: 'mqtt://x'}",
      #"mqtt.yaml:1: host is "mqtt://x", expected a name or an address alone, such as homeassistant.local"#
    ),
    (
      "broker: {host: x, tls: no, ca: /ca.pem}",
      "mqtt.yaml:1: ca beside tls: no, expected one of both"
    ),
    (
      "broker: {host: x}\nmaps:\n  - {topic: a, command: start, preset: ../x}",
      #"mqtt.yaml:3: preset is "../x", expected the name of a preset, such as tabata"#
    ),
    (
      "broker: {host: x}\nmaps:\n  - {topic: a, signal: x, valid-for: 8s}",
      "mqtt.yaml:3: valid-for without value, expected it beside value alone"
    ),
    (
      "broker: {host: x}\nmaps:\n  - {topic: a, value: watts, equals: on}",
      "mqtt.yaml:3: equals beside value, expected one of both"
    ),
    (
      "broker: {host: x}\nuser: y\npassword-file: z",
      #"mqtt.yaml:3: password-file is "z", expected an absolute path, and no password beside it"#
    ),
    (
      "broker: {host: x}\nmaps:\n  - {use: other}",
      #"mqtt.yaml:3: no map "other" is installed, expected open-rowing-monitor or zigbee2mqtt-button"#
    ),
    (
      "broker: {host: x}\nmaps:\n  - {use: zigbee2mqtt-button}",
      "zigbee2mqtt-button.yaml: used without a topic in mqtt.yaml:3, expected topic: beside use:"
    ),
  ])
  func amistakeIsOneLine(text: String, expected: String) { #expect(error(text) == expected) }

  /// The messages of OpenRowingMonitor's mqtt.js: numbers are texts, what is missing is null or "NaN".
  @Test func aStrokeOfOpenRowingMonitorIsReadByItsMap() throws {
    let settings = try parse(
      "broker: {host: x}\nmaps:\n  - {use: open-rowing-monitor, as: anna}")
    var reader = MessageReader(settings.maps)
    #expect(reader.topics == ["OpenRowingMonitor/+/metrics"])
    let stroke = #"""
      {"strokeRate":"24.2","power":"187.4","pace":"123.5","heartrate":"NaN","totalDistance":"210.3",
       "isDriveStart":true,"driveDuration":null}
      """#
    let actions = reader.take(
      "OpenRowingMonitor/rower/metrics", Array(stroke.utf8), isRetained: false, at: 0)
    #expect(
      actions == [
        .value(ValueRequest("watts", number: 187.4, unit: .watt, validFor: 8000), lane: "anna"),
        .value(ValueRequest("pace", seconds: 123.5, validFor: 8000), lane: "anna"),
        .value(
          ValueRequest("stroke-rate", number: 24.2, unit: .strokesPerMinute, validFor: 8000),
          lane: "anna"),
        .command(.rep, lane: "anna"),
      ])
  }

  @Test func aButtonOfZigbee2MQTTIsReadByItsMap() throws {
    let settings = try parse(
      "broker: {host: x}\nmaps:\n  - {use: zigbee2mqtt-button, topic: zigbee2mqtt/Button}")
    var reader = MessageReader(settings.maps)
    let actions = ["single", "double", "", "hold"].map {
      reader.take(
        "zigbee2mqtt/Button", Array(#"{"action":"\#($0)","linkquality":90}"#.utf8),
        isRetained: false, at: 0)
    }
    #expect(
      actions == [
        [.signal("ready", lane: nil)], [.command(.toggle, lane: nil)], [],
        [.command(.next, lane: nil)],
      ])
  }
}
