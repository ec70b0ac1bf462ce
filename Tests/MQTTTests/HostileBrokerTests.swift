import Foundation
import Glibc
import TestSupport
import Testing

/// A broker that means no good costs neither the coach nor the machine anything.
@Suite struct HostileBrokerTests {
  /// The most that it has had in memory, in KB.
  private static func mostMemory(_ bed: MQTTBed) -> Int {
    let status =
      (try? String(contentsOfFile: "/proc/\(bed.bridge?.number ?? 0)/status", encoding: .utf8))
      ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? .max
  }

  private func bed(_ kind: String) async throws -> MQTTBed {
    let bed = try MQTTBed()
    try bed.startHostileBroker(kind)
    try bed.startBridge()
    // Whatever the broker does, the coach is found.
    let coach = try #require(bed.coach)
    #expect(await eventually { coach.isSubscribedTo })
    return bed
  }

  @Test(arguments: [
    ("garbage", "A network protocol error occurred when communicating with the broker."),
    ("length", "A network protocol error occurred when communicating with the broker."),
    ("huge", "it sends more than is read"), ("kept", "it sends more than is read"),
  ])
  func itIsLeftAndTriedAgain(kind: String, reason: String) async throws {
    let bed = try await bed(kind)
    let brokerLog = bed.brokerLog
    #expect(await eventually { brokerLog.lines(with: "connection") >= 2 })
    // Without a limit it has 225 MB and more.
    #expect(Self.mostMemory(bed) < 100 * 1024)
    let line = "no connection to the broker 127.0.0.1:\(bed.port): \(reason); trying again"
    #expect(bed.log.contains(line))
    #expect(bed.bridge?.end(SIGTERM) == 0)
  }

  @Test(arguments: ["silent", "slow", "flood"]) func theProgramEndsAllTheSame(kind: String)
    async throws
  {
    let bed = try await bed(kind)
    let sign = kind == "flood" ? "flooded" : "connection"
    let brokerLog = bed.brokerLog
    #expect(await eventually { brokerLog.contains(sign) })
    // It still hears the coach: what it does not read is what ends a subscription.
    let coach = try #require(bed.coach)
    for revision: UInt64 in 2...2000 { coach.publish(volume: 35, revision: revision) }
    #expect(coach.subscriptions == 1)
    #expect(Self.mostMemory(bed) < 100 * 1024)
    #expect(bed.bridge?.end(SIGTERM) == 0)
  }

  @Test func aSubscriptionThatIsRefusedIsSaid() async throws {
    let bed = try await bed("refusing")
    let log = bed.log
    let line =
      "the broker 127.0.0.1:\(bed.port) sends nothing of \"homeassistant/status\": it refuses the subscription"
    #expect(await eventually { log.contains(line) })
    #expect(bed.bridge?.end(SIGTERM) == 0)
  }
}
