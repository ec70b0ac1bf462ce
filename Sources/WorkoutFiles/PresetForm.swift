import IntervalTimeline
import Yams

/// The two forms of a preset, distinguished by their keys.
enum PresetForm {
  static let expected =
    "name, sets, low and high (the flat form) or name and blocks (the general form)"
  static let commonKeys = ["name"] + StyleForm.keys

  static func document(_ root: Node) throws(FileFault) -> PresetDocument {
    guard let map = YamlMap(root), !map.entries.isEmpty else {
      throw FileFault(
        line: root.mark?.line ?? 1, "a preset that is \(root.found)", expected: Self.expected)
    }
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
    try map.checkKeys(commonKeys + formKeys, of: "a preset")
    guard first != nil else {
      throw FileFault(line: map.line, "no sets and no blocks", expected: Self.expected)
    }

    let name = try map.required("name", expected: "the workout's name").name()
    let style = try StyleForm.style(map)
    let blocks = isGeneral ? try GeneralForm.blocks(map) : try FlatForm.blocks(map)
    try PresetTotals.check(blocks)
    return PresetDocument(
      workout: Workout(name: name, style: style, blocks: blocks.map(\.block)),
      lines: PresetLines(blocks))
  }
}
