import IntervalTimeline

/// Reads `{reps: 8, tempo: 3-1-1-0}`: repetitions whose parts last so many seconds, each of which is counted aloud;
/// with `count: aloud` the last word of each repetition is its number.
struct TempoForm {
  private static let partCount = 4
  /// The most seconds of a part.
  private static let maximumPart = 60

  /// Of all repetitions.
  let length: Duration
  /// One each second.
  let remarks: [(remark: Remark, line: Int)]

  /// Nil for a length without a tempo.
  init?(_ entry: YamlEntry) throws(FileFault) {
    guard let map = YamlMap(entry.value), let tempo = map["tempo"] else { return nil }
    try map.checkKeys(["reps", "tempo", "parts", "count"], of: "a length with a tempo")
    let reps = try map.required("reps", expected: "how many repetitions, such as reps: 8").count()
    let seconds = try Self.seconds(tempo)
    let names = try map["parts"].map { entry throws(FileFault) in try Self.names(entry) }
    let all = seconds.reduce(0, +)
    let isCounted = try map["count"]?.word("aloud") != nil
    guard reps <= PresetLimits.remarks / all else {
      throw FileFault(
        line: tempo.line, "a tempo of \(reps) times \(all) s, each second counted",
        expected: "at most \(PresetLimits.remarks) s in all")
    }
    length = .seconds(reps * all)
    var remarks: [(remark: Remark, line: Int)] = []
    for rep in 1...reps {
      for (part, count) in seconds.enumerated() {
        for second in 0..<count {
          let name = second == 0 ? names?[part] : nil
          let text = Template(plain: name ?? String(second + 1))
          remarks.append((Remark(text, at: .fromStart(.seconds(remarks.count))), tempo.line))
        }
      }
      // Its number is the last word of each.
      if isCounted {
        let last = remarks.count - 1
        remarks[last].remark = Remark(
          Template(plain: String(rep)), at: .fromStart(.seconds(last)))
      }
    }
    self.remarks = remarks
  }

  private static func seconds(_ entry: YamlEntry) throws(FileFault) -> [Int] {
    let text = entry.value.text ?? ""
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map {
      $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int($0) : nil
    }
    let seconds = parts.compactMap { $0 }.filter { $0 <= maximumPart }
    guard parts.count == partCount, seconds.count == partCount, seconds.contains(where: { $0 > 0 })
    else {
      throw entry.fault(
        expected: "four numbers of seconds from 0 to \(maximumPart), such as 3-1-1-0")
    }
    return seconds
  }

  private static func names(_ entry: YamlEntry) throws(FileFault) -> [String] {
    let expected = "a word for each part, such as [Down, Hold, Up, Hold]"
    var names: [String] = []
    for part in try entry.items(named: "a part", expected: expected) {
      names.append(try part.plainWords())
    }
    guard names.count == partCount else {
      throw FileFault(
        line: entry.line, "parts has \(names.count) word\(names.count == 1 ? "" : "s")",
        expected: "\(partCount), one for each part")
    }
    return names
  }
}
