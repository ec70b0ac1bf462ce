import IntervalTimeline
import Presets

/// Courses of ergometers: `.erg` in watts and `.mrc` in percent of the threshold power.
///
///     [COURSE HEADER]
///     FTP = 250
///     MINUTES WATTS
///     [END COURSE HEADER]
///     [COURSE DATA]
///     0.00    100
///     5.00    150
///     [END COURSE DATA]
///     [COURSE TEXT]
///     10      Easy    15
///     [END COURSE TEXT]
///
/// Times are minutes with two decimals, so each is rounded to the nearest second. A text's time is in seconds; with
/// a decimal point it is in minutes, as one program writes it.
struct CourseFile {
  static let expected: Sentence =
    "[COURSE HEADER] with MINUTES WATTS or MINUTES PERCENT, then [COURSE DATA]"

  private enum Section { case outside, header, data, text }

  private struct Point {
    let line: Int
    /// In seconds from the start.
    let at: Int64
    let power: Double
    /// Of what begins there; nil for none of its own.
    var name: String?
  }

  private struct Note {
    let at: Duration
    let text: String
  }

  private var draft = WorkoutDraft()
  private var section = Section.outside
  private var isPercent: Bool?
  private var points: [Point] = []
  /// Where a phase ends although the power goes on, and what the next one is called.
  private var laps: [(at: Int64, name: String)] = []
  private var notes: [Note] = []
  private var hasData = false

  static func draft(of text: FileText) throws(FileFault) -> WorkoutDraft {
    var file = CourseFile()
    for (index, line) in text.lines.enumerated() {
      let line = line.trimmed
      if !line.isEmpty { try file.read(line, number: index + 1) }
    }
    guard file.hasData else {
      throw FileFault(line: nil, "a course without [COURSE DATA]", expected: Self.expected)
    }
    if file.section == .data || file.section == .text {
      file.draft.report("the last section has no [END …]: the file may be cut off")
    }
    try file.addPhases()
    return file.draft
  }

  private mutating func read(_ line: Substring, number: Int) throws(FileFault) {
    if line.hasPrefix("[") {
      section =
        switch line.uppercased().filter({ $0.isLetter || $0 == " " }) {
        case "COURSE HEADER": .header
        case "COURSE DATA": .data
        case "COURSE TEXT": .text
        default: .outside
        }
      if section == .data { hasData = true }
      return
    }
    switch section {
    case .header: try readHeader(line, number)
    case .data: try readPoint(line, number)
    case .text: try readNote(line, number)
    case .outside: draft.report("what is outside of header, data and text is not kept")
    }
  }

  private mutating func readHeader(_ line: Substring, _ number: Int) throws(FileFault) {
    guard let equals = line.firstIndex(of: "=") else {
      let words = line.uppercased().split(whereSeparator: \.isWhitespace)
      guard words.count == 2, words[0] == "MINUTES" else { return }
      switch words[1] {
      case "PERCENT", "PERCENTAGE": isPercent = true
      case "WATTS": isPercent = false
      default:
        throw FileFault(
          line: number, "data in \(quoted(String(words[1])))",
          expected: "MINUTES WATTS or MINUTES PERCENT")
      }
      return
    }
    let value = String(line[line.index(after: equals)...].trimmed)
    switch line[..<equals].trimmed.uppercased() {
    case "DESCRIPTION": if !value.isEmpty { draft.name = value }
    case "FILE NAME": if draft.name == nil, !value.isEmpty { draft.name = value }
    case "FTP":
      guard let watts = decimal(value), (1...10_000).contains(watts) else { return }
      draft.threshold = watts
    default: break
    }
  }

  private mutating func readPoint(_ line: Substring, _ number: Int) throws(FileFault) {
    let words = line.words
    let isLap = words.count >= 3 && words[2].uppercased() == "LAP"
    if words.count >= 2, words[1].uppercased() == "LAP", let minutes = decimal(words[0]),
      (0...1440).contains(minutes)
    {
      laps.append((Self.seconds(minutes), words.dropFirst(2).joined(separator: " ")))
      return
    }
    guard words.count == 2 || isLap, let minutes = decimal(words[0]), let power = decimal(words[1])
    else {
      throw FileFault(
        line: number, "data that is \(quoted(String(line)))",
        expected: "minutes and a power, such as 5.00 150")
    }
    guard (0...1440).contains(minutes) else {
      throw FileFault(
        line: number, "\(quoted(String(words[0]))) minutes", expected: "0 to 1440 minutes, 24 h")
    }
    guard (0...100_000).contains(power) else {
      throw FileFault(
        line: number, "a power of \(quoted(String(words[1])))", expected: "0 or more")
    }
    let at = Self.seconds(minutes)
    if isLap { laps.append((at, words.dropFirst(3).joined(separator: " "))) }
    guard at >= points.last?.at ?? 0 else {
      throw FileFault(
        line: number, "\(quoted(String(words[0]))) minutes after a later time",
        expected: "times in order")
    }
    points.append(Point(line: number, at: at, power: power))
  }

  private mutating func readNote(_ line: Substring, _ number: Int) throws(FileFault) {
    var parts = line.split(separator: "\t", omittingEmptySubsequences: true)
    if parts.count < 2 {
      let words = line.words
      let hasLength = words.count > 2 && words.last.flatMap { decimal($0) } != nil
      parts = [
        words.first ?? "",
        Substring(words.dropFirst().dropLast(hasLength ? 1 : 0).joined(separator: " ")),
      ]
    }
    let time = parts[0].trimmed
    guard let value = decimal(time), (0...86_400).contains(value) else {
      throw FileFault(
        line: number, "a text at \(quoted(String(time)))",
        expected: "seconds from the start, the text and how long it is shown")
    }
    let seconds = time.contains(".") ? value * 60 : value
    notes.append(
      Note(at: .milliseconds(Int64((seconds * 1000).rounded())), text: String(parts[1])))
  }

  // MARK: Phases

  private static func seconds(_ minutes: Double) -> Int64 { Int64((minutes * 60).rounded()) }

  /// Ends a phase at each lap, with the power of that instant.
  private mutating func addLaps() {
    laps.sort { $0.at < $1.at }
    var rest = laps[...]
    var all: [Point] = []
    for to in points {
      while let lap = rest.first, lap.at < to.at {
        rest.removeFirst()
        guard let from = all.last else { continue }
        let name = lap.name.isEmpty ? nil : lap.name
        if from.at == lap.at {
          all[all.count - 1].name = name
        } else {
          let share = Double(lap.at - from.at) / Double(to.at - from.at)
          all.append(
            Point(
              line: from.line, at: lap.at, power: from.power + (to.power - from.power) * share,
              name: name))
        }
      }
      all.append(to)
    }
    points = all
  }

  private static func meanPower(of pairs: [(Point, Point)]) -> Double? {
    let seconds = pairs.reduce(0.0) { $0 + Double($1.1.at - $1.0.at) }
    guard seconds > 0 else { return nil }
    return pairs.reduce(0.0) { sum, pair in
      sum + (pair.0.power + pair.1.power) / 2 * Double(pair.1.at - pair.0.at)
    } / seconds
  }

  /// Work where there is no mean to compare with, or it is within a twentieth of it.
  private static func kind(of power: Double, beside mean: Double?) -> PhaseKind {
    guard let mean, abs(power - mean) > mean / 20 else { return .work }
    return power > mean ? .high : .low
  }

  private mutating func addPhases() throws(FileFault) {
    guard let isPercent else {
      throw FileFault(
        line: nil, "a course that does not say what its powers are",
        expected: "MINUTES WATTS or MINUTES PERCENT in its header")
    }
    addLaps()
    let pairs = Array(zip(points, points.dropFirst())).filter { $0.at < $1.at }
    var mean: Double?
    if !isPercent, draft.threshold == nil {
      draft.report("without FTP in the header what is above the mean power is hard, below it easy")
      mean = Self.meanPower(of: pairs)
    }
    notes.sort { $0.at < $1.at }
    var rest = notes[...]
    for (index, (from, to)) in pairs.enumerated() {
      let kind: PhaseKind
      if index == 0, from.power < to.power {
        kind = .warmup
      } else if index == pairs.count - 1, from.power > to.power {
        kind = .cooldown
      } else {
        kind = Self.kind(of: (from.power + to.power) / 2, beside: mean)
      }
      let (start, end) = (Duration.seconds(from.at), Duration.seconds(to.at))
      let length = PhaseLength.fixed(end - start)
      var remarks: [Remark] = []
      while let note = rest.first, note.at < end {
        rest.removeFirst()
        if let remark = draft.remark(note.text, at: note.at - start, in: length) {
          remarks.append(remark)
        }
      }
      let power: Intensity.Amount =
        from.power == to.power ? .one(from.power) : .ramp(from.power, to.power)
      try draft.add(
        draft.step(
          kind, length, name: from.name,
          intensity: Intensity(isPercent ? .thresholdPower : .watts, power).text,
          remarks: remarks, line: from.line))
    }
    if !rest.isEmpty {
      draft.report("a text before the start or after the end of its phase is left out")
    }
  }
}
