import Yams

/// How often the phases of a block or of a group are done, and what differs each time.
struct Repetition {
  /// One of these times.
  struct Pass {
    /// From 0.
    var number = 0
    /// Nothing is done again after it.
    var isLast = true
    /// What stands for `{side}` and `{rung}` in names and texts, here and in what is repeated around it.
    var words: [String: String] = [:]
  }

  static let kinds = ["repeat", "ladder", "sides"]
  static let keys = kinds + ["switch", "count"]
  /// The most sides and the most rungs.
  static let maximumPasses = 1000
  /// The most characters of a side's name.
  private static let maximumSide = 100
  static let side = "{side}"
  static let rung = "{rung}"

  let passes: [Pass]
  /// The line of `count: aloud`; nil if the passes are not counted aloud.
  let aloudLine: Int?
  /// What is done between two passes.
  let between: YamlEntry?

  /// Nil if the phases are done once. Of a block `sets` has been read before.
  ///
  /// - Parameter words: of what is repeated around it.
  init?(
    _ map: YamlMap, sets: (count: Int, line: Int)?, words: [String: String]
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
    case "sides": passes = try Self.sides(kinds[0]).map { [Self.side: $0] }
    default: passes = []
    }
    let count = map["count"]
    between = map["switch"]
    if let between, kinds.first?.key != "sides" {
      throw FileFault(
        line: between.line, "switch without sides", expected: "sides, such as sides: [left, right]")
    }
    aloudLine = count?.value.scalar?.string == "aloud" ? count?.line : nil
    guard !passes.isEmpty else {
      if let aloudLine {
        throw FileFault(
          line: aloudLine, "count: aloud of phases that are done once",
          expected: "repeat, sets, ladder or sides beside it")
      }
      return nil
    }
    self.passes = passes.enumerated().map { number, own in
      Pass(
        number: number, isLast: number == passes.count - 1,
        words: words.merging(own) { _, own in own })
    }
  }

  private static func sides(_ entry: YamlEntry) throws(FileFault) -> [String] {
    let expected = "the names of the sides, such as [left, right]"
    var sides: [String] = []
    for item in try entry.items(expected: expected) {
      let side = YamlEntry(key: "a side", line: item.mark?.line ?? entry.line, value: item)
      let name = try side.name(expected: expected, atMost: maximumSide)
      guard !name.contains("{"), !name.contains("}") else {
        throw side.fault(expected: "a name without braces")
      }
      sides.append(name)
    }
    guard (2...maximumPasses).contains(sides.count) else {
      throw FileFault(
        line: entry.line, "sides has \(sides.count) name\(sides.count == 1 ? "" : "s")",
        expected: "2 to \(maximumPasses)")
    }
    return sides
  }
}
