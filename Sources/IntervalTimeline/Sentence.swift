/// What the program says to people, in English. By its pattern it is found in other languages.
///
/// It is written as any text with values in it. A value that is a sentence itself is translated as well.
package struct Sentence: Sendable, CustomStringConvertible {
  /// The sentence with `{}` in place of each value; nil for a text that is the same in every language.
  package let pattern: String?
  package let values: [Sentence]
  /// In English.
  package let text: String

  private init(pattern: String?, values: [Sentence], text: String) {
    (self.pattern, self.values, self.text) = (pattern, values, text)
  }

  /// A text that is the same in every language.
  package init(verbatim text: String) { self.init(pattern: nil, values: [], text: text) }

  package var description: String { text }

  /// In the language whose patterns these are, by those of English; in English where it has none.
  ///
  /// A pattern has its values as `{}` in the order of English, or each by its number, from `{1}`.
  package func text(in patterns: [String: String]) -> String {
    guard let pattern else { return text }
    let values = values.map { $0.text(in: patterns) }
    var pieces = (patterns[pattern] ?? pattern).split(
      separator: "{", omittingEmptySubsequences: false)
    var result = String(pieces.removeFirst())
    var next = 0
    for piece in pieces {
      let parts = piece.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
      let place = parts[0].isEmpty ? next : Int(parts[0]).map { $0 - 1 } ?? -1
      // Other braces are those of a preset.
      guard parts.count == 2, values.indices.contains(place) else {
        result += "{\(piece)"
        continue
      }
      result += values[place] + parts[1]
      next += 1
    }
    return result
  }

  /// The sentence with its text changed, which is not translated any more; itself where nothing changes.
  package func mapped(_ change: (String) -> String) -> Sentence {
    let changed = change(text)
    return changed == text ? self : Sentence(verbatim: changed)
  }

  /// Its pattern, and those of the sentences in it.
  package var patterns: [String] {
    (pattern.map { [$0] } ?? []) + values.flatMap(\.patterns)
  }
}

/// Equal where the English text is equal.
extension Sentence: Hashable {
  package static func == (one: Sentence, other: Sentence) -> Bool { one.text == other.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// Coded as its text: a sentence that was decoded has no pattern.
extension Sentence: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(verbatim: try decoder.singleValueContainer().decode(String.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// A value that a sentence describes, such as an error.
package protocol SaidInSentence {
  var sentence: Sentence { get }
}

extension Sentence: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pattern = ""
    fileprivate var values: [Sentence] = []
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      pattern += literal
      text += literal
    }

    package mutating func appendInterpolation(_ sentence: Sentence) {
      pattern += "{}"
      values.append(sentence)
      text += sentence.text
    }

    package mutating func appendInterpolation(_ value: some SaidInSentence) {
      appendInterpolation(value.sentence)
    }

    package mutating func appendInterpolation<Value>(_ value: Value) {
      appendInterpolation(Sentence(verbatim: "\(value)" as String))
    }
  }

  package init(stringInterpolation: StringInterpolation) {
    self.init(
      pattern: stringInterpolation.pattern, values: stringInterpolation.values,
      text: stringInterpolation.text)
  }

  /// A text that is a pattern itself.
  package init(stringLiteral text: String) {
    self.init(pattern: text, values: [], text: text)
  }
}
