import IntervalTimeline

/// The flat form: one run of sets of a low and a high phase, with what comes before and after.
enum FlatForm {
  static let keys = ["sets", "first", "low", "high", "prepare", "warmup", "rest", "cooldown"]

  static func blocks(_ map: YamlMap) throws(FileFault) -> [PlacedBlock] {
    let sets = try map.required("sets", expected: "the number of sets, such as sets: 12")
    let count = try sets.count()
    let first = try map["first"]?.word("low", "high")
    let low = try map.required("low", expected: "its length, such as low: 30s").phase(.low)
    let high = try map.required("high", expected: "its length, such as high: 30s").phase(.high)
    let phases = first == "high" ? [high, low] : [low, high]
    let run = Block(
      sets: count, steps: phases.map { Block.Step($0) }, between: try map["rest"]?.phase(.rest))

    var blocks: [PlacedBlock] = []
    for kind in [PhaseKind.prepare, .warmup] {
      if let entry = map[kind.rawValue] { blocks.append(try single(kind, entry)) }
    }
    blocks.append(PlacedBlock(run, setsLine: sets.line, stepLines: []))
    if let entry = map["cooldown"] { blocks.append(try single(.cooldown, entry)) }
    return blocks
  }

  private static func single(
    _ kind: PhaseKind, _ entry: YamlEntry
  ) throws(FileFault) -> PlacedBlock {
    let block = Block(steps: [Block.Step(try entry.phase(kind))])
    return PlacedBlock(block, setsLine: nil, stepLines: [entry.line])
  }
}
