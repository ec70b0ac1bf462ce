import Instants
import TestSupport
import Testing

@testable import SensorFormats

/// The connection to a strap, against a simulated BlueZ.
struct SensorLinkTests {
  typealias BlueZ = SimulatedBlueZ

  /// A strap that is connected and heard at 10 s.
  private func heard() -> BlueZ {
    var bluez = BlueZ()
    bluez.start()
    bluez.run(until: 10)
    return bluez
  }

  @Test func anUnknownSensorIsScannedForConnectedAndHeard() {
    let bluez = heard()
    #expect(
      bluez.deeds == [
        "0.0 watch", "0.0 list", "0.0 filter", "0.0 scan", "0.1 stop scan", "0.1 trust",
        "0.1 connect", "2.4 list", "2.4 notify", "2.4 0 heard",
      ])
  }

  @Test func theAdapterIsSwitchedOnFirst() {
    var bluez = BlueZ()
    bluez.isPowered = false
    bluez.start()
    bluez.run(until: 0.15)
    #expect(bluez.deeds == ["0.0 watch", "0.0 list", "0.0 on", "0.1 filter", "0.1 scan"])
  }

  @Test func aKnownSensorIsConnectedWithoutAScan() {
    var bluez = BlueZ()
    bluez.isKnown = true
    bluez.start()
    bluez.run(until: 10)
    #expect(bluez.seconds("scan").isEmpty)
    #expect(bluez.seconds("0 heard") == [2.3])
  }

  /// A link outlives the program that made it.
  @Test func aSensorThatIsStillConnectedIsOnlyListenedTo() {
    var bluez = BlueZ()
    bluez.isKnown = true
    bluez.isConnected = true
    bluez.start()
    bluez.run(until: 10)
    #expect(
      bluez.deeds == ["0.0 watch", "0.0 list", "0.0 list", "0.0 notify", "0.0 0 heard"])
  }

  @Test func onlySignalsAreReadings() {
    var bluez = heard()
    #expect(!bluez.trace.contains { $0.contains("heart-rate") })
    bluez.send(.value(characteristic: BlueZ.rate, bytes("16 78")))
    bluez.send(.value(characteristic: BlueZ.strap + "/other", bytes("16 78")))
    bluez.send(.battery(device: BlueZ.strap, percent: 87))
    #expect(bluez.deeds.suffix(2) == ["10.0 0: [\"heart-rate 120.0\"]", "10.0 0: battery 87"])
  }

  @Test func whatCannotBeListenedToSilencesNothingElse() {
    var bluez = BlueZ()
    bluez.measuresPower = true
    bluez.fault = { call, _ in
      call == .notify(characteristic: BlueZ.power) ? "Notify acquired" : nil
    }
    bluez.start()
    bluez.run(until: 10)
    #expect(bluez.seconds("0 heard") == [2.5])
    #expect(bluez.seconds("disconnect").isEmpty)
    bluez.send(.value(characteristic: BlueZ.rate, bytes("16 78")))
    #expect(bluez.deeds.last == "10.0 0: [\"heart-rate 120.0\"]")
  }

  @Test(arguments: [WantedSensor.name("Strap 42"), .address("c0:f1:f2:f3:f4:f5")])
  func aSensorIsPinned(_ wanted: WantedSensor) {
    var bluez = BlueZ([wanted])
    bluez.start()
    bluez.run(until: 10)
    #expect(bluez.seconds("0 heard") == [2.4])
  }

  @Test func aNeighboursStrapIsLeftAlone() {
    var bluez = BlueZ([.name("Strap 43")])
    bluez.start()
    bluez.run(until: 100)
    #expect(bluez.seconds("connect").isEmpty)
    #expect(bluez.seconds("scan").count == 5)
  }

  @Test func aNameThatComesLaterCounts() {
    var bluez = BlueZ([.name("Strap 42")])
    bluez.presence = []
    bluez.start()
    bluez.run(until: 1)
    var device = BlueZObject.Device(path: BlueZ.strap, address: "C0:F1:F2:F3:F4:F5", name: nil)
    bluez.send(.added(.device(device)))
    #expect(bluez.seconds("stop scan").isEmpty)
    device.name = "Strap 42"
    bluez.send(.added(.device(device)))
    #expect(bluez.seconds("stop scan") == [1])
  }

  @Test func aDeviceBeneathAnotherAdapterIsNotUsed() {
    var bluez = BlueZ([.name("Strap 43")])
    bluez.start()
    bluez.run(until: 1)
    let device = BlueZObject.Device(
      path: "/org/bluez/hci1/dev_D0", address: "D0:F1:F2:F3:F4:F5", name: "Strap 43")
    bluez.send(.added(.device(device)))
    #expect(bluez.seconds("stop scan").isEmpty)
  }

  /// Connect for 40 s, then a scan of 20 s, and again.
  @Test func anAbsentSensorIsConnectedAndScannedForInTurn() {
    var bluez = BlueZ()
    bluez.isKnown = true
    bluez.presence = []
    bluez.start()
    bluez.run(until: 130)
    #expect(bluez.seconds("connect") == [0, 60.7, 121.4])
    #expect(bluez.seconds("scan") == [40.6, 101.3])
    #expect(bluez.seconds("stop scan") == [60.7, 121.4])
    #expect(bluez.seconds("disconnect").isEmpty)
  }

  @Test(arguments: [(100.0, 102.3), (110.0, 112.3)])
  func anAbsentSensorThatComesIsHeard(_ comes: Double, _ heard: Double) {
    var bluez = BlueZ()
    bluez.isKnown = true
    bluez.presence = [comes...1_000]
    bluez.start()
    bluez.run(until: 150)
    let second = bluez.seconds("0 heard").first ?? 0
    #expect((second - heard).magnitude < 0.5)
  }

  @Test func aLostConnectionIsMadeAgainAtOnce() {
    var bluez = heard()
    bluez.lose()
    #expect(bluez.deeds.suffix(3) == ["10.0 0 silent", "10.0 trust", "10.0 connect"])
    bluez.run(until: 20)
    #expect(bluez.seconds("0 heard") == [2.4, 12.3])
    #expect(bluez.seconds("scan").count == 1)
  }

  /// InterfacesRemoved names what is removed: a battery is no device.
  @Test func aBatteryThatGoesIsNoLostSensor() {
    var bluez = heard()
    bluez.send(.removed(path: BlueZ.strap, interfaces: ["org.bluez.Battery1"]))
    #expect(bluez.seconds("0 silent").isEmpty)
    bluez.isKnown = false
    bluez.isConnected = false
    bluez.send(.removed(path: BlueZ.strap, interfaces: ["org.bluez.Device1"]))
    bluez.run(until: 20)
    #expect(bluez.seconds("0 silent") == [10])
    #expect(bluez.seconds("scan") == [0, 10])
    #expect(bluez.seconds("0 heard") == [2.4, 12.4])
  }

  @Test func bluetoothdThatDiesIsStartedOverWith() {
    var bluez = heard()
    bluez.hasService = false
    bluez.isConnected = false
    bluez.isKnown = false
    bluez.send(.serviceVanished)
    bluez.run(until: 100)
    #expect(bluez.deeds.last == "10.0 0 silent")
    bluez.hasService = true
    bluez.send(.serviceAppeared)
    bluez.run(until: 110)
    #expect(bluez.seconds("list") == [0, 2.4, 100, 102.4])
    #expect(bluez.seconds("0 heard") == [2.4, 102.4])
  }

  /// Nothing is asked until its start is heard of.
  @Test func bluetoothdMayComeLater() {
    var bluez = BlueZ()
    bluez.hasService = false
    bluez.start()
    #expect(bluez.link.deadline == nil)
    bluez.run(until: 100)
    #expect(bluez.seconds("list") == [0])
    bluez.hasService = true
    bluez.send(.serviceAppeared)
    bluez.run(until: 130)
    #expect(bluez.seconds("0 heard") == [102.4])
  }

  @Test func bluetoothdThatHangsIsAskedAgain() {
    var bluez = BlueZ()
    bluez.fault = { call, second in call == .list && second < 100 ? "NoReply" : nil }
    bluez.start()
    bluez.run(until: 99)
    #expect(bluez.seconds("list").prefix(7).map { $0.rounded(.down) } == [0, 2, 6, 14, 30, 60, 90])
    bluez.run(until: 140)
    #expect(bluez.seconds("0 heard").count == 1)
  }

  @Test func theAdapterIsPulledAndPutBack() {
    var bluez = heard()
    bluez.hasAdapter = false
    bluez.isConnected = false
    bluez.isKnown = false
    bluez.send(.removed(path: BlueZ.adapter, interfaces: ["org.bluez.Adapter1"]))
    bluez.run(until: 100)
    #expect(bluez.deeds.suffix(2) == ["10.0 0 silent", "10.0 list"])
    bluez.hasAdapter = true
    bluez.isPowered = false
    bluez.send(.added(.adapter(path: BlueZ.adapter, isPowered: false)))
    bluez.run(until: 110)
    #expect(bluez.seconds("on") == [100])
    #expect(bluez.seconds("0 heard") == [2.4, 102.5])
  }

  @Test func anAdapterThatIsSwitchedOffIsSwitchedOnLater() {
    var bluez = heard()
    bluez.isConnected = false
    bluez.send(.powered(adapter: BlueZ.adapter, false))
    bluez.run(until: 20)
    #expect(bluez.seconds("0 silent") == [10])
    #expect(bluez.seconds("on") == [12])
    #expect(bluez.seconds("0 heard") == [2.4, 14.4])
  }

  /// Retry, rest, and last the adapter off and on.
  @Test func aDisturbedConnectionIsTriedAgain() {
    var bluez = BlueZ()
    bluez.isKnown = true
    bluez.fault = { call, second in
      if case .connect = call, second < 70 { "le-connection-abort-by-local" } else { nil }
    }
    bluez.start()
    bluez.run(until: 100)
    let tries = bluez.seconds("connect")
    #expect(tries.prefix(5).allSatisfy { $0 < 1 })
    let rests = zip(tries.dropFirst(4), tries.dropFirst(5)).map { ($1 - $0 - 0.1).rounded() }
    #expect(rests.prefix(5) == [2, 4, 8, 16, 30])
    #expect(bluez.seconds("off").count == 1)
    #expect(bluez.seconds("on").count == 1)
    #expect(bluez.seconds("disconnect").isEmpty)
    #expect(bluez.seconds("0 heard").count == 1)
  }

  @Test func aHeardSensorIsNotInterruptedForAnother() {
    var bluez = BlueZ([.address("C0:F1:F2:F3:F4:F5"), .name("Other")])
    bluez.start()
    bluez.run(until: 10)
    bluez.fault = { call, _ in
      if case .startDiscovery = call { "InProgress" } else { nil }
    }
    bluez.run(until: 1_000)
    #expect(bluez.seconds("off").isEmpty)
    #expect(bluez.seconds("0 silent").isEmpty)
    #expect((20...120).contains(bluez.seconds("scan").count))
  }

  @Test func aScanThatIsStuckEndsWithTheAdapterOffAndOn() {
    var bluez = BlueZ()
    bluez.fault = { call, second in
      if case .startDiscovery = call, second < 61 { "InProgress" } else { nil }
    }
    bluez.start()
    bluez.run(until: 100)
    #expect(bluez.seconds("off").count == 1)
    #expect(bluez.seconds("0 heard").count == 1)
  }

  @Test func theEndWhileTheAdapterIsOffSwitchesItOn() {
    var bluez = BlueZ()
    bluez.fault = { call, _ in
      if case .startDiscovery = call { "InProgress" } else { nil }
    }
    bluez.start()
    var second = 0.0
    while bluez.seconds("off").isEmpty, second < 200 {
      second += 0.05
      bluez.run(until: second)
    }
    bluez.stop()
    #expect(bluez.deeds.suffix(2).map { $0.suffix(3) } == ["off", " on"])
  }

  @Test func servicesThatStayUnknownEndTheConnection() {
    var bluez = BlueZ()
    bluez.isKnown = true
    bluez.resolves = false
    bluez.start()
    bluez.run(until: 35)
    #expect(bluez.seconds("disconnect") == [32])
    #expect(bluez.seconds("connect") == [0, 32])
  }

  @Test func theEndDisconnects() {
    var bluez = heard()
    bluez.stop()
    #expect(bluez.deeds.suffix(2) == ["10.0 disconnect", "10.0 0 silent"])
    #expect(!bluez.link.isFinished)
    bluez.run(until: 100)
    #expect(bluez.link.isFinished)
    #expect(bluez.deeds.last == "10.0 0 silent")
  }

  @Test func theEndDuringAScanOrAConnectionStopsIt() {
    var bluez = BlueZ()
    bluez.presence = []
    bluez.start()
    bluez.run(until: 1)
    bluez.stop()
    #expect(bluez.deeds.last == "1.0 stop scan")
    var connecting = BlueZ()
    connecting.isKnown = true
    connecting.presence = []
    connecting.start()
    connecting.run(until: 1)
    connecting.stop()
    #expect(connecting.deeds.last == "1.0 disconnect")
  }

  /// A call that is given up before BlueZ has ended it makes the next ones fail.
  @Test func aCallOutlastsAConnectionToAnAbsentSensor() {
    #expect(LinkCall.timeout == .seconds(60))
    #expect(LinkCall.timeout > .seconds(40.6))
  }
}
