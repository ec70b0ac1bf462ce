import IntervalTimeline

/// A map in a file, which may have only known keys.
package struct YamlMap {
  /// Where it begins, from 1.
  package let line: Int
  /// In file order.
  package let entries: [YamlEntry]

  /// Nil if `node` is not a map.
  package init?(_ node: YamlNode) {
    guard case .map(let entries) = node.content else { return nil }
    (line, self.entries) = (node.line, entries)
  }

  init(line: Int, entries: [YamlEntry]) {
    self.line = line
    self.entries = entries
  }

  package subscript(key: String) -> YamlEntry? { entries.first { $0.key == key } }

  /// The first entry with one of `keys`.
  package func first(of keys: [String]) -> YamlEntry? { entries.first { keys.contains($0.key) } }

  /// The entry of a required key.
  package func required(_ key: String, expected: Sentence) throws(FileFault) -> YamlEntry {
    if let entry = self[key] { return entry }
    throw FileFault(line: line, "no \(key)", expected: expected)
  }

  /// Throws if a key is neither among `known` nor `allowed`.
  package func checkKeys(
    _ known: [String], of whole: Sentence, allowed: (String) -> Bool = { _ in false }
  ) throws(FileFault) {
    guard let entry = entries.first(where: { !known.contains($0.key) && !allowed($0.key) })
    else { return }
    let problem: Sentence = "unknown key \(quoted(entry.key)) in \(whole)"
    if let colon = entry.key.firstIndex(of: ":"), known.contains(String(entry.key[..<colon])) {
      throw entry.fault(problem, expected: "a space after the colon")
    }
    let nearest = Nearest.names(to: entry.key, among: known).first
    throw entry.fault(
      nearest.map { "\(problem) (did you mean \"\($0)\"?)" } ?? problem,
      expected: "one of \(Self.list(known))")
  }

  /// The names separated by commas, as many as fit on one line.
  private static func list(_ names: [String]) -> Sentence {
    var length = 0
    let shown = names.prefix { name in
      length += name.count + 2
      return length <= maximumList
    }
    let rest = names.count - shown.count
    let list = shown.joined(separator: ", ")
    return rest > 0 ? "\(list) and \(rest) more" : Sentence(verbatim: list)
  }

  private static let maximumList = 180
}

extension YamlNode {
  /// Its map, with one entry at least; `what` names it in a message.
  package func map(of what: Sentence, expected: Sentence) throws(FileFault) -> YamlMap {
    guard let map = YamlMap(self), !map.entries.isEmpty else {
      throw FileFault(line: line, "\(what) that is \(found)", expected: expected)
    }
    return map
  }
}

extension YamlEntry {
  /// Its map; nil for any other value and for a map without an entry.
  var map: YamlMap? { YamlMap(value).flatMap { $0.entries.isEmpty ? nil : $0 } }

  package func map(expected: Sentence) throws(FileFault) -> YamlMap {
    guard let map else { throw fault(expected: expected) }
    return map
  }
}
