import IntervalTimeline

/// How often the phases of a block or of a group are done, and what differs each time.
struct Repetition {
  /// One of these times.
  struct Pass {
    /// From 0.
    var number = 0
    /// Nothing is done again after it.
    var isLast = true
    /// What stands for `{side}`, `{rung}` and `{station}` in names and texts, here and in what is repeated around it.
    var words: [String: String] = [:]
  }

  static let kinds = ["repeat", "ladder", "sides", "stations"]
  static let keys = kinds + ["switch", "count"]
  /// The most sides and the most rungs.
  static let maximumPasses = 1000
  /// The most characters of the name of a side or a station.
  private static let maximumSide = 100
  static let side = "{side}"
  static let rung = "{rung}"
  private static let station = "{station}"
  /// What stands for something else in names and texts, and the key that says for what.
  static let words: [(word: String, around: String)] = [
    (side, "sides"), (rung, "ladder"), (station, "stations"),
  ]

  let passes: [Pass]
  /// The line of `count: aloud`; nil if the passes are not counted aloud.
  let aloudLine: Int?
  /// What is done between two passes.
  let between: YamlEntry?

  /// Nil if the phases are done once. Of a block `sets` has been read before.
  ///
  /// - Parameters:
  ///   - words: of what is repeated around it.
  ///   - draws: says at which station it begins.
  init?(
    _ map: YamlMap, sets: (count: Int, line: Int)?, words: [String: String], _ draws: Draws
  ) throws(FileFault) {
    let kinds = map.entries.filter { (["sets"] + Self.kinds).contains($0.key) }
    if kinds.count > 1 {
      throw FileFault(
        line: kinds[1].line, "\(kinds[1].key) beside \(kinds[0].key)",
        expected: "one of them; phases within phases can have the other")
    }
    var passes: [[String: String]]
    switch kinds.first?.key {
    case "sets": passes = Array(repeating: [:], count: sets?.count ?? 1)
    case "repeat": passes = Array(repeating: [:], count: try kinds[0].count())
    case "ladder": passes = try LadderText.rungs(kinds[0]).map { [Self.rung: $0] }
    case "sides": passes = try Self.names(kinds[0], "side").map { [Self.side: $0] }
    case "stations":
      let stations = try Self.names(kinds[0], "station")
      let first = draws.firstStation()
      passes = stations.indices.map { index in
        [Self.station: stations[(index + first) % stations.count]]
      }
    default: passes = []
    }
    let count = map["count"]
    between = map["switch"]
    if let between, kinds.first?.key != "sides" {
      throw FileFault(
        line: between.line, "switch without sides", expected: "sides, such as sides: [left, right]")
    }
    aloudLine = count?.value.text == "aloud" ? count?.line : nil
    guard !passes.isEmpty else {
      if let aloudLine {
        throw FileFault(
          line: aloudLine, "count: aloud of phases that are done once",
          expected: "repeat, sets, ladder, sides or stations beside it")
      }
      return nil
    }
    self.passes = passes.enumerated().map { number, own in
      Pass(
        number: number, isLast: number == passes.count - 1,
        words: words.merging(own) { _, own in own })
    }
  }

  /// The names of sides or stations.
  private static func names(_ entry: YamlEntry, _ what: String) throws(FileFault) -> [String] {
    let expected: Sentence =
      "the names of the \(entry.key), such as \(what == "side" ? "[left, right]" : "[Rowing, Squats]")"
    var names: [String] = []
    for item in try entry.items(named: "a \(what)", expected: expected) {
      let name = try item.name(expected: expected, atMost: maximumSide)
      guard !name.contains("{"), !name.contains("}") else {
        throw item.fault(expected: "a name without braces")
      }
      names.append(name)
    }
    guard (2...maximumPasses).contains(names.count) else {
      throw entry.fault(
        names.count == 1 ? "\(entry.key) has 1 name" : "\(entry.key) has \(names.count) names",
        expected: "2 to \(maximumPasses)")
    }
    return names
  }
}
