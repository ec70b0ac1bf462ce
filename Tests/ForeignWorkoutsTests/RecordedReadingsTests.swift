import FileFuzzing
import Foundation
import IntervalTimeline
import Presets
import TestSupport
import Testing

@testable import ForeignWorkouts

/// Yesterday's ride as a sensor: FIT records and tables.
@Suite struct RecordedReadingsTests {
  private var fit = FITBytes(type: 4)

  private func read(_ bytes: [UInt8]) throws -> [String] {
    let space = TestFolder()
    return try RecordedReadings.read(path: space.write(Data(bytes), to: "ride")).entries.map {
      "\($0.time / .seconds(1)) \($0.reading.kind.rawValue) \($0.reading.value)"
    }
  }

  private func complaint(_ bytes: [UInt8]) -> String? {
    do { return try read(bytes).joined() } catch { return "\(error)" }
  }

  private static let time: UInt32 = 1_000_000_000
  /// Heart rate, cadence, power and speed, with a time of their own.
  private static let fields: [(UInt8, UInt8, UInt8)] = [
    (253, 4, 0x86), (3, 1, 0x02), (4, 1, 0x02), (7, 2, 0x84), (6, 2, 0x84),
  ]

  private static func record(
    _ second: UInt32, _ heart: UInt8, _ cadence: UInt8, _ watts: UInt16, _ speed: UInt16
  ) -> [UInt8] {
    func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
    }
    return [3] + bytes(time + second, 4) + [heart, cadence] + bytes(UInt32(watts), 2)
      + bytes(UInt32(speed), 2)
  }

  @Test mutating func theValuesOfARideWithWhatIsAbsentLeftOut() throws {
    fit.define(3, 20, Self.fields)
    fit.append(Self.record(0, 140, 90, 200, 10_000))
    fit.append(Self.record(2, 0xFF, 0, 0, 0xFFFF))
    fit.append(Self.record(3, 0, 0xFF, 0xFFFF, 0))
    #expect(
      try read(fit.file()) == [
        "0.0 heart-rate 140.0", "0.0 cadence 90.0", "0.0 watts 200.0", "0.0 speed 36.0",
        "2.0 cadence 0.0", "2.0 watts 0.0", "3.0 speed 0.0",
      ])
  }

  @Test mutating func aCadenceHasAFraction() throws {
    fit.define(3, 20, [(253, 4, 0x86), (4, 1, 0x02), (53, 1, 0x02)])
    fit.append([3, 0, 0, 0, 60, 85, 64])
    fit.append([3, 1, 0, 0, 60, 85, 0xFF])
    #expect(try read(fit.file()) == ["0.0 cadence 85.5", "1.0 cadence 85.0"])
  }

  /// A watch knows no foot pod's power: the program of the foot pod's maker describes a field of its own for it.
  @Test mutating func aDevelopersFieldCountsAsTheOneThatItStandsFor() throws {
    // Of the fields 0 and 1 of developer 2 the first is the power of a record, the second nothing of the profile.
    fit.define(
      5, 206, [(0, 1, 0x02), (1, 1, 0x02), (2, 1, 0x02), (14, 2, 0x84), (15, 1, 0x02)])
    fit.append([5, 2, 0, 0x84, 20, 0, 7])
    fit.append([5, 2, 1, 0x84, 0xFF, 0xFF, 0xFF])
    // Its definition: time and heart rate, and both fields of the developer.
    fit.append([0x60 | 3, 0, 0, 20, 0, 2, 253, 4, 0x86, 3, 1, 0x02, 2, 1, 2, 2, 0, 2, 2])
    fit.append([3, 0, 0, 0, 60, 140, 9, 9, 0x2C, 1])
    fit.append([3, 1, 0, 0, 60, 141, 9, 9, 0xFF, 0xFF])
    #expect(
      try read(fit.file()) == ["0.0 heart-rate 140.0", "0.0 watts 300.0", "1.0 heart-rate 141.0"])
  }

  @Test mutating func aShortHeaderHasTheLastFiveBitsOfTheTime() throws {
    fit.define(3, 20, Self.fields)
    fit.append(Self.record(0, 140, 0xFF, 0xFFFF, 0xFFFF))
    fit.define(1, 20, [(3, 1, 0x02)])
    // Two seconds later, 31 after that, and with no time in between.
    for second in [UInt32(2), 33, 33] {
      let bits = UInt8((Self.time + second) & 0x1F)
      fit.append([0x80 | 1 << 5 | bits, 141])
    }
    #expect(
      try read(fit.file()) == [
        "0.0 heart-rate 140.0", "2.0 heart-rate 141.0", "33.0 heart-rate 141.0",
        "33.0 heart-rate 141.0",
      ])
  }

  @Test mutating func whatACadenceCountsDependsOnTheSport() throws {
    fit.define(3, 20, Self.fields)
    fit.append(Self.record(0, 0xFF, 80, 0xFFFF, 0xFFFF))
    fit.append(Self.record(10, 0xFF, 85, 0xFFFF, 0xFFFF))
    // Two sessions at the end: a ride, and from the tenth second on a run.
    fit.define(4, 18, [(2, 4, 0x86), (5, 1, 0x00)])
    for (second, sport) in [(0, 2), (10, 1)] {
      let start = Self.time + UInt32(second)
      fit.append([4] + (0..<4).map { UInt8(start >> (8 * $0) & 0xFF) } + [UInt8(sport)])
    }
    #expect(try read(fit.file()) == ["0.0 cadence 80.0", "10.0 cadence 170.0"])

    // Before its records: a run, and rowing.
    for (sport, reading) in [(1 as UInt8, "0.0 cadence 48.0"), (15, "0.0 stroke-rate 24.0")] {
      var fit = FITBytes(type: 4)
      fit.define(2, 12, [(0, 1, 0x00)])
      fit.append([2, sport])
      fit.define(3, 20, Self.fields)
      fit.append(Self.record(0, 0xFF, 24, 0xFFFF, 0xFFFF))
      #expect(try read(fit.file()) == [reading])
    }
  }

  @Test mutating func recordsBeforeTheFirstTimeBelongNowhere() throws {
    fit.define(1, 20, [(3, 1, 0x02)])
    fit.append([1, 130])
    fit.define(3, 20, Self.fields)
    fit.append(Self.record(0, 140, 0xFF, 0xFFFF, 0xFFFF))
    fit.append([1, 141])
    #expect(try read(fit.file()) == ["0.0 heart-rate 140.0", "1.0 heart-rate 141.0"])

    var undated = FITBytes(type: 4)
    undated.define(1, 20, [(3, 1, 0x02)])
    undated.append([1, 130, 1, 131])
    #expect(try read(undated.file()) == ["0.0 heart-rate 130.0", "1.0 heart-rate 131.0"])
  }

  @Test mutating func aFieldThatIsNoNumberIsNoReading() throws {
    // The heart rate as three bytes of a number of two, as a text the power.
    fit.define(3, 20, [(253, 4, 0x86), (3, 3, 0x84), (7, 2, 0x07), (4, 1, 0x02)])
    let start = (0..<4).map { UInt8(Self.time >> (8 * $0) & 0xFF) }
    fit.append([3] + start + [1, 2, 3, 65, 0, 90])
    #expect(try read(fit.file()) == ["0.0 cadence 90.0"])
  }

  @Test func kindsOfATableAreInCapitalsOrNotAndPowerIsWatts() throws {
    #expect(
      try read(Array("Seconds,Kind,Value\n1,Power,200\n2,Heart-Rate,150\n".utf8)) == [
        "1.0 watts 200.0", "2.0 heart-rate 150.0",
      ])
  }

  @Test func aFileWithoutReadingsAndATableWithMistakesAreExplained() {
    #expect(
      complaint(FITBytes(type: 4).file())?.hasSuffix(
        "no reading in it, expected records of heart rate, power, cadence or speed") == true)
    #expect(
      complaint(Array("0,watts,200\n1,weight,3\n".utf8))?.contains(":2: no reading, expected ")
        == true)
    // Titles name no kind and no number.
    #expect(complaint(Array("O,watts,3\n1,watts,3\n".utf8))?.contains(":1: no reading") == true)
    #expect(
      complaint(Array("0,watts,much\n".utf8))?.contains(":1: no value of watts, expected ") == true)
    for line in ["0,watts,1e308", "0,heart-rate,400", "0,cadence,-1", "0,pace,0:00\n0,speed,1e9"] {
      #expect(
        complaint(Array("\(line)\n".utf8))?.contains("a value that no sensor has, expected ")
          == true,
        "\(line)")
    }
    // A strap that is not worn.
    #expect(complaint(Array("0,heart-rate,0\n1,heart-rate,120\n".utf8))?.contains("no ") == false)
    #expect(complaint(Array("-1,watts,2\n".utf8))?.contains(":1: no reading, expected ") == true)
  }

  /// A minute of a ride.
  private static var ride: [UInt8] {
    var fit = FITBytes(type: 4)
    fit.define(3, 20, fields)
    for second in 0..<60 { fit.append(record(UInt32(second), 140, 90, 200, 10_000)) }
    return fit.file()
  }

  private func salvaged(_ bytes: [UInt8]) throws -> RecordedReadings {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).fit"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try RecordedReadings.read(path: path)
  }

  /// A device whose battery ran out has written neither the length nor the checksum.
  @Test func ofARecordThatEndsInTheMiddleWhatIsThereIsRead() throws {
    let whole = Self.ride
    #expect(try salvaged(whole).damage == nil && salvaged(whole).entries.count == 240)
    for cut in [1, 2, 3, 13, 14, 300] {
      let readings = try salvaged(whole.dropLast(cut))
      let records = min(60, (whole.count - cut - Self.firstRecord(whole)) / Self.recordSize)
      #expect(readings.entries.count == 4 * records, "\(cut)")
      let line = readings.damage ?? ""
      #expect(line.contains("the end of the FIT file") && line.hasSuffix("readings are used"))
    }
    var unfinished = whole
    unfinished.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    #expect(try salvaged(unfinished).entries.count == 240)
  }

  /// Its bytes do not look like text, but its name and its sizes are those of a record.
  @Test func aDamagedMarkMakesNoTable() throws {
    for headerSize: UInt8 in [12, 14] {
      var fit = FITBytes(type: 4)
      fit.define(3, 20, Self.fields)
      fit.append(Self.record(0, 140, 90, 200, 10_000))
      for place in 8..<12 {
        var bytes = fit.file(headerSize: headerSize)
        bytes[place] = 0xFF
        let readings = try salvaged(bytes)
        #expect(readings.entries.count == 4)
        #expect(
          readings.damage?.contains(
            "byte 8: a damaged mark of a FIT file, expected the letters .FIT") == true)
      }
    }
    // A table that somebody has named so.
    #expect(try salvaged(Array("0,watts,200\n".utf8)).entries.count == 1)
  }

  /// The checksum is no record, whatever its bytes are.
  @Test func ofAWrongChecksumAloneAllRecordsAreRead() throws {
    var bytes = Self.ride
    // As the head of a message without fields.
    bytes.replaceSubrange((bytes.count - 2)..., with: [0x00, 0x04])
    let readings = try salvaged(bytes)
    #expect(readings.entries.count == 240)
    #expect(readings.damage?.contains("the checksum 0x400, expected 0x") == true)
    #expect(readings.damage?.hasSuffix("its 240 readings are used") == true)
  }

  @Test mutating func filesThatFollowEachOtherAreReadAll() throws {
    fit.define(3, 20, Self.fields)
    fit.append(Self.record(100, 150, 0xFF, 0xFFFF, 0xFFFF))
    let later = fit.file()
    #expect(
      try read(Self.ride + later).suffix(2) == ["59.0 speed 36.0", "100.0 heart-rate 150.0"])
    #expect(try salvaged(Self.ride + later).damage == nil)
    // In any order, and with a first one whose checksum is wrong.
    #expect(try read(later + Self.ride).count == 241)
    var bytes = Self.ride
    bytes[bytes.count - 1] ^= 1
    #expect(try salvaged(bytes + later).entries.count == 241)
    let rest = try salvaged(Self.ride + [1, 2, 3])
    #expect(rest.entries.count == 240)
    #expect(rest.damage?.contains("3 bytes after the FIT file, expected another FIT file") == true)
  }

  @Test func aTableWithoutReadingsIsASensorThatIsNeverHeard() throws {
    for table in ["", "\n", "seconds,kind,value\n", "0,heart-rate,none\n1,heart-rate,0\n"] {
      let readings = try salvaged(Array(table.utf8))
      #expect(readings.entries.isEmpty)
      #expect(readings.damage?.hasSuffix(": no reading in it; no sensor is ever heard") == true)
    }
  }

  private static let recordSize = 11

  /// Where the records of `ride` begin.
  private static func firstRecord(_ ride: [UInt8]) -> Int { ride.count - 2 - 60 * recordSize }

  /// Each byte, changed: a line, and all readings of the records that are whole.
  @Test func aWrongByteTakesNoMoreThanItsOwnRecord() throws {
    let whole = Self.ride
    let first = Self.firstRecord(whole)
    for place in first..<whole.count - 2 {
      var bytes = whole
      bytes[place] ^= 0x10
      let readings = try salvaged(bytes)
      let damage = try #require(readings.damage)
      #expect(damage.contains("the file is damaged") && !damage.contains("\n"))
      #expect(readings.entries.count >= 4 * 59, "byte \(place)")
      // The head of a record may say now that it is another one: what follows cannot be told.
      bytes[place] ^= 0x50
      guard place >= first + 2 * Self.recordSize else { continue }
      #expect(try salvaged(bytes).entries.count >= 4 * ((place - first) / Self.recordSize - 1))
    }
    for place in 0..<first {
      var bytes = whole
      bytes[place] ^= 0x10
      do {
        _ = try salvaged(bytes)
      } catch {
        #expect(!"\(error)".contains("\n"))
      }
    }
  }

  @Test func aTableIsReadWithTitlesRemarksAndPaces() throws {
    let table = """
      seconds,kind,value
      # a remark

      2.5,pace,1:58.5
      3,pace,4:30/km
      0,heart-rate,112
      1,watts,
      1,cadence,none
      """
    // As programs of Windows write it, too.
    let marked = [0xEF, 0xBB, 0xBF] + Array("0,watts,200\r\n1,watts,210\r\n".utf8)
    #expect(try read(marked) == ["0.0 watts 200.0", "1.0 watts 210.0"])
    #expect(complaint(Array("0,watts,0x10\n".utf8))?.contains("no value of watts") == true)
    #expect(
      try read(Array(table.utf8)) == ["0.0 heart-rate 112.0", "2.5 pace 118.5", "3.0 pace 135.0"])
    for text in ["4:30/h", "4:30/", "12 km/h", "4:00 to 4:30/km"] {
      #expect(
        complaint(Array("0,pace,\(text)\n".utf8))?.contains("no value of pace") == true, "\(text)")
    }
  }
}
