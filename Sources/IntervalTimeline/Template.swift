/// A variable in a text, written in braces.
public enum Variable: String, CaseIterable, Hashable, Sendable {
  /// The number of the set, and how many there are.
  case set, sets
  /// The names of the phase and of the next one.
  case phase, next
  /// The length of the phase, or of the next one in a text that contains `next`: "4 minutes", "12
  /// reps".
  case length
  /// The remaining time of the phase where its end is known, and the elapsed time of the workout.
  case remaining, elapsed
  /// The repetitions of an open phase: "12", and with their unit: "12 reps".
  case reps, repetitions
  /// How many of them have been counted, from 1: "5".
  case counted
  /// How hard the phase is, or the next one in a text that contains `next`: "95 % FTP".
  case intensity
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

  /// The names of the live values that it uses.
  public var values: Set<String> {
    Set(pieces.compactMap { if case .value(let name) = $0 { name } else { nil } })
  }

  /// The text with its variables replaced; nil if one has no value.
  ///
  /// - Parameter live: the words of a live value, by its name.
  public func filled(
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
public enum TemplateFault: Error, Hashable, Sendable {
  /// A name in braces that is neither a variable nor one of the live values given.
  case unknownVariable(String)
  /// An unmatched brace, or one within braces.
  case loneBrace
}

extension Template: ExpressibleByStringLiteral {
  /// Traps if the text is no template: a literal is the programmer's.
  public init(stringLiteral text: String) {
    do throws(TemplateFault) {
      try self.init(text)
    } catch {
      preconditionFailure("the template \"\(text)\": \(error)")
    }
  }
}
