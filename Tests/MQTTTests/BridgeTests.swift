import ControlProtocol
import Foundation
import Glibc
import Synchronization
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

  @Test func aListThatIsRefusedIsAskedForAgain() async throws {
    let (bed, listener) = try await bed()
    try #require(bed.coach).refuseNextList()
    try await startBridge(bed, listener)
    let log = bed.log
    #expect(await eventually { log.contains("the coach refuses: not now") })
    listener.send("homeassistant/status", "online")
    #expect(await eventually { Self.discoveries(listener).last?.contains("tabata") == true })
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
    // The sockets of the one before may still close.
    let folder = bed.files.path("run")
    let coach = Mutex<SocketsOfCoach?>(nil)
    #expect(
      await eventually {
        coach.withLock {
          $0 = try? SocketsOfCoach(in: folder)
          return $0 != nil
        }
      })
    bed.coach = coach.withLock { $0 }
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
    let (log, line) = (bed.log, "no connection to the broker 127.0.0.1:\(bed.port): ")
    #expect(await eventually { !listener.isReady && log.contains(line) })
    let before = Self.available(listener).count
    try bed.startBroker()
    #expect(await eventually { Self.available(listener).count > before })
    #expect(Self.available(listener).last == "online")
    listener.send("zigbee2mqtt/Button", #"{"action":"hold"}"#)
    #expect(try await taken(bed, listener) == [.command(.next, lane: nil)])
  }

  @Test(arguments: [true, false]) func readingsAreThereForThoseWhoWantThem(isWanted: Bool)
    async throws
  {
    let bed = try MQTTBed()
    if isWanted { try bed.write(settings: "publish-readings: yes") }
    try bed.startBroker()
    let listener = Listener(port: bed.port)
    #expect(await eventually { listener.isReady })
    try await startBridge(bed, listener)
    for (watts, revision) in [(187.0, 2 as UInt64), (201, 3)] {
      try bed.coach?.publish(watts: watts, revision: revision)
      // A broker that is slow gets the last of them alone.
      let text = #""value":\#(Int(watts))"#
      #expect(await eventually { !isWanted || listener.heard.contains { $0.text.contains(text) } })
    }
    // The sensor is gone.
    try bed.coach?.publish(watts: nil, revision: 4)
    // Comes after them, and is no new reading.
    bed.coach?.publish(volume: 35, revision: 5)
    #expect(
      await eventually {
        listener.heard.last { $0.topic == "cuecoach/gym/state" }?.text.contains(#""volume":35"#)
          == true
      })
    let late = Listener(port: bed.port)
    #expect(await eventually { late.heard.contains { $0.topic == "cuecoach/gym/state" } })
    let heard = listener.heard + late.heard
    let readings = heard.filter { $0.topic == "cuecoach/gym/reading" }
    #expect(
      readings.map(\.text)
        == (isWanted
          ? [187, 201].map { #"{"kind":"watts","position":"inside","value":\#($0)}"# }
            + [#"{"kind":null,"position":null,"value":null}"#] : []))
    #expect(!readings.contains { $0.isRetained })
    #expect(isWanted || !heard.contains { $0.text.contains("201") })
  }

  @Test func aBrokerWithAFullDiskIsStillABroker() async throws {
    let bed = try MQTTBed()
    try bed.write(
      brokerOptions:
        "persistence true\npersistence_location \(bed.files.folder)/\nautosave_interval 1")
    // A write to a file fails.
    try bed.startBroker(setUp: "trap '' XFSZ; ulimit -f 0")
    let listener = Listener(port: bed.port)
    #expect(await eventually { listener.isReady })
    try await startBridge(bed, listener)
    bed.mosquitto?.signal(SIGUSR1)
    for volume in 30...34 {
      bed.coach?.publish(volume: volume, revision: UInt64(volume))
      #expect(
        await eventually {
          listener.heard.last { $0.topic == "cuecoach/gym/state" }?.text
            .contains(#""volume":\#(volume)"#) == true
        })
    }
  }

  /// Whoever may publish could otherwise keep the coach busy with its preset files.
  @Test func aFloodOfBirthsAsksForThePresetsSeldom() async throws {
    let (bed, listener) = try await bed()
    try await startBridge(bed, listener)
    for _ in 0..<200 { listener.send("homeassistant/status", "online") }
    _ = try await taken(bed, listener)
    // Once a second; a machine that takes 100 s for it is none.
    #expect(try #require(bed.coach).lists < 100)
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
