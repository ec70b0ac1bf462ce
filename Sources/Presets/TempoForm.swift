import IntervalTimeline

/// Reads `{reps: 8, tempo: 3-1-1-0}`: repetitions whose parts last so many seconds, each of which is counted aloud;
/// with `count: aloud` the last word of each repetition is its number, and with `count: no` tones are heard in place of
/// words.
package struct TempoForm {
  /// Of all repetitions.
  let length: Duration
  /// One each second; none where tones are heard.
  let remarks: [(remark: Remark, line: Int)]
  let glides: Glides?

  /// Nil for a length without a tempo.
  init?(_ entry: YamlEntry) throws(FileFault) {
    guard let map = YamlMap(entry.value), let tempo = map["tempo"] else { return nil }
    let count = try map["count"]?.word("aloud", "no")
    let keys = ["reps", "tempo", "count"] + (count == "no" ? ["glide"] : ["parts"])
    try map.checkKeys(keys, of: count == "no" ? "a tempo with count: no" : "a length with a tempo")
    let reps = try map.required("reps", expected: "how many repetitions, such as reps: 8").count()
    let seconds = try Self.seconds(tempo)
    if count == "no" {
      let glides = Glides(seconds, risesFirst: try map["glide"]?.word("down", "up") == "up")
      guard glides.isPermitted else {
        throw FileFault(
          line: tempo.line, "a tempo with count: no in which nothing moves",
          expected: "seconds in the first or the third part, such as 4-7-8-0")
      }
      self.glides = glides
      (length, remarks) = (.seconds(reps * seconds.reduce(0, +)), [])
      return
    }
    glides = nil
    let names = try map["parts"].map { entry throws(FileFault) in try Self.names(entry) }
    let all = seconds.reduce(0, +)
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
      if count == "aloud" {
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
    let seconds = parts.compactMap { $0 }.filter(Glides.parts.contains)
    guard parts.count == Glides.partCount, seconds.count == Glides.partCount,
      seconds.contains(where: { $0 > 0 })
    else {
      throw entry.fault(
        expected: "four numbers of seconds from 0 to \(Glides.parts.upperBound), such as 3-1-1-0")
    }
    return seconds
  }

  private static func names(_ entry: YamlEntry) throws(FileFault) -> [String] {
    let expected: Sentence = "a word for each part, such as [Down, Hold, Up, Hold]"
    var names: [String] = []
    for part in try entry.items(named: "a part", expected: expected) {
      names.append(try part.plainWords())
    }
    guard names.count == Glides.partCount else {
      throw entry.fault(
        names.count == 1 ? "parts has 1 word" : "parts has \(names.count) words",
        expected: "\(Glides.partCount), one for each part")
    }
    return names
  }

  /// As `show` has it: "4-7-8-0, up".
  package static func text(of glides: Glides) -> String {
    glides.seconds.map { "\($0)" }.joined(separator: "-") + (glides.risesFirst ? ", up" : "")
  }

  /// The length of a phase that has tones; nil for another, and for one that is no whole number of repetitions.
  static func written(_ phase: Phase) -> String? {
    guard let glides = phase.glides, case .fixed(let length) = phase.length,
      case let reps = length / glides.length, reps == reps.rounded(), reps >= 1
    else { return nil }
    let tempo = glides.seconds.map { "\($0)" }.joined(separator: "-")
    return
      "{reps: \(Int(reps)), tempo: \(tempo), count: no\(glides.risesFirst ? ", glide: up" : "")}"
  }
}
