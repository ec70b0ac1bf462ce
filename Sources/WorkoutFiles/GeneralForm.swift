import IntervalTimeline
import Yams

/// The general form: blocks of phases, each done once, in sets or repeated otherwise.
enum GeneralForm {
  static let keys = ["blocks"]

  /// - Parameter values: the names of the live values that texts may use.
  static func blocks(
    _ map: YamlMap, values: Set<String>
  ) throws(FileFault) -> [PlacedBlock] {
    let entry = try map.required("blocks", expected: "a list of blocks")
    var blocks: [PlacedBlock] = []
    for node in try entry.items(expected: "a list of blocks, each with phases") {
      blocks.append(try block(node, line: entry.line, values: values))
    }
    return blocks
  }

  private static func block(
    _ node: Node, line: Int, values: Set<String>
  ) throws(FileFault) -> PlacedBlock {
    let expected = "phases, and sets where they are repeated"
    guard let map = YamlMap(node), !map.entries.isEmpty else {
      throw FileFault(
        line: node.mark?.line ?? line, "a block that is \(node.found)", expected: expected)
    }
    try map.checkKeys(["sets"] + Repetition.keys + ["phases"], of: "a block")
    let phases = try map.required("phases", expected: "a list of phases in each block")
    let count = try map["sets"]?.count()
    let sets = map["sets"].flatMap { entry in count.map { (count: $0, line: entry.line) } }
    let numbering = try numbering(map)
    var list = PhaseList(values: values)

    guard let repetition = try Repetition(map, sets: sets, words: [:]) else {
      try list.append(phases, .none)
      if let numbering { try checkEfforts(list.steps, numbering) }
      return PlacedBlock(numbering: numbering == nil ? nil : .each, list.steps)
    }
    if let sets, repetition.aloudLine == nil, !hasNamesInTurn(phases) {
      // The sets are alike: the timeline repeats them.
      try list.append(phases, .ofSets)
      guard list.steps.contains(where: { !$0.step.skippedInLastSet }) else {
        throw FileFault(
          line: phases.line, "a last set without a phase, for all have last: skip",
          expected: "at least one phase without it")
      }
      return PlacedBlock(sets: sets, list.steps)
    }
    let isNumbered = numbering == nil && (sets != nil || map["ladder"] != nil)
    try list.append(repetition, of: phases, marksSets: isNumbered)
    if let numbering { try checkEfforts(list.steps, numbering) }
    return PlacedBlock(
      numbering: isNumbered ? .marked : numbering == nil ? nil : .each, list.steps)
  }

  /// The line of `count: each`.
  private static func numbering(_ map: YamlMap) throws(FileFault) -> Int? {
    guard let entry = map["count"] else { return nil }
    guard try entry.word(Block.Numbering.each.rawValue, "aloud") != "aloud" else { return nil }
    if let sets = map["sets"] {
      throw FileFault(
        line: max(entry.line, sets.line), "count: each beside sets in a block",
        expected: "sets where all its phases are repeated, or count: each where each is a set")
    }
    return entry.line
  }

  private static func checkEfforts(_ steps: [PlacedStep], _ line: Int) throws(FileFault) {
    guard !steps.contains(where: { $0.step.phase.kind.isEffort }) else { return }
    throw FileFault(
      line: line, "count: each in a block without a phase of effort",
      expected: "at least one high or work, each of which is a set")
  }

  /// A phase of the sets themselves has another name in each.
  private static func hasNamesInTurn(_ phases: YamlEntry) -> Bool {
    guard case .sequence(let items) = phases.value else { return false }
    return items.contains { item in
      guard let map = YamlMap(item), map["phases"] == nil,
        case .sequence? = map["name"]?.value
      else { return false }
      return true
    }
  }
}
