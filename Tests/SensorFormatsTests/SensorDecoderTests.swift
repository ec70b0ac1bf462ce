import Instants
import Targets
import TestSupport
import Testing

@testable import SensorFormats

/// Packets, and what they say.
struct SensorDecoderTests {
  @Test(arguments: [
    (SensorCharacteristic.heartRate, "16 78 00 02 E8 03", ["heart-rate 120.0"]),
    (.heartRate, "00 78", ["heart-rate 120.0"]),
    // The rate in two bytes, and an energy.
    (.heartRate, "09 2C 01 10 00", ["heart-rate 300.0"]),
    // Contact is not supported: the bit beside it means nothing.
    (.heartRate, "02 50", ["heart-rate 80.0"]),
    (.cyclingPower, "00 00 C8 00", ["watts 200.0"]),
    (.cyclingPower, "00 00 F6 FF", ["watts -10.0"]),
    (.running, "00 00 03 5A", ["speed 10.8", "cadence 90.0"]),
    (.running, "07 00 00 00 64 00 01 00 00 00", ["speed 0.0", "cadence 0.0"]),
    (.rower, "2000 30 0A00 B400", ["stroke-rate 24.0", "watts 180.0"]),
    (
      .rower, "7E19 00 2700 D6 9C0000 0000 6100 0000 E400 0D00 0000 00 2400 0000",
      ["stroke-rate 0.0", "watts 0.0"]
    ),
    // Pace 120 s, a heart rate.
    (.rower, "0802 30 0A00 7800 96", ["stroke-rate 24.0", "pace 120.0", "heart-rate 150.0"]),
    // The rest of a record.
    (.rower, "2100 B400", ["watts 180.0"]),
    // Speed 30 km/h, cadence 90, power 250.
    (.bike, "4400 B80B B400 FA00", ["speed 30.0", "cadence 90.0", "watts 250.0"]),
    (
      .bike, "FE02 B80B 0000 B400 0000 0A0000 0500 FA00 0000 8C",
      ["speed 30.0", "cadence 90.0", "watts 250.0", "heart-rate 140.0"]
    ),
    (.bike, "4100 FA00", ["watts 250.0"]),
    (.treadmill, "0000 E803", ["speed 10.0"]),
    (
      .treadmill, "9E01 E803 E803 640000 0A000500 01000200 0100020003 96",
      ["speed 10.0", "heart-rate 150.0"]
    ),
    // A pace: nothing after it is read.
    (.treadmill, "2001 E803 3C 96", ["speed 10.0"]),
    (.treadmill, "4001 E803 3C 96", ["speed 10.0"]),
    // A heart rate behind the resistance.
    (.rower, "8002 30 0A00 1000 96", ["stroke-rate 24.0", "heart-rate 150.0"]),
    // Not available.
    (.bike, "4400 FFFF FFFF FF7F", []),
    (.rower, "2800 FF 0A00 FFFF FF7F", []),
  ])
  func readings(
    _ characteristic: SensorCharacteristic, _ packet: String, _ expected: [String]
  ) {
    var decoder = SensorDecoder()
    let report = decoder.take(bytes(packet), of: characteristic, at: at(0))
    #expect(report.texts == expected)
    #expect(report.instant == at(0))
    #expect(!report.isWithoutContact)
  }

  /// 0 beats, with and without a word on the contact; a rate without contact.
  @Test(arguments: ["14 00", "00 00", "16 00", "04 78"])
  func noContactIsNoReadingAndIsSaid(_ packet: String) {
    var decoder = SensorDecoder()
    let report = decoder.take(bytes(packet), of: .heartRate, at: at(0))
    #expect(report.readings.isEmpty)
    #expect(report.isWithoutContact)
  }

  @Test func intervalsBetweenBeats() throws {
    let heart = try #require(HeartRateMeasurement(bytes("16 78 00 02 E8 03")))
    #expect(heart.rate == 120)
    #expect(heart.hasContact == true)
    #expect(heart.intervals == [.milliseconds(500), .nanoseconds(1_000_000_000_000) / 1024])
    #expect(HeartRateMeasurement(bytes("14 00"))?.hasContact == false)
  }

  @Test func aRowersRecordIsReadToItsLastByte() {
    let data = MachineData.rower(
      bytes("7E19 00 2700 D6 9C0000 0000 6100 0000 E400 0D00 0000 00 2400 0000"))
    let expected = MachineData(
      strokeRate: 0, strokes: 39, distance: 156, pace: 0, meanPace: 97, power: 0, meanPower: 228,
      energy: 13, elapsed: 36, rest: 0)
    #expect(data == expected)
  }

  @Test func theCrankOfAPowerMeterComesAfterItsOtherFields() {
    var decoder = SensorDecoder()
    // The balance, the torque, the wheel, the crank; 65534 at 65000, 0 at 512.
    let first = bytes("3500 C800 32 1000 01000000 0008 FEFF E8FD")
    let second = bytes("3500 C800 32 1000 02000000 0008 0000 0002")
    #expect(decoder.take(first, of: .cyclingPower, at: at(0)).texts == ["watts 200.0"])
    let report = decoder.take(second, of: .cyclingPower, at: at(1))
    #expect(report.texts == ["watts 200.0", "cadence \(120 * 1024.0 / 1048)"])
  }

  @Test func theCrankComesAfterTheWheel() {
    var decoder = SensorDecoder()
    _ = decoder.take(bytes("03 01000000 0004 0A00 0004"), of: .cycling, at: at(0))
    let report = decoder.take(bytes("03 02000000 0008 0B00 0008"), of: .cycling, at: at(1))
    #expect(report.texts == ["cadence 60.0"])
  }

  @Test func theBatteryIsInPercent() {
    var decoder = SensorDecoder()
    #expect(decoder.take([87], of: .battery, at: at(0)).battery == 87)
    #expect(decoder.take([101], of: .battery, at: at(0)).battery == nil)
    #expect(decoder.take([], of: .battery, at: at(0)).isEmpty)
  }

  @Test func strokesAreRepetitions() {
    var decoder = SensorDecoder()
    let counts = [(0, "0A00"), (1, "0A00"), (2, "0B00"), (4, "0D00"), (5, "0000"), (6, "0100")]
    let strokes = counts.map { second, count in
      decoder.take(bytes("0000 30 " + count), of: .rower, at: at(Double(second))).repetitions
    }
    // The machine's next workout begins at 0.
    #expect(strokes == [0, 0, 1, 2, 0, 1])
  }

  @Test func strokesWrapAndStartOverAfterAGap() {
    var counter = StrokeCounter()
    let strokes = [(0, 65_534), (2, 1), (33, 2), (34, 3)].map { second, count in
      counter.take(count, at: at(Double(second)))
    }
    #expect(strokes == [0, 3, 0, 1])
  }

  /// So many strokes in half a minute are rowed, and one more is another count.
  @Test(arguments: [(60, 60), (61, 0)])
  func moreThanSixtyStrokesAtOnceAreAReset(_ count: Int, _ strokes: Int) {
    var counter = StrokeCounter()
    #expect(counter.take(0, at: at(0)) == 0)
    #expect(counter.take(count, at: at(30)) == strokes)
    #expect(counter.take(count + 1, at: at(29)) == 0)
  }

  @Test func aPartOfARecordHasNoStrokes() {
    var decoder = SensorDecoder()
    _ = decoder.take(bytes("0000 30 0A00"), of: .rower, at: at(0))
    #expect(decoder.take(bytes("2100 B400"), of: .rower, at: at(1)).repetitions == 0)
    #expect(decoder.take(bytes("0000 30 0C00"), of: .rower, at: at(2)).repetitions == 2)
  }

  static let whole: [(SensorCharacteristic, String)] = [
    (.heartRate, "1F 7800 1000 0002 E803"),
    (.cyclingPower, "3F00 C800 32 1000 01000000 0008 FEFF E8FD"),
    (.cycling, "03 01000000 0004 0A00 0004"),
    (.running, "07 0003 5A 6400 01000000"),
    (.rower, "FE1F 30 2700 D6 9C0000 7800 6100 B400 E400 0500 0D00 0000 00 96 10 2400 0000"),
    (.bike, "FE1F B80B 0000 B400 0000 0A0000 0500 FA00 0000 0D00 0000 00 8C 10 2400 0000"),
    (.treadmill, "9E0F E803 E803 640000 0A000500 01000200 0D00 0000 00 96 10 2400 0000"),
    (.battery, "57"),
  ]

  /// Cut anywhere, a packet says the beginning of what the whole one says.
  @Test(arguments: whole)
  func aCutPacketSaysItsBeginning(_ characteristic: SensorCharacteristic, _ packet: String) {
    let packet = bytes(packet)
    var last = 0
    var decoder = SensorDecoder()
    let expected = decoder.take(packet, of: characteristic, at: at(0)).texts
    for count in 0...packet.count {
      var decoder = SensorDecoder()
      let texts = decoder.take(Array(packet.prefix(count)), of: characteristic, at: at(0)).texts
      #expect(texts == Array(expected.prefix(texts.count)))
      #expect(texts.count >= last)
      last = texts.count
    }
    #expect(last == expected.count)
  }

  /// Any bytes, at any instant.
  @Test func invented() throws {
    var random = SeededGenerator(seed: 7)
    var decoder = SensorDecoder()
    var now = at(0)
    var readings = 0
    for _ in 0..<100_000 {
      let characteristic = SensorCharacteristic.allCases.randomElement(using: &random) ?? .rower
      let length = Int.random(in: 0...30, using: &random)
      let packet = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      now += .milliseconds(Int.random(in: -100...4_000, using: &random))
      let report = decoder.take(packet, of: characteristic, at: now)
      readings += report.readings.count
      let kinds = Set(report.readings.map(\.kind))
      guard kinds.count == report.readings.count, (0...60).contains(report.repetitions),
        report.readings.allSatisfy({
          $0.value.isFinite && ($0.kind == .watts || $0.value >= 0)
            && ($0.kind != .cadence || characteristic == .bike || $0.value <= 600)
        })
      else { throw Unexpected("\(characteristic): \(packet): \(report)") }
    }
    #expect(readings > 10_000)
  }

  @Test func characteristicsByTheirUUID() {
    let base = "-0000-1000-8000-00805f9b34fb"
    #expect(SensorCharacteristic(uuid: "00002a37" + base) == .heartRate)
    #expect(SensorCharacteristic(uuid: "00002AD1" + base.uppercased()) == .rower)
    let others = ["", "2a37", "00002a38" + base, "10002a37" + base, "0000+a37" + base]
    #expect(others.allSatisfy { SensorCharacteristic(uuid: $0) == nil })
    #expect(SensorCharacteristic.services.first == "0000180d" + base)
  }
}
