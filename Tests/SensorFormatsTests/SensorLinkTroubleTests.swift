import Instants
import Testing

@testable import SensorFormats

/// One trouble after another: what helped against the first is not held against the next.
struct SensorLinkTroubleTests {
  typealias BlueZ = SimulatedBlueZ

  private func known() -> BlueZ {
    var bluez = BlueZ()
    bluez.isKnown = true
    return bluez
  }

  /// The fifth failure in a row would be rested for.
  @Test func aSensorThatWasAbsentIsTriedAgainAtOnce() {
    var bluez = known()
    bluez.presence = [55...1_000]
    bluez.fault = { call, second in
      guard case .connect = call, second < 0.35 || (55..<55.2).contains(second) else { return nil }
      return "le-connection-abort-by-local"
    }
    bluez.start()
    bluez.run(until: 60)
    let tries = bluez.seconds("connect")
    #expect(tries.prefix(5) == [0, 0.1, 0.2, 0.3, 0.4])
    #expect(tries.count >= 7 && tries.dropFirst(5).allSatisfy { (55..<56).contains($0) })
  }

  @Test func aSensorThatWasHeardIsTriedAgainAtOnce() {
    var bluez = known()
    bluez.fault = { call, second in
      guard case .connect = call, second < 0.35 || (10..<10.05).contains(second) else { return nil }
      return "le-connection-abort-by-local"
    }
    bluez.start()
    bluez.run(until: 10)
    #expect(bluez.seconds("0 heard") == [2.7])
    bluez.lose()
    bluez.run(until: 20)
    #expect(bluez.seconds("connect") == [0, 0.1, 0.2, 0.3, 0.4, 10, 10.1])
  }

  @Test func aScanThatRanIsTriedAgainAtOnce() {
    var bluez = BlueZ()
    bluez.presence = []
    bluez.fault = { call, second in
      guard case .startDiscovery = call, second < 0.35 || (20..<20.55).contains(second) else {
        return nil
      }
      return "InProgress"
    }
    bluez.start()
    bluez.run(until: 22)
    #expect(bluez.seconds("scan") == [0, 0.1, 0.2, 0.3, 0.4, 20.5, 20.6])
  }

  @Test func aListingThatWorkedIsTriedAgainSoon() {
    var bluez = BlueZ()
    bluez.fault = { call, second in call == .list && second < 3 ? "NoReply" : nil }
    bluez.start()
    bluez.run(until: 20)
    #expect(bluez.seconds("0 heard").count == 1)
    bluez.fault = { call, second in call == .list && second < 21 ? "NoReply" : nil }
    bluez.send(.added(.adapter(path: BlueZ.adapter, isPowered: true)))
    bluez.run(until: 40)
    #expect(bluez.seconds("list") == [0, 2.1, 6.2, 8.6, 20, 22.1])
    #expect(bluez.seconds("0 silent").isEmpty)
  }

  /// Trusted sensors connect by themselves.
  @Test(arguments: [45.0, 1.0])
  func aSensorThatConnectsByItselfIsListenedTo(_ comes: Double) {
    var bluez = known()
    bluez.presence = []
    if comes < 40 {
      bluez.fault = { call, _ in
        if case .connect = call { "le-connection-abort-by-local" } else { nil }
      }
    }
    bluez.start()
    bluez.run(until: comes)
    bluez.isConnected = true
    bluez.send(.connected(device: BlueZ.strap, true))
    bluez.send(.resolved(device: BlueZ.strap))
    bluez.run(until: comes + 0.5)
    #expect(bluez.seconds("0 heard") == [comes])
  }

  @Test func aSensorThatIsOnlyListedIsNotThere() {
    var bluez = known()
    bluez.presence = []
    bluez.start()
    bluez.run(until: 45)
    bluez.send(.added(.adapter(path: BlueZ.adapter, isPowered: true)))
    bluez.run(until: 50)
    #expect(bluez.seconds("stop scan").isEmpty)
    #expect(bluez.seconds("connect") == [0])
  }

  @Test func whatAnotherDeviceHasIsNotListenedTo() {
    var bluez = known()
    bluez.others = [.characteristic(path: BlueZ.strap + "A/service0001/char0002", .cyclingPower)]
    bluez.start()
    bluez.run(until: 10)
    #expect(bluez.seconds("notify").count == 1)
  }

  @Test func ofALostConnectionNothingIsAReading() {
    var bluez = known()
    bluez.start()
    bluez.run(until: 10)
    bluez.lose()
    bluez.send(.value(characteristic: BlueZ.rate, bytes("16 78")))
    #expect(!bluez.trace.contains { $0.contains("heart-rate") })
  }

  @Test func aConnectionThatIsLostBeforeItsServicesAreKnownIsMadeAgain() {
    var bluez = known()
    bluez.resolves = false
    bluez.start()
    bluez.run(until: 5)
    bluez.lose()
    bluez.run(until: 6)
    #expect(bluez.seconds("connect") == [0, 5])
  }

  /// An older call is not waited for: connecting to an absent sensor takes 40 s.
  @Test func theEndTakesNoLongerThanItsOwnCalls() {
    var bluez = known()
    bluez.presence = []
    bluez.start()
    bluez.run(until: 1)
    bluez.stop()
    bluez.run(until: 2)
    #expect(bluez.link.isFinished)
  }

  @Test func theNewestOfTheLinesThatCameTooEarlyIsWritten() {
    var limit = LineLimit()
    limit.add("first")
    #expect(limit.take(at: at(0)) == "first")
    limit.add("second")
    limit.add("third")
    #expect(limit.take(at: at(59.9)) == nil)
    #expect(limit.take(at: at(60)) == "third")
    #expect(limit.due == nil)
  }
}
