import ControlProtocol
import Foundation
import Glibc
import TestSupport
import Testing

/// The program between a real broker and the coach's sockets.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: MQTTBed.mosquitto), "no mosquitto"))
struct BridgeTests {
  private static let maps = """
      - {use: open-rowing-monitor, as: anna}
      - {use: zigbee2mqtt-button, topic: zigbee2mqtt/Button}
      - {topic: end, signal: end}
    """

  private func bed() async throws -> (MQTTBed, Listener) {
    let bed = try MQTTBed(maps: Self.maps)
    try bed.startBroker()
    let listener = Listener(port: bed.port)
    #expect(await eventually { listener.isReady })
    return (bed, listener)
  }

  /// Until it has said so that it is there.
  private func startBridge(_ bed: MQTTBed, _ listener: Listener) async throws {
    try bed.startBridge()
    #expect(await eventually { Self.available(listener).last == "online" })
  }

  private static func available(_ listener: Listener) -> [String] {
    listener.heard.filter { $0.topic == "cuecoach/gym/available" }.map(\.text)
  }

  private static func discoveries(_ listener: Listener) -> [String] {
    listener.heard.filter { $0.topic == "homeassistant/device/gym/config" }.map(\.text)
  }

  /// Waits for the message after which nothing else is under way, and returns what the coach was asked.
  private func taken(_ bed: MQTTBed, _ listener: Listener) async throws -> [ControlRequest.Action] {
    let coach = try #require(bed.coach)
    listener.send("end", "x")
    #expect(await eventually { coach.taken.contains(.signal("end", lane: nil)) })
    return coach.taken.filter { $0 != .signal("end", lane: nil) }
  }

  @Test func aStrokeReachesTheCoach() async throws {
    let (bed, listener) = try await bed()
    try await startBridge(bed, listener)
    listener.send(
      "OpenRowingMonitor/r/metrics",
      #"{"power":"187.4","pace":null,"strokeRate":"24.0","heartrate":"NaN","isDriveStart":true}"#)
    #expect(
      try await taken(bed, listener) == [
        .value(ValueRequest("watts", number: 187.4, unit: .watt, validFor: 8000), lane: "anna"),
        .value(
          ValueRequest("stroke-rate", number: 24, unit: .strokesPerMinute, validFor: 8000),
          lane: "anna"),
        .command(.rep, lane: "anna"),
      ])
  }

  @Test func aRetainedActionIsNoAction() async throws {
    let (bed, listener) = try await bed()
    listener.send("zigbee2mqtt/Button", #"{"action":"single"}"#, isRetained: true)
    listener.send("cuecoach/gym/command/stop", "PRESS", isRetained: true)
    #expect(await eventually { listener.heard.count == 2 })
    try await startBridge(bed, listener)
    // Another action, and the empty one that some send after each, are between.
    for text in ["double", "", "double"] {
      listener.send("zigbee2mqtt/Button", #"{"action":"\#(text)"}"#)
    }
    let toggles = try await taken(bed, listener)
    // Twice within 300 ms is once; on a machine that stands still for longer it is twice.
    #expect(Set(toggles) == [.command(.toggle, lane: nil)])
  }

  @Test func commandsOfHomeAssistantReachTheCoach() async throws {
    let (bed, listener) = try await bed()
    try await startBridge(bed, listener)
    // The choice is seen in the state, and so are the presets in the discovery.
    #expect(await eventually { Self.discoveries(listener).last?.contains("tabata") == true })
    listener.send("cuecoach/gym/command/preset", "tabata")
    listener.send("cuecoach/gym/command/preset", "/etc/passwd")
    listener.send("cuecoach/gym/command/start", "PRESS")
    listener.send("cuecoach/gym/command/volume", "40")
    let coach = try #require(bed.coach)
    #expect(await eventually { coach.taken.count == 2 })
    #expect(coach.taken == [.start(StartOrder(preset: "tabata")), .volume(40)])
  }

  @Test func discoveryIsRetainedAndComesAgainWithHomeAssistant() async throws {
    let (bed, listener) = try await bed()
    try await startBridge(bed, listener)
    let late = Listener(port: bed.port)
    #expect(
      await eventually {
        late.heard.contains { $0.topic == "homeassistant/device/gym/config" && $0.isRetained }
      })
    #expect(await eventually { Self.discoveries(listener).last?.contains("tabata") == true })
    let before = Self.discoveries(listener)
    listener.send("homeassistant/status", "online")
    #expect(await eventually { Self.discoveries(listener).count > before.count })
    #expect(Self.discoveries(listener).last == before.last)
  }

  @Test func theStateFollowsTheCoach() async throws {
    let (bed, listener) = try await bed()
    try await startBridge(bed, listener)
    bed.coach?.publish(volume: 35, revision: 2)
    #expect(
      await eventually {
        listener.heard.last { $0.topic == "cuecoach/gym/state" }?.text.contains(#""volume":35"#)
          == true
      })
    bed.coach = nil
    #expect(await eventually { Self.available(listener).last == "offline" })
    bed.coach = try SocketsOfCoach(in: bed.files.path("run"))
    #expect(await eventually { Self.available(listener).last == "online" })
  }

  @Test(arguments: [SIGKILL, SIGTERM]) func howeverItEndsItIsOffline(signal: Int32) async throws {
    let (bed, listener) = try await bed()
    try await startBridge(bed, listener)
    let status = bed.bridge?.end(signal)
    #expect(status == (signal == SIGKILL ? SIGKILL : 0))
    #expect(await eventually { Self.available(listener).last == "offline" })
  }

  @Test func aBrokerThatIsKilledAndComesBackIsFoundAgain() async throws {
    let (bed, listener) = try await bed()
    try await startBridge(bed, listener)
    bed.mosquitto?.end(SIGKILL)
    let log = bed.files.path("log")
    #expect(
      await eventually {
        let text = try? String(contentsOfFile: log, encoding: .utf8)
        return !listener.isReady && text?.contains("the broker 127.0.0.1") == true
          && text?.contains("is not there: ") == true
      })
    let before = Self.available(listener).count
    try bed.startBroker()
    #expect(await eventually { Self.available(listener).count > before })
    #expect(Self.available(listener).last == "online")
    listener.send("zigbee2mqtt/Button", #"{"action":"hold"}"#)
    #expect(try await taken(bed, listener) == [.command(.next, lane: nil)])
  }

  /// The last of them is read, and nothing is left of the others.
  @Test func aFloodIsReadToItsEnd() async throws {
    let (bed, listener) = try await bed()
    try await startBridge(bed, listener)
    for _ in 0..<2000 { listener.send("zigbee2mqtt/Button", #"{"action":"none"}"#) }
    listener.send("zigbee2mqtt/Button", String(repeating: "x", count: 100_000))
    listener.send("zigbee2mqtt/Button", String(repeating: "[", count: 10_000))
    #expect(try await taken(bed, listener) == [])
  }
}
