import IntervalTimeline

/// The two forms of a preset, distinguished by their keys.
package enum PresetForm {
  static let expected: Sentence =
    "name, sets, low and high (the flat form) or name and blocks (the general form)"
  static let commonKeys = ["name"] + StyleForm.keys + ["values"]
  private static let lastKeys = ["seed", "note", "link"] + FactsForm.keys + ["ftp"]
  /// Up to the largest number that every program can read.
  private static let seeds = 0...9_007_199_254_740_991
  /// The most live values that a preset may name.
  private static let maximumValues = 100

  /// True for a line that gives a key of a preset's own.
  package static func isKey(_ line: Substring) -> Bool {
    guard let colon = line.firstIndex(of: ":") else { return false }
    return (["name", "blocks"] + FlatForm.keys).contains(String(line[..<colon]))
  }

  static func document(
    _ root: YamlNode, _ variant: WorkoutVariant
  ) throws(FileFault) -> PresetDocument {
    let map = try root.map(of: "a preset", expected: expected)
    let flatKeys = FlatForm.keys
    let generalKeys = GeneralForm.keys
    let first = map.first(of: flatKeys + generalKeys)
    let isGeneral = first.map { generalKeys.contains($0.key) } ?? false
    if let first, let other = map.first(of: isGeneral ? flatKeys : generalKeys) {
      throw FileFault(
        line: other.line, "\(other.key) beside \(first.key), two forms in one preset",
        expected: Self.expected)
    }
    // Without a key of either form, keys of both are suggested.
    let formKeys = isGeneral ? generalKeys : first == nil ? flatKeys + generalKeys : flatKeys
    try map.checkKeys(commonKeys + formKeys + lastKeys, of: "a preset")
    guard first != nil else {
      throw FileFault(line: map.line, "no sets and no blocks", expected: Self.expected)
    }

    let name = try map.required("name", expected: "the workout's name").name()
    let values = try map["values"].map(valueNames) ?? []
    let style = try StyleForm.style(map, values: values)
    let seed = try map["seed"].map { entry throws(FileFault) in
      UInt64(try entry.count(in: seeds))
    }
    let draws = Draws(variant, own: seed)
    let blocks =
      isGeneral
      ? try GeneralForm.blocks(map, values: values, draws: draws) : try FlatForm.blocks(map)
    try PresetTotals.check(blocks)
    if let group = variant.group, !draws.hasStations { throw Self.noStations(group, map.line) }
    var workout = Workout(name: name, style: style, blocks: blocks.map(\.block))
    workout.seed = draws.hasDrawn || seed != nil ? draws.seed : nil
    workout.facts = try FactsForm.facts(map)
    workout.thresholdPower = try map["ftp"].map { entry throws(FileFault) in
      Double(try entry.count(in: Athlete.thresholdPowers))
    }
    workout.note = try map["note"]?.name()
    workout.link = try map["link"]?.link()
    return PresetDocument(
      workout: workout.inNumbers(of: variant.athlete), lines: PresetLines(blocks),
      reports: workout.reports(of: variant.athlete), writtenOut: draws.writtenOut)
  }

  package static func noStations(_ group: Int, _ line: Int) -> FileFault {
    FileFault(
      line: line, "no stations for group \(group)", expected: "a preset with stations, or no group")
  }

  /// The names of the live values that a program provides while the workout runs: `[watts, heart-rate]`.
  private static func valueNames(_ entry: YamlEntry) throws(FileFault) -> Set<String> {
    let expected: Sentence = "the names of live values, such as [watts, heart-rate]"
    var names: Set<String> = []
    for item in try entry.items(expected: expected) {
      let line = item.line
      guard let name = item.text, LiveValue.isName(name),
        !Repetition.words.contains(where: { $0.word == "{\(name)}" })
      else {
        let isTaken =
          item.text.map {
            Variable(rawValue: $0) != nil || ["side", "rung", "station"].contains($0)
          } ?? false
        throw FileFault(
          line: line, "\(item.found) in values",
          expected: isTaken
            ? "a name that is no variable of the coach"
            : "names of 1 to 40 letters a to z, digits and hyphens, from a letter")
      }
      guard names.insert(name).inserted else {
        throw FileFault(line: line, "\(quoted(name)) twice in values", expected: "each name once")
      }
    }
    guard (1...maximumValues).contains(names.count) else {
      throw entry.fault("values has \(names.count) names", expected: "1 to \(maximumValues)")
    }
    return names
  }
}
