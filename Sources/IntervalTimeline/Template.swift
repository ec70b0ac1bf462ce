/// A variable in a text, written in braces.
package enum Variable: String, CaseIterable, Hashable, Sendable {
  /// The number of the set, from 1: "3". No value where the phase is in no numbered set.
  case set
  /// How many sets the block has: "8". No value where `set` has none.
  case sets
  /// The name of the phase: "Low".
  case phase
  /// The name of the next phase: "High". No value in the last one.
  case next
  /// The length of the phase, or of the next one in a text that contains `next`: "4 minutes", "12
  /// reps".
  case length
  /// What is left of the phase, rounded up to whole seconds: "12 seconds". No value in an open phase whose end is
  /// not decided.
  case remaining
  /// Workout time, which excludes pauses, in whole seconds: "4 minutes 30 seconds".
  case elapsed
  /// How many repetitions an open phase has: "12". No value in a phase that does not end by a count.
  case reps
  /// The same with its unit: "12 reps".
  case repetitions
  /// How many of them have been counted: "5". No value before the first, and where `reps` has none.
  case counted
  /// How hard the phase is, or the next one in a text that contains `next`: "95 % FTP".
  case intensity
  /// The workout's name as people say it: "Norwegian 4 by 4".
  case workout
  /// The length of the workout: "40 minutes". No value where nobody knows it.
  case total
  /// How many sets there are in the workout, or, once it is over, how many were done: "4 sets". No value without sets.
  case setCount = "set-count"
  /// How long the efforts were that have been done: "16 minutes". No value before the end, and where it is not known.
  case work
  /// How often phases are repeated that are told together: "6 times".
  case times
  /// Those phases: "Hard, 5 seconds, Easy, 5 seconds".
  case group
}

/// A text with variables in braces: "Set {set} completing in".
///
/// A variable is one of the coach, or a live value that somebody else provides (`LiveValue`): "{watts}".
public struct Template: Hashable, Sendable {
  package enum Piece: Hashable, Sendable {
    case text(String)
    case variable(Variable)
    /// A live value, by its name.
    case value(String)
  }

  package let pieces: [Piece]

  /// Parses a text.
  ///
  /// - Parameter values: the names of the live values that it may use besides the variables.
  /// - Throws: `TemplateFault` if a variable is unknown or a brace is unmatched.
  public init(_ text: String, values: Set<String> = []) throws(TemplateFault) {
    try self.init(text) { values.contains($0) }
  }

  /// A text that was parsed before: it uses the values that it used then.
  init(stored text: String) throws(TemplateFault) { try self.init(text) { _ in true } }

  /// A text without variables: braces are plain characters.
  public init(plain text: String) { pieces = text.isEmpty ? [] : [.text(text)] }

  private init(_ text: String, isValue: (String) -> Bool) throws(TemplateFault) {
    var pieces: [Piece] = []
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if brace > rest.startIndex { pieces.append(.text(String(rest[..<brace]))) }
      let inside = rest[rest.index(after: brace)...]
      guard rest[brace] == "{", let end = inside.firstIndex(of: "}") else { throw .loneBrace }
      let name = String(inside[..<end])
      if let variable = Variable(rawValue: name) {
        pieces.append(.variable(variable))
      } else if LiveValue.isName(name), isValue(name) {
        pieces.append(.value(name))
      } else {
        throw .unknownVariable(name)
      }
      rest = inside[inside.index(after: end)...]
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    self.pieces = pieces
  }

  /// The variables that it uses, in order.
  package var variables: [Variable] {
    pieces.compactMap { if case .variable(let variable) = $0 { variable } else { nil } }
  }

  /// The names of the live values that it uses.
  public var values: Set<String> {
    Set(pieces.compactMap { if case .value(let name) = $0 { name } else { nil } })
  }

  /// The text with its variables replaced; nil if one has no value.
  ///
  /// - Parameter live: the words of a live value, by its name.
  package func filled(
    _ value: (Variable) -> String?, live: (String) -> String? = { _ in nil }
  ) -> String? {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let words): text += words
      case .variable(let variable):
        guard let words = value(variable) else { return nil }
        text += words
      case .value(let name):
        guard let words = live(name) else { return nil }
        text += words
      }
    }
    return text
  }
}

extension Template: Codable {
  /// The text that it was parsed from.
  package var source: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .variable(let variable): "{\(variable.rawValue)}"
      case .value(let name): "{\(name)}"
      }
    }.joined()
  }

  public init(from decoder: any Decoder) throws {
    try self.init(stored: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(source)
  }
}

/// Why a text is no template.
public enum TemplateFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// A name in braces that is neither a variable nor one of the live values given.
  case unknownVariable(String)
  /// An unmatched brace, or one within braces.
  case loneBrace

  /// What is wrong and what was expected, on one line.
  public var description: String {
    switch self {
    case .unknownVariable(let name):
      "{\(name.prefix(40))} is neither a variable nor one of the live values that are given"
    case .loneBrace: "a brace without its other one, or within braces, expected a name in braces"
    }
  }
}

extension Template: ExpressibleByStringLiteral {
  /// A name in braces that is no variable is a live value: "{watts}". A brace without its other one, or around what can
  /// be no name, is a plain character.
  public init(stringLiteral text: String) {
    self = (try? Template(stored: text)) ?? Template(plain: text)
  }
}
