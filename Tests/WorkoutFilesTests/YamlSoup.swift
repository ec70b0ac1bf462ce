import FileFuzzing
import Yams

/// Random text that resembles YAML, and Yams' result.
enum YamlSoup {
  private static let tokens = [
    "- ", "-", "  ", "  ", "\n", "\n", "\n  ", "\n    ", "\n- ", "\n  - ", "a: ", "b: ", "c:\n",
    "c", "dd", "'", "\"", "[", "]", "{", "}", ",", ", ", ": ", ":", "#", " #", "&x ", "*x ", "!t ",
    "|", ">", "? ", "?", "\\", "\n...", "\n---", "\t", "é", "[a, b]", "{c: d}", "'q'", "\"r\"",
    " ", "''", "%", "@", "\r\n", "x: y\n", "- z\n", "<<", "  k: v\n", "~",
  ]
  private static let keys = ["a: ", "b: ", "c:  ", "'d': ", "e f:\t", "g#: ", "", ""]
  private static let values = [
    "x", "'q'", "[a, {b: c}]", "{a: 1, b: [c, d]}", "", "\"q\"", "&a x", "*a", "x # y", "x: y",
    "[a", "b]", "{a", "'", "\"", ",", "- z", "? q", "|", "-", "x'y", "[a, '[', b]", "[a 'b', c]",
    "{a:b}", "{a: b c: d}", "{'a':[b]}", "[a : b]", "x # '", "#'", "[a #", "]", "[[a, b], [c]]",
  ]

  static func text(using generator: inout SeededGenerator) -> String {
    var text = ""
    if Bool.random(using: &generator) {
      for _ in 0..<Int.random(in: 1...25, using: &generator) {
        text += tokens.randomElement(using: &generator)!
      }
      return text
    }
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      text += String(repeating: " ", count: Int.random(in: 0...4, using: &generator))
      text += String(repeating: "- ", count: Int.random(in: 0...2, using: &generator))
      text += keys.randomElement(using: &generator)!
      text += values.randomElement(using: &generator)!
      text += ["\n", "\n", "\r\n", "\n\n"].randomElement(using: &generator)!
    }
    return text
  }

  static func depth(_ node: Node) -> Int {
    switch node {
    case .scalar: 0
    case .mapping(let map): 1 + (map.map { max(depth($0.key), depth($0.value)) }.max() ?? 0)
    case .sequence(let items): 1 + (items.map(depth).max() ?? 0)
    case .alias: .max
    }
  }

  /// True if every key is a text, and every text is on one line without anchors and aliases.
  static func isPlain(_ node: Node) -> Bool {
    guard node.anchor == nil else { return false }
    switch node {
    case .scalar(let scalar):
      return scalar.style != .literal && scalar.style != .folded && !scalar.string.contains("\n")
    case .mapping(let map):
      return map.allSatisfy { $0.key.scalar != nil && isPlain($0.key) && isPlain($0.value) }
    case .sequence(let items): return items.allSatisfy(isPlain)
    case .alias: return false
    }
  }
}
