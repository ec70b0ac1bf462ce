import IntervalTimeline

/// The flat form: sets of a low and a high phase, with optional phases before and after.
enum FlatForm {
  static let keys = ["sets", "first", "low", "high", "prepare", "warmup", "rest", "cooldown"]

  static func blocks(_ map: YamlMap) throws(FileFault) -> [PlacedBlock] {
    let sets = try map.required("sets", expected: "the number of sets, such as sets: 12")
    let count = try sets.count()
    let first = try map["first"]?.word("low", "high")
    let low = try step(.low, map.required("low", expected: "its length, such as low: 30s"))
    let high = try step(.high, map.required("high", expected: "its length, such as high: 30s"))
    var between: PlacedStep?
    if let entry = map["rest"] { between = try step(.rest, entry) }

    var blocks: [PlacedBlock] = []
    for kind in [PhaseKind.prepare, .warmup] {
      if let entry = map[kind.rawValue] { blocks.append(PlacedBlock([try step(kind, entry)])) }
    }
    blocks.append(
      PlacedBlock(
        sets: (count, sets.line), first == "high" ? [high, low] : [low, high], between: between))
    if let entry = map["cooldown"] { blocks.append(PlacedBlock([try step(.cooldown, entry)])) }
    return blocks
  }

  private static func step(
    _ kind: PhaseKind, _ entry: YamlEntry
  ) throws(FileFault) -> PlacedStep {
    let length = try entry.length()
    if let fault = length.faultOfShortness(line: entry.line) { throw fault }
    return PlacedStep(Block.Step(Phase(kind, length)), line: entry.line)
  }
}
