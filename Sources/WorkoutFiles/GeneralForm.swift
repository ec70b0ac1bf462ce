import IntervalTimeline
import Yams

/// The general form: blocks of phases, each done once or in sets.
enum GeneralForm {
  static let keys = ["blocks"]
  private static let kinds = PhaseKind.allCases.map(\.rawValue)

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
    try map.checkKeys(["sets", "count", "phases", "between"], of: "a block")
    let sets = map["sets"]
    let numbering = map["count"]
    _ = try numbering?.word(Block.Numbering.each.rawValue)
    if let numbering, let sets {
      throw FileFault(
        line: max(numbering.line, sets.line), "count beside sets in a block",
        expected: "sets where all its phases are repeated, or count: each where each is a set")
    }
    let count = try sets?.count()
    let phases = try map.required("phases", expected: "a list of phases in each block")

    var steps: [PlacedStep] = []
    for node in try phases.items(expected: "a list of phases, such as - high: 4m") {
      steps.append(
        try step(node, line: phases.line, hasSets: sets != nil, values: values))
    }
    guard count == nil || steps.contains(where: { !$0.step.skippedInLastSet }) else {
      throw FileFault(
        line: phases.line, "a last set without a phase, for all have last: skip",
        expected: "at least one phase without it")
    }
    if let numbering, !steps.contains(where: { $0.step.phase.kind.isEffort }) {
      throw FileFault(
        line: numbering.line, "count: each in a block without a phase of effort",
        expected: "at least one high or work, each of which is a set")
    }
    return PlacedBlock(
      sets: sets.flatMap { entry in count.map { ($0, entry.line) } },
      numbering: numbering == nil ? nil : .each, steps,
      between: try map["between"].map { entry throws(FileFault) in
        guard sets != nil else {
          throw FileFault(
            line: entry.line, "between in a block without sets",
            expected: "sets in the block, or a phase more")
        }
        return try step(entry.value, line: entry.line, hasSets: false, values: values)
      })
  }

  private static func step(
    _ node: Node, line: Int, hasSets: Bool, values: Set<String>
  ) throws(FileFault) -> PlacedStep {
    guard let map = YamlMap(node), !map.entries.isEmpty else {
      throw FileFault(
        line: node.mark?.line ?? line, "a phase that is \(node.found)",
        expected: "a kind and its length, such as high: 4m")
    }
    try map.checkKeys(kinds + ["name", "intensity", "last", "say", "at"], of: "a phase")
    guard let entry = map.first(of: kinds), let kind = PhaseKind(rawValue: entry.key) else {
      throw FileFault(
        line: map.line, "a phase without a kind",
        expected: "one of \(kinds.joined(separator: ", "))")
    }
    if let second = map.first(of: kinds.filter { $0 != entry.key }) {
      throw FileFault(
        line: second.line, "\(second.key) in a phase that is \(entry.key) already",
        expected: "a dash before each phase")
    }
    let name = try map["name"]?.name()
    let intensity = try map["intensity"]?.name(atMost: YamlEntry.maximumIntensity)
    let length = try entry.length()
    let remarks = try RemarkForm.remarks(map, of: entry, length: length, values: values)
    let last = map["last"]
    _ = try last?.word("skip")
    if !hasSets, let last {
      throw FileFault(
        line: last.line, "last: skip in a block without sets",
        expected: "sets in the block, or no last")
    }
    let phase = Phase(
      kind, length, name: name, remarks: remarks.map(\.remark), intensity: intensity)
    return PlacedStep(
      Block.Step(phase, skippedInLastSet: last != nil), line: entry.line,
      remarkLines: remarks.map(\.line))
  }
}
