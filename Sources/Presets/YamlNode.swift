import IntervalTimeline

/// A value of a YAML file, and where it begins.
package struct YamlNode {
  package enum Content {
    case text(String)
    case list([YamlNode])
    /// In file order.
    case map([YamlEntry])
  }

  package var content: Content
  /// True for a text without quotes.
  package var isPlain = false
  /// From 1.
  package let line: Int
  let column: Int

  /// Nil for a list or a map.
  package var text: String? { if case .text(let text) = content { text } else { nil } }
  /// Nil unless it is a list.
  package var list: [YamlNode]? { if case .list(let items) = content { items } else { nil } }

  /// True for a missing value or YAML's null.
  package var isNull: Bool { isPlain && ["", "~", "null", "Null", "NULL"].contains(text) }

  /// A description of the value for a message.
  package var found: Sentence {
    switch content {
    case .map(let entries): entries.isEmpty ? "an empty map" : "a map"
    case .list(let items): items.isEmpty ? "an empty list" : "a list"
    case .text(let text): isNull ? "empty" : Sentence(verbatim: quoted(text))
    }
  }
}

/// A key of a map, its line and its value.
package struct YamlEntry {
  package let key: String
  /// From 1.
  package let line: Int
  package let value: YamlNode

  package init(key: String, line: Int, value: YamlNode) {
    self.key = key
    self.line = line
    self.value = value
  }

  /// `key is …, expected …`, with the value as it was found.
  package func fault(expected: Sentence) -> FileFault {
    fault("\(key) is \(value.found)", expected: expected)
  }

  /// At its line.
  package func fault(_ problem: Sentence, expected: Sentence) -> FileFault {
    FileFault(line: line, problem, expected: expected)
  }
}
