import ControlProtocol
import Foundation
import Glibc
import IntervalTimeline
import TestSupport
import Testing

/// A client of the broker that sends readings as fast as it can, while a workout runs.
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/mosquitto"), "no mosquitto"))
struct MQTTFloodTests {
  /// Below the range from which the system takes ports for connections.
  private static let port = 20_000 + Int(getpid()) % 10_000

  /// What the coach said in a workout, with the instants from its first cue on. What became of it on a busy machine is
  /// another matter.
  private static func cues(_ ledger: Ledger) -> [String] {
    let first = ledger.cues.compactMap(\.due).first ?? 0
    return ledger.cues.map { "\($0.kind ?? "") \($0.text ?? "") \(($0.due ?? 0) - first)" }
  }

  private func workout(_ space: Workspace, isFlooded: Bool) async throws -> [String] {
    try space.write(Preset.counted, to: "Presets/counted.yaml")
    let service = try await Service(in: space)
    let flood = isFlooded ? try await self.flood(space, service) : []
    let answer = try await apart { try service.start("counted", lane: "anna") }
    #expect(answer.ok)
    // It answers each question of this time.
    try await service.run.until("the workout is over") {
      service.lanes.isEmpty && space.ledger.has("finish")
    }
    for program in flood.reversed() { _ = await program.end(by: SIGTERM) }
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
    return Self.cues(space.ledger)
  }

  /// Starts the broker, cuecoach-mqtt and the client. Returns once the coach is asked.
  private func flood(_ space: Workspace, _ service: Service) async throws -> [RunningProgram] {
    try space.write(
      """
      broker: {host: 127.0.0.1, port: \(Self.port)}
      maps:
        - {topic: bike/power, path: power, value: bike-power, unit: watt, as: anna}
      """, to: "mqtt.yaml")
    var program = space.program
    program.executable = "/usr/sbin/mosquitto"
    let broker = try await program.start(["-p", "\(Self.port)"])
    program.executable = Bundle.main.bundleURL.appendingPathComponent("cuecoach-mqtt").path
    let bridge = try await program.start([
      "--config", space.path("mqtt.yaml"), "--sockets", space.path("cuecoach"), "--verbose",
    ])
    try await bridge.until("it is connected") { bridge.errors.contains("connected to the broker") }
    program.executable = "/bin/bash"
    let client = try await program.start([
      "-c",
      #"exec mosquitto_pub -p \#(Self.port) -t bike/power -l < <(yes '{"power": 200}')"#,
    ])
    try await bridge.until("it asks the coach") { bridge.errors.contains("bike/power: value") }
    return [broker, bridge, client]
  }

  @Test func noCueMoves() async throws {
    let calm = try await workout(Workspace(), isFlooded: false)
    let flooded = try await workout(Workspace(), isFlooded: true)
    #expect(calm.count > 3)
    #expect(flooded == calm)
  }
}
