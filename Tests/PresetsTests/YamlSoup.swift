import TestSupport

@testable import Presets

/// Random text that resembles YAML.
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

  /// True if every text is on one line, every key is given once, and all begins on `lines`.
  static func isPlain(_ node: YamlNode, in lines: ClosedRange<Int>) -> Bool {
    guard lines.contains(node.line) else { return false }
    switch node.content {
    case .text(let text): return !text.contains("\n")
    case .map(let entries):
      return Set(entries.map(\.key)).count == entries.count
        && entries.allSatisfy { isPlain($0.value, in: lines) }
    case .list(let items): return items.allSatisfy { isPlain($0, in: lines) }
    }
  }
}
