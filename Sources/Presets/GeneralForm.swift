import IntervalTimeline

/// The general form: blocks of phases, each done once, in sets or repeated otherwise.
enum GeneralForm {
  static let keys = ["blocks"]

  /// - Parameter values: the names of the live values that texts may use.
  static func blocks(
    _ map: YamlMap, values: Set<String>, draws: Draws
  ) throws(FileFault) -> [PlacedBlock] {
    let entry = try map.required("blocks", expected: "a list of blocks")
    var blocks: [PlacedBlock] = []
    for node in try entry.items(expected: "a list of blocks, each with phases") {
      blocks.append(try block(node, values: values, draws: draws))
    }
    return blocks
  }

  private static func block(
    _ node: YamlNode, values: Set<String>, draws: Draws
  ) throws(FileFault) -> PlacedBlock {
    let map = try node.map(of: "a block", expected: "phases, and sets where they are repeated")
    try map.checkKeys(["sets"] + Repetition.keys + ["phases", "between"], of: "a block")
    let phases = try map.required("phases", expected: "a list of phases in each block")
    let count = try map["sets"]?.count()
    let sets = map["sets"].flatMap { entry in count.map { (count: $0, line: entry.line) } }
    let numbering = try numbering(map)
    var list = PhaseList(values: values, marksSets: numbering?.kind == .marked, draws: draws)
    let between = try map["between"].map { entry throws(FileFault) in
      guard sets != nil else {
        throw entry.fault(
          "between in a block without sets",
          expected: "sets in the block, or a phase more")
      }
      return try PhaseForm.phase(entry, words: [:], values: values, draws: draws)
    }

    guard let repetition = try Repetition(map, sets: sets, words: [:], draws) else {
      try list.append(phases, .none)
      if let numbering { try check(list.steps, numbering) }
      return PlacedBlock(numbering: numbering?.kind, list.steps)
    }
    if let sets, repetition.aloudLine == nil, !hasNamesInTurn(phases),
      !phases.value.hasSurprises
    {
      // The sets are alike: the timeline repeats them.
      try list.append(phases, .ofSets)
      guard list.steps.contains(where: { !$0.step.skippedInLastSet }) else {
        throw FileFault.emptyLast("set", line: phases.line)
      }
      return PlacedBlock(sets: sets, list.steps, between: between)
    }
    let isNumbered =
      numbering == nil && (sets != nil || map.first(of: ["ladder", "stations"]) != nil)
    try list.append(repetition, of: phases, isNumbered: isNumbered, between: between)
    if let numbering { try check(list.steps, numbering) }
    return PlacedBlock(numbering: isNumbered ? .marked : numbering?.kind, list.steps)
  }

  /// `count: each` or `count: marked`, and its line.
  private static func numbering(
    _ map: YamlMap
  ) throws(FileFault) -> (kind: Block.Numbering, line: Int)? {
    guard let entry = map["count"] else { return nil }
    let word = try entry.word("each", "marked", "aloud")
    guard let kind = Block.Numbering(rawValue: word) else { return nil }
    if let other = map["sets"] ?? (kind == .marked ? map.first(of: Repetition.kinds) : nil) {
      throw FileFault(
        line: max(entry.line, other.line), "count: \(word) beside \(other.key) in a block",
        expected: "sets where all its phases are repeated, or count: each where each is a set")
    }
    return (kind, entry.line)
  }

  private static func check(
    _ steps: [PlacedStep], _ numbering: (kind: Block.Numbering, line: Int)
  ) throws(FileFault) {
    switch numbering.kind {
    case .each:
      guard !steps.contains(where: { $0.step.phase.kind.isEffort }) else { return }
      throw FileFault(
        line: numbering.line, "count: each in a block without a phase of effort",
        expected: "at least one high or work, each of which is a set")
    case .marked:
      if let index = Block.firstMisnumbered(of: steps.map(\.step)) {
        throw FileFault(
          line: steps[min(index, steps.count - 1)].line,
          "the sets of count: marked are not 1, 2, 3 and so on",
          expected: "set in each phase of a set, such as set: 1")
      }
    }
  }

  /// A phase of the sets themselves has another name in each.
  private static func hasNamesInTurn(_ phases: YamlEntry) -> Bool {
    guard let items = phases.value.list else { return false }
    return items.contains { item in
      YamlMap(item).map { $0["phases"] == nil && $0.hasNamesInTurn } ?? false
    }
  }
}
