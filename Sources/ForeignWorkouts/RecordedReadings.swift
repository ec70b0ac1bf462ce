import IntervalTimeline
import Presets

/// What sensors said in a workout that is over, in order: a FIT record of a ride or a run, or a table of seconds, kind
/// and value with commas between.
///
///     0,heart-rate,112
///     1,watts,187
///     1.5,pace,1:58
///     2,pace,4:30/km
///
/// A pace is for 500 m where nothing else is said.
package struct RecordedReadings: Sendable {
  /// A reading, and when it came: since the beginning of the record.
  package struct Entry: Hashable, Sendable {
    /// Zero or more.
    package let time: Duration
    /// In its kind's unit.
    package let reading: Reading
  }

  /// By time.
  package let entries: [Entry]
  /// What is wrong with the file, and how much of it is there all the same; nil for one with readings that is whole.
  package let damage: String?

  /// Reads the file at `path`, of at most 16 MB.
  ///
  /// A table may be without readings: a sensor that is never heard.
  ///
  /// - Throws: `FileError` with the place of the first mistake. Of a damaged FIT record, what is whole is read.
  package static func read(path: String) throws(FileError) -> RecordedReadings {
    let bytes = try FileBytes.contents(
      ofFile: path, expected: "a FIT record or a table of readings", atMost: maximumCount)
    return try FileError.naming(path) { () throws(FileFault) in
      let isRecord = FITReader.isLike(bytes, named: path)
      let (entries, damage) = isRecord ? try fit(bytes) : (try table(bytes), nil)
      guard !entries.isEmpty else {
        guard isRecord else {
          return RecordedReadings(
            entries: [], damage: "\(path): no reading in it; no sensor is ever heard")
        }
        throw damage
          ?? FileFault(
            line: nil, "no reading in it",
            expected: "records of heart rate, power, cadence or speed")
      }
      // In the order of the file where two have one time.
      let sorted = entries.enumerated().sorted {
        ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
      }.map(\.element)
      return RecordedReadings(
        entries: sorted,
        damage: damage.map {
          "\(FileError($0, of: path)); its \(sorted.count) readings are used"
        })
    }
  }

  private static var expected: Sentence {
    "seconds,kind,value, with the kind one of \(TargetKind.allCases.map(\.rawValue).joined(separator: ", "))"
  }

  private static let maximumCount = 16_000_000
  /// As many changes of the sport as are followed in a file.
  private static let maximumSports = 100
  /// A year.
  private static let longest = 366.0 * 86_400

  // MARK: Tables

  private static func table(_ bytes: [UInt8]) throws(FileFault) -> [Entry] {
    var entries: [Entry] = []
    for (index, line) in try FileText(bytes, atMost: maximumCount).lines.enumerated() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
      // A line of titles, a remark, or nothing.
      if line.allSatisfy(\.isWhitespace) || line.first == "#" { continue }
      if index == 0, fields.count == 3, decimal(fields[0]) == nil, decimal(fields[2]) == nil,
        Self.kind(fields[1]) == nil
      {
        continue
      }
      guard fields.count == 3, let seconds = decimal(fields[0]), (0...longest).contains(seconds),
        let kind = Self.kind(fields[1])
      else { throw FileFault(line: index + 1, "no reading", expected: expected) }
      // A sensor that says that it has none.
      if fields[2].isEmpty || fields[2] == "none" { continue }
      guard let value = value(fields[2], isPace: kind == .pace) else {
        throw FileFault(line: index + 1, "no value of \(kind.rawValue)", expected: expected)
      }
      guard let reading = Reading(kind, value) else {
        // A strap that is not worn says 0.
        if value == 0 { continue }
        throw FileFault(line: index + 1, "a value that no sensor has", expected: expected)
      }
      entries.append(Entry(time: .seconds(seconds), reading: reading))
    }
    return entries
  }

  /// As presets name it, in capitals or not; "power" is that of `watts`.
  private static func kind(_ text: Substring) -> TargetKind? {
    let name = text.lowercased()
    return TargetKind(rawValue: name == "power" ? TargetKind.watts.rawValue : name)
  }

  /// "187", "118.5", and a pace as "1:58.5", or as "4:30/km" where it is not for 500 m.
  private static func value(_ text: Substring, isPace: Bool) -> Double? {
    if isPace, text.contains("/") {
      guard
        case .target(let measure, .one(let seconds))? = Intensity(reading: String(text))?.parts
          .first,
        let metres = measure.paceMetres
      else { return nil }
      return seconds * Reading.paceMetres / metres
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return decimal(text) }
    guard let minutes = Int(parts[0]), (0...1000).contains(minutes),
      let seconds = decimal(parts[1]), (0..<60).contains(seconds)
    else { return nil }
    return Double(minutes) * 60 + seconds
  }

  // MARK: FIT

  /// The kinds of message that are read.
  private enum Global {
    static let (sport, session, record) = (12 as UInt16, 18 as UInt16, 20 as UInt16)
  }

  /// What kind of reading the cadence of a sport is, and by how much it is multiplied.
  private static func cadence(of sport: UInt32?) -> (kind: TargetKind, factor: Double) {
    switch sport {
    // Running, walking and hiking: a FIT file counts the steps of one foot.
    case 1, 11, 17: (.cadence, 2)
    // Rowing.
    case 15: (.strokeRate, 1)
    default: (.cadence, 1)
    }
  }

  /// What is read of a FIT file.
  private struct Record {
    var entries: [(instant: UInt32, reading: Reading)] = []
    /// The time of the first record.
    var start: UInt32
  }

  /// Of files that follow each other, such as those of a device that was switched off in between, all are read.
  private static func fit(
    _ bytes: [UInt8]
  ) throws(FileFault) -> (entries: [Entry], damage: FileFault?) {
    var reader = try FITReader(bytes, salvages: true)
    var records = [try record(&reader)]
    var damage = reader.damage
    while reader.hasMore {
      let place = reader.following
      guard FITReader.isLike(bytes, from: place) else {
        damage =
          damage
          ?? FITMessage.fault(
            place, "\(bytes.count - place) bytes after the FIT file",
            expected: "another FIT file or nothing")
        break
      }
      do throws(FileFault) {
        reader = try FITReader(bytes, from: place, salvages: true)
        records.append(try record(&reader))
        damage = damage ?? reader.damage
      } catch {
        damage = damage ?? error
        break
      }
    }
    let start = records.filter { !$0.entries.isEmpty }.map(\.start).min() ?? 0
    let entries = records.flatMap(\.entries).compactMap { instant, reading in
      Double(instant - start) <= longest
        ? Entry(time: .seconds(Int64(instant - start)), reading: reading) : nil
    }
    return (entries, damage)
  }

  private static func record(_ reader: inout FITReader) throws(FileFault) -> Record {
    var records: [(instant: UInt32, message: FITMessage)] = []
    // Records before the first that has a time belong nowhere, unless none has.
    var isDated = false
    // The message of a sport precedes its records; that of a session follows them and has its start.
    var sports: [(start: UInt32, sport: UInt32)] = []
    while let message = try reader.next() {
      let last = records.last?.instant
      switch message.global {
      case Global.record:
        if message.timestamp != nil, !isDated { (isDated, records) = (true, []) }
        // Where it has no time of its own, one comes each second.
        records.append((message.timestamp ?? last.map { $0 &+ 1 } ?? 0, message))
      // Each record looks through them.
      case Global.sport, Global.session:
        guard sports.count < maximumSports else { break }
        let isSport = message.global == Global.sport
        sports.append(
          isSport
            ? (last ?? 0, message.readable(0) ?? 0)
            : (message.readable(2) ?? 0, message.readable(5) ?? 0))
      default: break
      }
    }
    var start = records.first?.instant ?? 0
    if reader.damage != nil {
      // The first time may be the one that is wrong; the first that has another soon after it is not.
      let index = records.indices.first { index in
        records[(index + 1)...].prefix(2).contains {
          $0.instant &- records[index].instant < 3600
        }
      }
      start = index.map { records[$0].instant } ?? start
    }
    let entries = records.flatMap { instant, message -> [(instant: UInt32, reading: Reading)] in
      guard instant >= start, Double(instant - start) <= longest else { return [] }
      let sport = sports.filter { $0.start <= instant }.max { $0.start < $1.start }?.sport
      return readings(message, of: sport).map { (instant, $0) }
    }
    return Record(entries: entries, start: start)
  }

  private static func readings(_ record: FITMessage, of sport: UInt32?) -> [Reading] {
    let cadence = cadence(of: sport)
    func value(_ field: UInt8) -> Double? { record.readable(field).map(Double.init) }
    // Its fraction is in 128ths.
    let turns = value(4).map { $0 + (value(53) ?? 0) / 128 }
    let values: [(TargetKind, Double?)] = [
      (.heartRate, value(3)),
      (cadence.kind, turns.map { $0 * cadence.factor }),
      (.watts, value(7)),
      // Millimetres a second; the wider field first.
      (.speed, (value(73) ?? value(6)).map { $0 * 0.0036 }),
    ]
    return values.compactMap { kind, value in value.flatMap { Reading(kind, $0) } }
  }
}
